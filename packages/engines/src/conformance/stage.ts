// What a case is played on: a worktree, a home, a model on the loopback, and an engine between them.
import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ENGINE_MARK } from '@treadle/contracts/child-env'
import type {
  Engine,
  EngineAnswer,
  EngineEvent,
  EngineOpen,
  EngineQuestion,
  TurnEnd,
} from '@treadle/flow/ports/engine'
import { isAlive } from '@treadle/process/testing/alive'
import { descendants } from '@treadle/process/tree'
import { playScenario } from '../testing/model-server/scenarios.ts'
import { type ModelServer, startModelServer } from '../testing/model-server/server.ts'

export interface StageFolders {
  /** Holds the rest, and is gone after the case. */
  readonly folder: string
  readonly cwd: string
  readonly home: string
  /** The address of the model. */
  readonly url: string
}

export interface Candidate {
  readonly name: string
  readonly version: string
  /** What it starts with besides a path and a home. */
  readonly env?: Readonly<Record<string, string>>
  /** Cases that it cannot pass for a reason of its own, which goes into the table. */
  readonly cannot?: Readonly<Record<string, string>>
  make(place: StageFolders): Engine
}

const STALL_MS = 20_000
/** Some programs take their time to start. */
const START_MS = 50_000
const GONE_MS = 10_000
const POLL_MS = 50
const files = {
  'sum.mjs': 'export const sum = (a, b) => a - b\n',
  'test.mjs': `import { sum } from './sum.mjs'
if (sum(2, 3) !== 5) process.exit(3)
process.stdout.write('PASS\\n')
`,
  'wait.mjs': `import { writeFileSync } from 'node:fs'
writeFileSync('pid', String(process.pid))
setTimeout(() => process.stdout.write('waited\\n'), Number(process.argv[2] ?? 600_000))
`,
}

export class Stage {
  readonly engine: Engine
  readonly place: StageFolders
  readonly server: ModelServer
  readonly mark = randomUUID()
  readonly #env: Readonly<Record<string, string>>
  readonly #opened: Opened[] = []

  /** The engine tells of all that it uses; what it leaves out is known to the proxy alone. */
  readonly countsAll: boolean

  private constructor(candidate: Candidate, place: StageFolders, server: ModelServer) {
    this.place = place
    this.server = server
    this.engine = candidate.make(place)
    this.countsAll = candidate.cannot?.usage === undefined
    this.#env = { PATH: pathHere(), HOME: place.home, ...candidate.env, [ENGINE_MARK]: this.mark }
  }

  static async set(candidate: Candidate): Promise<Stage> {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'conformance-')))
    const server = await startModelServer({ answer: playScenario })
    const place = { folder, cwd: join(folder, 'work'), home: join(folder, 'home'), url: server.url }
    for (const path of [place.home, join(place.cwd, 'build')]) mkdirSync(path, { recursive: true })
    for (const [name, text] of Object.entries(files)) writeFileSync(join(place.cwd, name), text)
    return new Stage(candidate, place, server)
  }

  async open(given: Partial<EngineOpen> = {}): Promise<Opened> {
    const events: EngineEvent[] = []
    const questions: EngineQuestion[] = []
    const { onQuestion = async () => ({ text: 'allow' }), ...more } = given
    const session = await this.engine.open({
      cwd: this.place.cwd,
      home: this.place.home,
      env: this.#env,
      stallMs: STALL_MS,
      ...more,
      onEvent: (event) => void events.push(event),
      onQuestion: (question) => {
        questions.push(question)
        return onQuestion(question)
      },
    })
    const opened = new Opened(session, events, questions)
    this.#opened.push(opened)
    return opened
  }

  has(file: string): boolean {
    return existsSync(join(this.place.cwd, file))
  }

  text(file: string): string {
    return readFileSync(join(this.place.cwd, file), 'utf8')
  }

  /** Resolves when the command of the scenario runs, which does not end by itself. */
  async running(): Promise<void> {
    for (let waited = 0; waited < START_MS; waited += POLL_MS) {
      if (this.has('pid') && this.text('pid') !== '') return
      await sleep(POLL_MS)
    }
    throw new Error('the command was not started')
  }

  /** What this stage's engine has started and still runs, wherever in the tree it is; or only the command. */
  processes(which: 'all' | 'command'): number[] {
    const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    const marked = numbers.filter((pid) => readQuietly(pid, 'environ').includes(this.mark))
    // Inside a sandbox the mark is taken away; what confines the rest of them has it.
    const ours = new Set([...marked, ...marked.flatMap((pid) => descendants(Number(pid)).map(String))])
    const wanted = [...ours].filter(
      (pid) => which === 'all' || readQuietly(pid, 'cmdline').includes('wait.mjs'),
    )
    return wanted.map(Number).filter(isAlive)
  }

  /** What is left of them after a moment. */
  async leftovers(which: 'all' | 'command'): Promise<number[]> {
    for (let waited = 0; waited < GONE_MS && this.processes(which).length > 0; waited += POLL_MS)
      await sleep(POLL_MS)
    return this.processes(which)
  }

  async close(): Promise<void> {
    for (const { session } of this.#opened) await session.stop(2_000)
    await this.server.close()
    rmSync(this.place.folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

export class Opened {
  readonly session: Awaited<ReturnType<Engine['open']>>
  readonly events: readonly EngineEvent[]
  readonly questions: readonly EngineQuestion[]

  constructor(
    session: Opened['session'],
    events: readonly EngineEvent[],
    questions: readonly EngineQuestion[],
  ) {
    this.session = session
    this.events = events
    this.questions = questions
  }

  /** One turn; the tag says what the model, or the script, does in it. */
  say(tag: string): Promise<TurnEnd> {
    const item = { projectNumber: 1, number: 1, title: tag, body: '', acceptance: [] }
    const text = `Do what is asked. [[s:${tag}]]`
    return this.session.prompt({ text, item, attempt: 1, testCommand: null, failures: [], evidence: [] })
  }

  of<K extends EngineEvent['is']>(kind: K): Extract<EngineEvent, { is: K }>[] {
    return this.events.filter((event): event is Extract<EngineEvent, { is: K }> => event.is === kind)
  }
}

export const refusing = (text: string) => async (): Promise<EngineAnswer> => ({ text, allow: false })

function readQuietly(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // It ended while we looked, or belongs to someone else.
    return ''
  }
}

/** Node itself first: programs of the user are started with it. */
function pathHere(): string {
  return `${join(process.execPath, '..')}:/usr/local/bin:/usr/bin:/bin`
}
