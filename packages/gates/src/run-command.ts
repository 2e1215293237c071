// Runs one shell command to its end: whole tree, bounded time, output kept as evidence.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { Fault, messageOf } from '@treadle/flow/fault'
import { endTree, type Tree } from '@treadle/process/tree'
import { openSink, type Sink } from './evidence.ts'

export interface CommandRun {
  readonly command: string
  readonly cwd: string
  /** The whole environment of the command. */
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly evidenceDir: string
  readonly tailBytes: number
  /** Values that must not appear in the evidence. */
  readonly secrets?: readonly string[]
  readonly outputBytesMax?: number
  /** Between SIGTERM and SIGKILL. */
  readonly graceMs?: number
  readonly signal?: AbortSignal | undefined
  /** Told what is printed, as it comes. */
  readonly onOutput?: ((text: string) => void) | undefined
  /** What a foreign command is started in. */
  readonly surroundings: Surroundings
  /** Whether it may use the network; what tests and checks run does not. */
  readonly network?: boolean
  /** Whether it installs what the project needs: it gets what the owner shows of logins. */
  readonly isSetup?: boolean
  /** False: packages of the owner's checkout are not lent, because it brings its own. */
  readonly lends?: boolean
  /** Folders besides the tree that it writes to, under their own path. */
  readonly writable?: readonly string[]
}

/** A command before it is confined. */
export interface Entering {
  readonly command: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly network: boolean
  readonly isSetup: boolean
  readonly lends: boolean
  readonly writable: readonly string[]
  /** Variables by which its processes are found from outside, and which it need not see. */
  readonly marks: readonly string[]
}

/** A command as it is started. */
export interface Entered {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** The path by which the command knows `cwd`. */
  readonly shownAt: string
  /** Whether logins of the owner are out of its sight. */
  readonly isConfined: boolean
  close(): void
}

/** What the commands of a project are started in: a sandbox, or a tree whose links were turned. */
export interface Surroundings {
  /** The path by which commands in a folder know it. */
  shownAt(cwd: string): Promise<string>
  /** Fails with the reason if the command must not be started. */
  enter(entering: Entering): Promise<Entered>
}

/**
 * Nothing but what this process has itself. `because` says why that is right: a sandbox stands around it already, or
 * the command is our own.
 */
export function unconfined(because: string): Surroundings {
  assert(because !== '', 'who starts foreign commands unconfined says why')
  return {
    shownAt: (cwd) => Promise.resolve(cwd),
    enter: ({ command, cwd, env }) =>
      Promise.resolve({
        argv: ['/bin/sh', '-c', command],
        env,
        shownAt: cwd,
        isConfined: false,
        close: () => undefined,
      }),
  }
}

export interface CommandResult {
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  readonly aborted: boolean
  readonly durationMs: number
  readonly output: string
  /** How much of the output was kept. */
  readonly outputBytes: number
  /** How much was printed in all, if not all of it was kept. */
  readonly printedBytes?: number
  readonly tail: string
  /** The path by which the command knew the folder that it ran in. */
  readonly shownAt: string
  readonly isConfined: boolean
}

const graceMsDefault = 5_000
// What a command leaves running after its own end gets less time to say goodbye.
const leftOverGraceMs = 500
const drainMs = 2_000

export const markerName = 'TREADLE_COMMAND'

// Beside the command somebody waits on a pipe that closes when we die, however we die, and then ends the whole group,
// and before it whoever left the group but carries the marker, where processes can be looked at. It is forked twice so
// that the command does not find a child that it did not start.
const launcher = `exec 3<&0 </dev/null
( ( read -r _ <&3
  own=$(exec sh -c 'echo $PPID')
  for round in 1 2 3; do
    for each in /proc/[0-9]*; do
      [ "$each" = "/proc/$own" ] || ! grep -qz "^${markerName}=$${markerName}$" "$each/environ" || kill -KILL "\${each#/proc/}"
    done
  done
  kill -KILL 0 ) >/dev/null 2>&1 & )
exec 3<&-
exec "$@"`

export async function runCommand(run: CommandRun): Promise<CommandResult> {
  if (!existsSync(run.cwd)) throw new Fault('command', `the folder ${run.cwd} does not exist`)
  const marker = randomUUID()
  const entered = await enterOf(run)
  try {
    return await runEntered(run, entered, marker)
  } finally {
    entered.close()
  }
}

async function enterOf(run: CommandRun): Promise<Entered> {
  const { surroundings, command, cwd, env, writable = [] } = run
  try {
    const { network = false, isSetup = false, lends = true } = run
    const how = { network, isSetup, lends, writable, marks: [markerName] }
    return await surroundings.enter({ command, cwd, env, ...how })
  } catch (error) {
    throw new Fault('sandbox', messageOf(error), { cause: error })
  }
}

async function runEntered(run: CommandRun, entered: Entered, marker: string): Promise<CommandResult> {
  const sink = openSink({
    dir: run.evidenceDir,
    tailBytes: run.tailBytes,
    secrets: run.secrets ?? [],
    ...(run.outputBytesMax === undefined ? {} : { bytesMax: run.outputBytesMax }),
  })
  const startedAt = performance.now()
  const child = spawn('/bin/sh', ['-c', launcher, 'sh', ...entered.argv], {
    cwd: run.cwd,
    env: { ...entered.env, [markerName]: marker },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const tree = { pid: child.pid ?? 0, mark: `${markerName}=${marker}` }
  try {
    const ended = await follow(child, tree, run, sink)
    const durationMs = performance.now() - startedAt
    const stored = sink.finish()
    const { shownAt, isConfined } = entered
    const { sha256: output, bytes: outputBytes, ...more } = stored
    return { ...ended, ...more, durationMs, output, outputBytes, shownAt, isConfined }
  } catch (error) {
    await endTree(tree, 0)
    sink.discard()
    throw error
  }
}

type Ended = Pick<CommandResult, 'exitCode' | 'signal' | 'timedOut' | 'aborted'>

async function follow(child: ChildProcess, tree: Tree, run: CommandRun, sink: Sink): Promise<Ended> {
  const { promise: broken, reject: breakOff } = Promise.withResolvers<never>()
  // The races below see it; between them it must not count as unhandled.
  broken.catch(() => undefined)
  const exited = new Promise<{ exitCode: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  child.once('error', (error) => {
    breakOff(new Fault('command', `the command could not be started: ${error.message}`, { cause: error }))
  })
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.on('data', (chunk: Buffer) => {
      try {
        sink.write(stream, chunk)
        run.onOutput?.(chunk.toString('utf8'))
      } catch (error) {
        child[stream]?.destroy()
        breakOff(error)
      }
    })
  }
  child.stdin?.on('error', () => child.stdin?.destroy())

  const stopped = stopWhenAsked(run)
  try {
    const first = await Promise.race([exited, stopped.promise, broken])
    await endTree(tree, typeof first === 'string' ? (run.graceMs ?? graceMsDefault) : leftOverGraceMs)
    const { exitCode, signal } = await Promise.race([exited, broken])
    await Promise.race([closed, after(drainMs), broken])
    return { exitCode, signal, timedOut: first === 'timedOut', aborted: first === 'aborted' }
  } finally {
    stopped.forget()
    // Somebody out of our reach may still hold the pipes.
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.destroy()
  }
}

function stopWhenAsked(run: CommandRun): { promise: Promise<'timedOut' | 'aborted'>; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<'timedOut' | 'aborted'>()
  // Counted in ticks: time in which this process was halted is not the command's.
  const tickMs = Math.min(Math.max(run.timeoutMs / 10, 1), 1_000)
  let ticksLeft = Math.ceil(run.timeoutMs / tickMs)
  const timer = setInterval(() => {
    ticksLeft -= 1
    if (ticksLeft <= 0) resolve('timedOut')
  }, tickMs)
  const abort = (): void => resolve('aborted')
  run.signal?.addEventListener('abort', abort, { once: true })
  if (run.signal?.aborted) abort()
  return {
    promise,
    forget: () => {
      clearInterval(timer)
      run.signal?.removeEventListener('abort', abort)
    },
  }
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
