// open: the dashboard with the owner's key, so that the person at the keyboard can decide there.
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { needDaemon, ownerLink, type Running } from '../daemon-process.ts'
import type { CliEnv } from '../env.ts'
import { print, printJson, tell } from '../output.ts'
import { json, type Program } from '../program.ts'
import { UserError } from '../user-error.ts'
import { findWorkspace } from '../workspace.ts'

interface OpenOptions {
  readonly link?: boolean
  readonly json?: boolean
}

export function openCommands(program: Program): void {
  const { root, env } = program
  root
    .command('open')
    .description('open the dashboard with your key, so that you can decide there')
    .option('--link', 'print the link instead; whoever has it can decide for you')
    .addOption(json())
    .action(async (options) => {
      program.exitCode = await open(env, options)
    })
}

async function open(env: CliEnv, options: OpenOptions): Promise<number> {
  const running = await needDaemon(findWorkspace(env), env)
  const link = await ownerLink(running)
  if (link === null)
    throw new UserError(
      `Your key is not at ${env.ownerKey.file}, so the page could only be looked at.`,
      'Run this as the user who has started the daemon, or name the key’s file in TREADLE_OWNER_KEY_FILE.',
    )
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

/** The link goes by a file that only the owner reads: arguments of a program are seen by every user of the machine. */
async function showInBrowser(env: CliEnv, { url }: Running, link: string): Promise<boolean> {
  const opener = openerOf(env)
  if (opener === null) return false
  const { folder } = env.ownerKey
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = `${folder}/open-${new URL(url).port}.html`
  writeFileSync(file, `<!doctype html><meta http-equiv="refresh" content="0; url=${link}">\n`, {
    mode: 0o600,
  })
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
