// The command line on a terminal of its own, as somebody sees it who sits there and types.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cleanEnv } from '../env.ts'
import { LAUNCHER } from './command.ts'
import { eventually } from './wait.ts'
import type { Workspace } from './workspace.ts'

interface Terminal {
  readonly ended: Promise<number | null>
  /** Waits until the words were written. */
  shows(words: string): Promise<true>
  type(text: string): void
  /** All that was written so far, with what moves the cursor. */
  seen(): string
}

export function atTerminal({ root, home }: Workspace, args: readonly string[], columns = 80): Terminal {
  const command = [process.execPath, LAUNCHER, ...args].map((word) => `'${word}'`).join(' ')
  const sized = `stty columns ${columns} rows 40; exec ${command}`
  const child = spawn('script', ['-qec', sized, '/dev/null'], { cwd: root, env: cleanEnv(home) })
  let seen = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (seen += chunk))
  const ended = once(child, 'exit').then(() => child.exitCode)
  const shows = (words: string) =>
    eventually(`${words} on the screen`, () => (seen.includes(words) ? true : undefined), 60_000)
  return { ended, shows, type: (text) => child.stdin.write(text), seen: () => seen }
}
