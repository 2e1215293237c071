// The command line as a user starts it: from some folder, with some Node, to the end or until a signal.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createClient } from '@treadle/contracts/client'
import { cleanEnv } from '../env.ts'
import { type Ended, endingWithUs } from './daemon.ts'
import type { Workspace } from './workspace.ts'

export interface CommandOptions {
  readonly cwd?: string
  readonly added?: Readonly<Record<string, string>>
  /** The Node that starts the launcher; this one unless told. */
  readonly node?: string
  readonly input?: string
}

export interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<Ended & { readonly signal: NodeJS.Signals | null }>
  /** What it has written so far. */
  seen(): string
}

type Home = Pick<Workspace, 'home' | 'root'>

export const LAUNCHER = fileURLToPath(new URL('../../bin/treadle.js', import.meta.url))
/** The longest is the demo, on a machine that is busy with other tests. */
const COMMAND_MS_MAX = 240_000

export function start(place: Home, args: readonly string[], options: CommandOptions = {}): Started {
  const child = spawn(options.node ?? process.execPath, [LAUNCHER, ...endingWithUs(args)], {
    cwd: options.cwd ?? place.root,
    env: cleanEnv(place.home, options.added),
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: COMMAND_MS_MAX,
  })
  child.stdin.end(options.input ?? '')
  let seen = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (seen += chunk))
  const gone = once(child, 'exit')
  const ended = Promise.all([text(child.stdout), text(child.stderr), gone]).then(([stdout, stderr]) => ({
    code: child.exitCode,
    signal: child.signalCode,
    stdout,
    stderr,
  }))
  return { child, ended, seen: () => seen }
}

export function run(place: Home, args: readonly string[], options: CommandOptions = {}): Promise<Ended> {
  return start(place, args, options).ended
}

/** The key whose powers a link to the dashboard has. */
export async function keyOfLink(link: string): Promise<string> {
  const { origin, hash } = new URL(link.trim())
  const { key } = await createClient({ url: origin, token: hash.slice('#token='.length) }).workspace()
  return key
}
