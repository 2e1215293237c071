// open: the dashboard with the owner's key, so that the person at the keyboard can decide there.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Item } from '@treadle/contracts/item'
import { needDaemon, ownerLink, type Running } from '../daemon-process.ts'
import type { CliEnv } from '../env.ts'
import { print, printJson, tell } from '../output.ts'
import { atItem } from '../pages.ts'
import { asNumber, json, type Program, project } from '../program.ts'
import { UserError } from '../user-error.ts'
import { findWorkspace } from '../workspace.ts'

interface OpenOptions {
  readonly project: number
  readonly link?: boolean
  readonly json?: boolean
}

export function openCommands(program: Program): void {
  const { root, env } = program
  root
    .command('open')
    .argument('[number]', 'open the page of this item', asNumber)
    .addOption(project())
    .option('--link', 'print the link instead; whoever has it can decide for you')
    .addOption(json())
    .action(async (number, options) => {
      program.exitCode = await open(env, options, number ?? null)
    })
}

async function open(env: CliEnv, options: OpenOptions, number: number | null): Promise<number> {
  const running = await needDaemon(findWorkspace(env), env)
  const home = await ownerLink(running)
  if (home === null)
    throw new UserError(
      `Your key is not at ${env.ownerKey.file}, so the page could only be looked at.`,
      'Run this as the user who has started the daemon, or name the key’s file in TREADLE_OWNER_KEY_FILE.',
    )
  const link = number === null ? home : home + (await itemIn(running, number, options))
  if (options.json) {
    printJson({ url: running.url, link })
    return 0
  }
  if (!options.link && (await showInBrowser(env, running, link))) {
    tell(`Opened ${running.url} in your browser. No window? Then: treadle open --link`)
    return 0
  }
  print(link)
  return 0
}

/** Opens the page of an item in the browser; false where there is none, or no key. */
export async function openPage(env: CliEnv, running: Running, item: Item): Promise<boolean> {
  const home = await ownerLink(running)
  return home !== null && showInBrowser(env, running, home + atItem(item))
}

/** The end of a link to an item that is there. */
async function itemIn({ client }: Running, number: number, options: OpenOptions): Promise<string> {
  const params = { projectNumber: options.project, issueNumber: number }
  return atItem((await client.showItem({ params })).item)
}

/** The link goes by a file that only the owner reads: arguments of a program are seen by every user of the machine. */
async function showInBrowser(env: CliEnv, { url }: Running, link: string): Promise<boolean> {
  const opener = openerOf(env)
  if (opener === null) return false
  const { folder } = env.ownerKey
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = `${folder}/open-${new URL(url).port}.html`
  writeFileSync(
    file,
    `<!doctype html><meta http-equiv="refresh" content="0; url=${link.replaceAll('&', '&amp;')}">\n`,
    {
      mode: 0o600,
    },
  )
  const [program = '', ...args] = opener
  const child = spawn(program, [...args, pathToFileURL(file).href], {
    detached: true,
    stdio: 'ignore',
    env: { ...env.all },
  })
  child.unref()
  return new Promise((done) => child.once('spawn', () => done(true)).once('error', () => done(false)))
}

/** The program that opens a file as a double click does; null where there is no desktop. */
function openerOf({ all }: CliEnv): readonly string[] | null {
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['explorer.exe']
  return all.DISPLAY === undefined && all.WAYLAND_DISPLAY === undefined ? null : ['xdg-open']
}
