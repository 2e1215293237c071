// Starts programs that end with us, with all that they have started, however we end.
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

// The second line waits on a pipe that closes when we die, however we die, and then ends the whole group. It is
// forked twice so that the program does not find a child that it did not start. The number 3 may be a channel of
// messages, which the program alone must hold.
const LAUNCHER = `exec 9<&0 </dev/null
( ( exec 3>&-; read -r _ <&9; kill -KILL 0 ) >/dev/null 2>&1 & )
exec 9<&-
exec "$@"`
const bound = (program: string, args: readonly string[]) => ['-c', LAUNCHER, 'sh', program, ...args]

interface BoundOptions {
  readonly cwd: string
  /** The whole environment; ours where it is left out. */
  readonly env?: NodeJS.ProcessEnv
}

/** Starts a program as the leader of its own group, which ends with us even when we are killed. */
export function spawnBound(
  program: string,
  args: readonly string[],
  options: BoundOptions,
): ChildProcessByStdio<Writable, Readable, Readable> {
  const stdio: ['pipe', 'pipe', 'pipe'] = ['pipe', 'pipe', 'pipe']
  return spawn('/bin/sh', bound(program, args), { ...options, detached: true, stdio })
}

// The same over a pipe of its own, for a program that is spoken to over its standard input.
const TALKING_LAUNCHER = `( ( exec 0</dev/null 1>/dev/null 2>&1; read -r _ <&3; kill -KILL 0 ) & )
exec 3<&-
exec "$@"`

/** The same for a program that is spoken to. */
export function spawnTalking(
  program: string,
  args: readonly string[],
  options: BoundOptions,
): ChildProcessByStdio<Writable, Readable, Readable> {
  const stdio: ['pipe', 'pipe', 'pipe', 'pipe'] = ['pipe', 'pipe', 'pipe', 'pipe']
  const child = spawn('/bin/sh', ['-c', TALKING_LAUNCHER, 'sh', program, ...args], {
    ...options,
    detached: true,
    stdio,
  })
  // The watcher outlives the program and holds its end of the pipe, without which nothing counts as closed.
  const [, , , watched] = child.stdio
  child.once('exit', () => watched?.destroy())
  return child as ChildProcessByStdio<Writable, Readable, Readable>
}

/** The same for a program of Node that says nothing but messages; `argv` begins with Node, or with what starts it. */
export function forkBound([program = '', ...args]: readonly string[], options: BoundOptions): ChildProcess {
  return spawn('/bin/sh', bound(program, args), {
    ...options,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore', 'ipc'],
    serialization: 'json',
  })
}
