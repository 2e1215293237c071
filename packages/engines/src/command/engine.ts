// The command engine: any program that can be started from a shell writes the code. It is told what to do by a
// command and a file, and says how it ended in a response file, or by its exit code.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ENGINE_MARK } from '@treadle/contracts/child-env'
import { messageOf } from '@treadle/flow/fault'
import type { Engine, EngineOpen, EngineSession, EngineTask, TurnEnd } from '@treadle/flow/ports/engine'
import { spawnBound } from '@treadle/process/spawn'
import { killTree, markIn } from '@treadle/process/tree'
import type { Confined } from '@treadle/sandbox/confine'
import { removeForeign } from '@treadle/sandbox/foreign-files'
import { sandboxNote } from '@treadle/sandbox/note'
import { confineEngine, type EngineSandbox } from '../confined.ts'
import { Watchdog } from '../watchdog.ts'
import { AnswerFolder } from './answers.ts'
import { readResponse } from './response.ts'

const HINT = 'set engines.command.run in treadle.json, for example "my-agent < \\"$TREADLE_PROMPT_FILE\\""'
const LOOK_MS = 200
/** After its word the session has this long to end by itself. */
const GRACE_MS = 2_000
const OUTPUT_CHARS_MAX = 8_000

export interface CommandSettings {
  /** A line for /bin/sh. */
  readonly run: string | null
  readonly responseFile: string
  /** Around the command. */
  readonly sandbox: EngineSandbox
}

export function openCommand(settings: CommandSettings): Engine {
  const { run } = settings
  return {
    id: 'command',
    takes: 'groups',
    async probe() {
      if (run === null) return { is: 'unusable', why: 'The command engine has no command.', hint: HINT }
      const sandbox = await sandboxNote(settings.sandbox.mode)
      if (sandbox.is === 'unusable') return sandbox
      return { is: 'usable', note: `runs ${run}, ${sandbox.note}` }
    },
    async open(options) {
      return new CommandSession(options, settings)
    },
  }
}

class CommandSession implements EngineSession {
  readonly #options: EngineOpen
  readonly #settings: CommandSettings
  #turn: CommandTurn | null = null
  #stopped = false
  #isBusy = false
  /** While it was still being found out how it is confined. */
  #isCalledOff = false
  #isWarned = false

  constructor(options: EngineOpen, settings: CommandSettings) {
    this.#options = options
    this.#settings = settings
  }

  /** Takes away an earlier turn's answer, which must not be taken for one to this. Null: all is well. */
  #makeWay(): string | null {
    const { responseFile } = this.#settings
    try {
      mkdirSync(dirname(responseFile), { recursive: true, mode: 0o700 })
      rmSync(responseFile, { force: true })
      return null
    } catch (error) {
      return messageOf(error)
    }
  }

  async prompt(task: EngineTask): Promise<TurnEnd> {
    assert(!this.#isBusy, 'a session has one turn at a time')
    if (this.#stopped) return { outcome: 'interrupted', text: 'The session was stopped.' }
    if (this.#settings.run === null) return { outcome: 'invalid', text: `No command: ${HINT}` }
    const blocked = this.#makeWay()
    if (blocked !== null) return { outcome: 'crashed', text: `Nothing was started: ${blocked}` }
    const folder = mkdtempSync(join(tmpdir(), 'treadle-command-'))
    const promptFile = join(folder, 'prompt.md')
    const command = task.item === null ? '' : `/project-start ${task.item.number}`
    const { system = '' } = this.#options
    const told = [command, task.text, system].filter((part) => part !== '').join('\n\n')
    writeFileSync(promptFile, told, { mode: 0o600 })
    const env = {
      ...this.#options.env,
      TREADLE_COMMAND: command,
      TREADLE_PROMPT_FILE: promptFile,
      TREADLE_RESPONSE_FILE: this.#settings.responseFile,
      TREADLE_ATTEMPT: String(task.attempt),
    }
    this.#isBusy = true
    this.#isCalledOff = false
    try {
      return await this.#run({ run: this.#settings.run, folder, env, command })
    } finally {
      this.#turn = null
      this.#isBusy = false
      removeForeign(folder)
    }
  }

  async #run({ run, folder, env, command }: TurnPlan): Promise<TurnEnd> {
    const { responseFile, sandbox } = this.#settings
    const { cwd, readOnly: isReadOnly = false, onEvent } = this.#options
    const answers = new AnswerFolder(responseFile, folder)
    const argv = ['/bin/sh', '-c', run]
    const binds = () => [{ from: folder, at: folder, isWritable: false }, ...answers.open()]
    const confined = await confineEngine({ sandbox, argv, cwd, env, isReadOnly, binds })
    if (confined.is === 'refused') return { outcome: 'invalid', text: confined.why }
    if (confined.warning !== null && !this.#isWarned) onEvent({ is: 'noted', text: confined.warning })
    this.#isWarned = true
    try {
      if (this.#isCalledOff) return { outcome: 'interrupted', text: 'The session was stopped.' }
      this.#turn = new CommandTurn(this.#options, {
        run,
        command,
        answers,
        confined: answering(confined, answers),
      })
      return await this.#turn.ended
    } finally {
      confined.close()
      answers.close()
    }
  }

  async interrupt(): Promise<void> {
    this.#isCalledOff = true
    await this.#turn?.stop(GRACE_MS)
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopped = true
    this.#isCalledOff = true
    await this.#turn?.stop(graceMs)
  }
}

interface TurnPlan {
  readonly run: string
  readonly command: string
  /** With the prompt in it. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

interface CommandPlan extends Pick<TurnPlan, 'run' | 'command'> {
  readonly answers: AnswerFolder
  readonly confined: Pick<Confined, 'argv' | 'env'>
}

/** Another user cannot write where the crew's answers are kept, and is told of the folder that it was given. */
function answering({ argv, env, user }: Confined, { file }: AnswerFolder): Pick<Confined, 'argv' | 'env'> {
  return user === null ? { argv, env } : { argv, env: { ...env, TREADLE_RESPONSE_FILE: file } }
}

class CommandTurn {
  /** Resolves when the turn is over and no process of it is left. */
  readonly ended: Promise<TurnEnd>
  readonly #options: EngineOpen
  readonly #plan: CommandPlan
  readonly #end = Promise.withResolvers<TurnEnd>()
  readonly #child: ReturnType<typeof spawnBound>
  readonly #watch: Watchdog
  readonly #look: NodeJS.Timeout
  readonly #startedAt = Date.now()
  #output = ''
  #over = false

  constructor(options: EngineOpen, plan: CommandPlan) {
    this.#options = options
    this.#plan = plan
    this.ended = this.#end.promise
    const [program = '', ...args] = plan.confined.argv
    this.#child = spawnBound(program, args, { cwd: options.cwd, env: { ...plan.confined.env } })
    this.#watch = new Watchdog(options.stallMs, () =>
      this.#finish({ outcome: 'stalled', text: `The command was silent for ${options.stallMs} ms.` }),
    )
    this.#look = setInterval(() => this.#readSignal(), LOOK_MS)
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#watch.reset()
        this.#output = (this.#output + text).slice(-OUTPUT_CHARS_MAX)
      })
    }
    // The pipe is only there so that the command ends with us.
    this.#child.stdin.on('error', () => this.#watch.reset())
    this.#child.on('error', (cause) => this.#finish({ outcome: 'crashed', text: cause.message }))
    this.#child.on('close', (code, signal) => this.#closed(code, signal))
  }

  async stop(graceMs: number): Promise<void> {
    this.#finish({ outcome: 'interrupted', text: 'The session was stopped.' }, graceMs)
    await this.ended
  }

  #readSignal(): void {
    const { signal, text } = this.#response()
    if (signal === null) return
    this.#finish(
      signal.is === 'done'
        ? { outcome: 'done', text }
        : { outcome: 'refused', text: signal.why === '' ? text : signal.why },
      GRACE_MS,
    )
  }

  #closed(code: number | null, signal: NodeJS.Signals | null): void {
    this.#readSignal()
    if (code === 0) this.#finish({ outcome: 'done', text: this.#response().text || this.#output.trim() })
    const how = signal === null ? `with exit code ${code}` : `by ${signal}`
    this.#finish({ outcome: 'crashed', text: `The command ended ${how}. ${this.#output.trim()}`.trim() })
  }

  #response() {
    return readResponse(this.#plan.answers.read())
  }

  #finish(end: TurnEnd, graceMs = GRACE_MS): void {
    if (this.#over) return
    this.#over = true
    this.#watch.pause()
    clearInterval(this.#look)
    for (const usage of this.#response().used) this.#options.onEvent({ is: 'used', usage })
    this.#options.onEvent({
      is: 'observed',
      observation: {
        tool: 'command',
        input: `${this.#plan.command} ${this.#plan.run}`.trim().slice(0, 8_000),
        output: this.#output,
        durationMs: Date.now() - this.#startedAt,
        success: end.outcome === 'done',
      },
    })
    const { pid } = this.#child
    const gone =
      pid === undefined ? Promise.resolve([]) : killTree(pid, graceMs, markIn(this.#options.env, ENGINE_MARK))
    gone.then(
      () => this.#end.resolve(end),
      (cause: unknown) => this.#end.reject(cause),
    )
  }
}
