// One turn of the scripted engine: a player process in a group of its own, watched until it is gone.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { ENGINE_MARK } from '@treadle/contracts/child-env'
import type { EngineOpen, EngineQuestion, TurnEnd } from '@treadle/flow/ports/engine'
import { killTree, markIn } from '@treadle/process/tree'
import type { Confined, Confining } from '@treadle/sandbox/confine'
import { confineEngine, type EngineSandbox } from '../confined.ts'
import { LINE_BYTES_MAX, LineLimit } from '../line-limit.ts'
import { Watchdog } from '../watchdog.ts'
import { FromPlayer, type ToPlayer } from './protocol.ts'
import type { Step } from './scenario.ts'
import { TextWindow } from './window.ts'

const playerPath = fileURLToPath(new URL('./player.ts', import.meta.url))
/** The player and what it imports: packages of ours, and the links by which they are found. */
const PLAYER_FOLDERS = [
  '../..',
  '../../../process',
  '../../../contracts',
  '../../../../node_modules/@treadle',
].map((name) => fileURLToPath(new URL(name, import.meta.url)))
const LEFTOVER_GRACE_MS = 1_000

export interface Play {
  /** Begins the ids of the questions asked. */
  readonly id: string
  readonly steps: readonly Step[]
}

export function confinePlayer(
  { cwd, env, readOnly }: EngineOpen,
  sandbox: EngineSandbox,
): Promise<Confining> {
  const argv = [process.execPath, playerPath]
  const binds = () => PLAYER_FOLDERS.map((path) => ({ from: path, at: path, isWritable: false }))
  // Nothing can be started in a folder that is gone, confined or not; the start says so.
  const fit: EngineSandbox = existsSync(cwd) ? sandbox : { mode: 'off' }
  return confineEngine({ sandbox: fit, argv, cwd, env, binds, isReadOnly: readOnly ?? false })
}

export class ScriptedTurn {
  /** Resolves when the turn is over and no process of it is left. */
  readonly ended: Promise<TurnEnd>
  readonly #options: EngineOpen
  readonly #player: ChildProcessWithoutNullStreams
  readonly #mark: string | undefined
  readonly #end = Promise.withResolvers<TurnEnd>()
  readonly #errors = new TextWindow()
  readonly #watch: Watchdog
  #over = false

  constructor(options: EngineOpen, play: Play, { argv, env }: Pick<Confined, 'argv' | 'env'>) {
    this.#options = options
    this.ended = this.#end.promise
    // If the caller's environment names the session, even a process that left the tree is found by it.
    this.#mark = markIn(options.env, ENGINE_MARK)
    const [program = '', ...args] = argv
    this.#player = spawn(program, args, {
      cwd: options.cwd,
      env: { ...env },
      detached: true,
      stdio: 'pipe',
    })
    this.#watch = new Watchdog(options.stallMs, () =>
      this.#finish({ outcome: 'stalled', text: `The engine was silent for ${options.stallMs} ms.` }),
    )
    this.#listen()
    this.#tell({ is: 'play', ...play, ...(this.#mark === undefined ? {} : { mark: this.#mark }) })
  }

  interrupt(): void {
    if (!this.#over) this.#tell({ is: 'interrupt' })
  }

  /** False: the turn is over. */
  steer(text: string): boolean {
    if (!this.#over) this.#tell({ is: 'steer', text })
    return !this.#over
  }

  async stop(graceMs: number): Promise<void> {
    this.#finish({ outcome: 'interrupted', text: 'The session was stopped.' }, graceMs)
    await this.ended
  }

  #listen(): void {
    const player = this.#player
    const text = `The engine wrote a line of more than ${LINE_BYTES_MAX / 1024 ** 2} MB.`
    const limited = new LineLimit(LINE_BYTES_MAX, () => this.#finish({ outcome: 'crashed', text }))
    const input = player.stdout.pipe(limited)
    createInterface({ input }).on('line', (line) => this.#guard(() => this.#receive(line)))
    player.stderr.setEncoding('utf8').on('data', (text: string) => this.#errors.add(text))
    player.stdin.on('error', (cause) => this.#errors.add(`${cause.message}\n`))
    player.on('error', (cause) => this.#finish({ outcome: 'crashed', text: cause.message }))
    player.on('close', (code, signal) => {
      const how = signal === null ? `with exit code ${code}` : `by ${signal}`
      const text = `The engine process ended ${how} before its turn was over. ${this.#errors}`
      this.#finish({ outcome: 'crashed', text: text.trim() })
    })
  }

  #receive(line: string): void {
    if (this.#over) return
    const message = FromPlayer.parse(JSON.parse(line))
    this.#watch.reset()
    if (message.is === 'ended') {
      this.#finish(endOf(message))
      return
    }
    this.#options.onEvent(message)
    if (message.is === 'asked') this.#ask(message.question).catch((cause: unknown) => this.#giveUp(cause))
    if (message.is === 'used') this.#goOn().catch((cause: unknown) => this.#giveUp(cause))
  }

  /** Somebody who thinks about an answer is no stalled engine. */
  async #ask(question: EngineQuestion): Promise<void> {
    this.#watch.pause()
    const { text: answer } = await this.#options.onQuestion(question)
    if (this.#over) return
    this.#watch.reset()
    this.#tell({ is: 'answer', id: question.id, answer })
  }

  /** Nor is somebody who waits for money. */
  async #goOn(): Promise<void> {
    this.#watch.pause()
    await this.#options.beforeCall?.()
    if (this.#over) return
    this.#watch.reset()
    this.#tell({ is: 'go_on' })
  }

  #tell(message: ToPlayer): void {
    this.#player.stdin.write(`${JSON.stringify(message)}\n`)
  }

  #guard(act: () => void): void {
    try {
      act()
    } catch (cause) {
      this.#giveUp(cause)
    }
  }

  #finish(end: TurnEnd, graceMs = LEFTOVER_GRACE_MS): void {
    this.#close(graceMs, () => this.#end.resolve(end))
  }

  /** A callback of the caller threw: the turn cannot go on, and the caller gets it back from prompt(). */
  #giveUp(cause: unknown): void {
    this.#close(LEFTOVER_GRACE_MS, () => this.#end.reject(cause))
  }

  #close(graceMs: number, settle: () => void): void {
    if (this.#over) return
    this.#over = true
    this.#watch.pause()
    const pid = this.#player.pid
    // Also after a crash: the group outlives its leader, and with it what the steps have started.
    const gone = pid === undefined ? Promise.resolve([]) : killTree(pid, graceMs, this.#mark)
    gone.then(settle, (cause) => this.#end.reject(cause))
  }
}

function endOf({ outcome, text, wakeInMs }: Extract<FromPlayer, { is: 'ended' }>): TurnEnd {
  const wake = wakeInMs === undefined ? null : new Date(Date.now() + wakeInMs).toISOString()
  return { outcome, text, ...(wake === null ? {} : { wakeAt: wake }) }
}
