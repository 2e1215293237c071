// Runs programs for an engine: confined where that is asked for, bounded, and ended with all they started.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import type { Verified } from '@treadle/contracts/paor'
import { spawnBound } from '@treadle/process/spawn'
import { continueTree, haltTree, killTree } from '@treadle/process/tree'
import type { Confined } from '@treadle/sandbox/confine'
import type { Confine } from '@treadle/sandbox/wanted'
import { confineEngine, type EngineSandbox } from './confined.ts'
import { Watchdog } from './watchdog.ts'

/** Every process of a call carries it, so that none of them gets away, wherever it goes. */
const CALL_MARK = 'TREADLE_CALL'
const OUTPUT_CHARS_MAX = 24_000
const GRACE_MS = 500
const VERIFY_MS = 600_000

export interface ShellOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly sandbox: EngineSandbox
  readonly isReadOnly: boolean
  readonly network?: Confine['network']
}

export interface ShellCall {
  readonly argv: readonly string[]
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface ShellEnd {
  /** The exit code; null: it was ended, by us or by a signal, or could not be started. */
  readonly exitCode: number | null
  readonly output: string
  readonly isTimedOut: boolean
  readonly durationMs: number
}

export type ShellOpened =
  | { readonly is: 'ready'; readonly shell: Shell; readonly warning: string | null }
  | { readonly is: 'refused'; readonly why: string }

/** Opens a shell whose sandbox is made ready once for a session, not once for a command; `close` ends it. */
export async function openShell(options: ShellOptions): Promise<ShellOpened> {
  const cwd = realpathSync(options.cwd)
  const confined = await confineEngine({ ...options, argv: [], cwd })
  if (confined.is === 'refused') return confined
  return { is: 'ready', shell: new Shell(cwd, confined), warning: confined.warning }
}

/** Runs a command of the owner's, which runs what the engine wrote; what it says decides about a goal. */
export async function runVerify(
  command: string,
  options: Pick<ShellOptions, 'cwd' | 'env' | 'sandbox'> & Pick<ShellCall, 'signal'>,
  given?: Shell,
): Promise<Verified & { readonly durationMs: number }> {
  const argv = ['/bin/sh', '-c', command]
  const { signal } = options
  if (given !== undefined) return verified(command, await given.run({ argv, timeoutMs: VERIFY_MS, signal }))
  const opened = await openShell({ ...options, isReadOnly: false, network: 'own' })
  if (opened.is === 'refused') return { command, exitCode: null, output: opened.why, durationMs: 0 }
  try {
    return verified(command, await opened.shell.run({ argv, timeoutMs: VERIFY_MS, signal }))
  } finally {
    opened.shell.close()
  }
}

const verified = (command: string, { exitCode, output, durationMs }: ShellEnd) => ({
  command,
  exitCode,
  output,
  durationMs,
})

interface Running {
  readonly pid: number
  readonly mark: string
  readonly watch: Watchdog
}

type ShellConfined = Pick<Confined, 'before' | 'env' | 'refresh' | 'close'>

export class Shell {
  readonly #cwd: string
  readonly #confined: ShellConfined
  readonly #running = new Set<Running>()

  constructor(cwd: string, confined: ShellConfined) {
    this.#cwd = cwd
    this.#confined = confined
  }

  /** Before another turn: git inside sees what was committed since. */
  refresh(): Promise<void> {
    return this.#confined.refresh()
  }

  /** After the last command. */
  close(): void {
    this.#confined.close()
  }

  /** Halts all that runs where it stands; its time stands still with it. */
  async halt(): Promise<void> {
    for (const { pid, mark, watch } of this.#running) {
      watch.pause()
      await haltTree(pid, mark)
    }
  }

  goOn(): void {
    for (const { pid, mark, watch } of this.#running) {
      continueTree(pid, mark)
      watch.reset()
    }
  }

  /** Ends when the program has ended and nothing of it is left. */
  async run({ argv, timeoutMs, signal }: ShellCall): Promise<ShellEnd> {
    const started = performance.now()
    const mark = `${CALL_MARK}=${randomUUID()}`
    const { before } = this.#confined
    const [program = '', ...args] = [...before, ...argv]
    const env = { ...this.#confined.env, [CALL_MARK]: mark.slice(CALL_MARK.length + 1) }
    const child = spawnBound(program, args, { cwd: this.#cwd, env })
    const output = new Ends()
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => output.add(text))
    // The pipe is only there so that the command ends with us.
    child.stdin.on('error', () => undefined)
    child.on('error', (cause) => output.add(cause.message))
    const { pid } = child
    if (pid === undefined) {
      await once(child, 'error').catch(() => undefined)
      return { exitCode: null, output: output.toString(), isTimedOut: false, durationMs: 0 }
    }
    const late = new AbortController()
    const running = { pid, mark, watch: new Watchdog(timeoutMs, () => late.abort()) }
    this.#running.add(running)
    const exitCode = await exitOf(child, AbortSignal.any([signal, late.signal]))
    running.watch.pause()
    await killTree(pid, exitCode === null ? GRACE_MS : 0, mark)
    this.#running.delete(running)
    // Whatever was in the pipes is read by then: nobody holds their other end any more.
    await closed(child)
    const isTimedOut = late.signal.aborted && !signal.aborted && exitCode === null
    return { exitCode, output: output.toString(), isTimedOut, durationMs: performance.now() - started }
  }
}

/** The exit code of a child; null: a signal, of ours or another's. */
async function exitOf(child: ReturnType<typeof spawnBound>, until: AbortSignal): Promise<number | null> {
  try {
    const [code]: (number | null)[] = await once(child, 'exit', { signal: until })
    return code ?? null
  } catch {
    // The command was told to end, or could not be started, which its error says.
    return null
  }
}

/** Bounded: a pipe may have been handed to somebody who is not ours. */
async function closed(child: ReturnType<typeof spawnBound>): Promise<void> {
  if (child.stdout.closed && child.stderr.closed) return
  await once(child, 'close', { signal: AbortSignal.timeout(1_000) }).catch(() => undefined)
}

/** The beginning and the end of what may be long; the end says more. */
class Ends {
  #head = ''
  #tail = ''
  #left = 0

  add(text: string): void {
    const room = OUTPUT_CHARS_MAX / 3 - this.#head.length
    this.#head += text.slice(0, Math.max(room, 0))
    const rest = this.#tail + text.slice(Math.max(room, 0))
    this.#tail = rest.slice((-OUTPUT_CHARS_MAX / 3) * 2)
    this.#left += rest.length - this.#tail.length
  }

  toString(): string {
    if (this.#left === 0) return this.#head + this.#tail
    return `${this.#head}\n… ${this.#left} characters left out …\n${this.#tail}`
  }
}
