// Any engine under the loop of plan, act, observe and reflect: it acts, and the rest is ours.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Plan } from '@treadle/contracts/paor'
import type { Observation } from '@treadle/contracts/run'
import type {
  Engine,
  EngineAnswer,
  EngineEvent,
  EngineOpen,
  EngineQuestion,
  EngineSession,
  EngineTask,
  GoalTask,
  TurnEnd,
} from '@treadle/flow/ports/engine'
import type { EngineSandbox } from './confined.ts'
import { runPaor } from './goal/run-goal.ts'
import type { Acted, Judgement, PaorFacts, PlanDraft, Thinker, Thought } from './goal/thinker.ts'
import { runVerify } from './shell.ts'
import { plainPlan, TalkingThinker } from './talking.ts'

const OBSERVATIONS_MAX = 500
const OUTPUT_SHOWN = 4_000

/** An engine that plans by itself is left as it is. */
export function driven(engine: Engine, sandbox: EngineSandbox = { mode: 'auto' }): Engine {
  return {
    id: engine.id,
    takes: engine.takes,
    ...(engine.can === undefined ? {} : { can: engine.can }),
    ...(engine.isFree === undefined ? {} : { isFree: () => engine.isFree?.() === true }),
    plans: true,
    ...(engine.asks === undefined ? {} : { asks: engine.asks }),
    ...(engine.holdsLimits === undefined ? {} : { holdsLimits: engine.holdsLimits }),
    probe: () => engine.probe(),
    async open(options) {
      if (engine.plans === true) return engine.open(options)
      const drive = new Drive(options, sandbox)
      const inner = await engine.open({
        ...options,
        onEvent: (event) => drive.heard(event),
        onQuestion: (question) => drive.asked(question),
      })
      return drivenSession(drive, inner, engine.can !== undefined)
    },
  }
}

interface Driven {
  readonly inner: EngineSession
  /** It remembers what was said before, and can be asked for a plan and a verdict. */
  readonly talks: boolean
}

/** A session and all that it is driven with. */
class Drive {
  readonly options: EngineOpen
  readonly #sandbox: EngineSandbox
  readonly #words: string[] = []
  readonly #answers: string[] = []
  #observations: Observation[] = []
  #listed: readonly string[] = []
  #goal: AbortController | null = null
  #isConcluded = false

  constructor(options: EngineOpen, sandbox: EngineSandbox) {
    this.options = options
    this.#sandbox = sandbox
  }

  get isUnderWay(): boolean {
    return this.#goal !== null
  }

  heard(event: EngineEvent): void {
    if (event.is === 'observed' && this.#observations.length < OBSERVATIONS_MAX)
      this.#observations.push(event.observation)
    if (event.is === 'listed') this.#listed = event.entries.map(({ text }) => text)
    this.options.onEvent(event)
  }

  takeObservations(): Observation[] {
    const observations = this.#observations
    this.#observations = []
    return observations
  }

  /** The list of things to do that the engine has told since the last time. */
  takeListed(): readonly string[] {
    const listed = this.#listed
    this.#listed = []
    return listed
  }

  /** An answer of people belongs into the next plan, a no with its words too. */
  async asked(question: EngineQuestion): Promise<EngineAnswer> {
    const answer = await this.options.onQuestion(question)
    const { kind, title } = question
    const isSaid =
      answer.text !== '' && answer.isSystem !== true && (kind !== 'permission' || answer.allow === false)
    if (isSaid) {
      const word = kind === 'choice' || kind === 'form' ? `${title} ${answer.text}` : answer.text
      this.#words.push(word)
      this.#answers.push(word)
    }
    return answer
  }

  /** Whether there is still a plan to come that can contain it. */
  keep(text: string): boolean {
    if (this.#goal === null || this.#isConcluded) return false
    this.#words.push(text)
    return true
  }

  async reach({ inner, talks }: Driven, task: EngineTask, goal: GoalTask): Promise<TurnEnd> {
    const { cwd, env, onEvent, onQuestion } = this.options
    this.#goal = new AbortController()
    const { signal } = this.#goal
    this.#words.length = 0
    this.#answers.length = 0
    this.#isConcluded = false
    const world = {
      signal,
      onEvent,
      onQuestion,
      hear: async () => this.options.hear?.(),
      guidance: () => this.#words,
      answers: () => this.#answers,
      concluded: () => {
        this.#isConcluded = true
      },
      isPlace: (name: string) => existsSync(join(cwd, name)),
      verify: (command: string) => runVerify(command, { cwd, env, signal, sandbox: this.#sandbox }),
    }
    try {
      const thinker = talks ? new TalkingThinker(this, inner, task) : new DrivenThinker(this, inner, task)
      const end = await runPaor(world, { text: task.text, task: goal }, thinker)
      const { confidence } = thinker
      // The engine's own confidence decides whether a person has to look at its change.
      return confidence === undefined ? end : { ...end, confidence }
    } finally {
      this.#goal = null
    }
  }

  end(): void {
    this.#goal?.abort()
  }
}

function drivenSession(drive: Drive, inner: EngineSession, talks: boolean): EngineSession {
  return {
    prompt: (task) =>
      task.goal === undefined ? inner.prompt(task) : drive.reach({ inner, talks }, task, task.goal),
    /** The next plan contains it, whether or not the engine can hear it now. */
    async steer(text) {
      const isGoal = drive.isUnderWay
      const kept = drive.keep(text)
      if (isGoal && !kept) return false
      const taken = (await inner.steer?.(text)) ?? false
      return taken || kept
    },
    ...(inner.pause === undefined ? {} : { pause: async () => inner.pause?.() }),
    ...(inner.resume === undefined ? {} : { resume: async () => inner.resume?.() }),
    ...(inner.freeze === undefined ? {} : { freeze: async () => inner.freeze?.() }),
    ...(inner.thaw === undefined ? {} : { thaw: async () => inner.thaw?.() }),
    async interrupt() {
      drive.end()
      await inner.interrupt()
    },
    async stop(graceMs) {
      drive.end()
      await inner.stop(graceMs)
    },
  }
}

class DrivenThinker implements Thinker {
  readonly #drive: Drive
  readonly #inner: EngineSession
  readonly #task: EngineTask
  #end: TurnEnd | null = null

  constructor(drive: Drive, inner: EngineSession, task: EngineTask) {
    this.#drive = drive
    this.#inner = inner
    this.#task = task
  }

  get confidence(): TurnEnd['confidence'] {
    return this.#end?.confidence
  }

  /** A plan of what remains, one part each; at first, and where nobody knows what remains, the goal itself. */
  async plan(facts: PaorFacts): Promise<Thought<PlanDraft>> {
    return had(plainPlan(this.#task, facts))
  }

  async act(plan: Plan, facts: PaorFacts): Promise<Thought<Acted>> {
    this.#drive.takeObservations()
    const { goal: _, ...task } = this.#task
    const end = await this.#inner.prompt({
      ...task,
      text: textFor(task.text, plan, facts),
      attempt: task.attempt + plan.iteration - 1,
      testCommand: facts.verifyCommand ?? task.testCommand,
    })
    this.#end = end
    if (end.outcome !== 'done' && end.outcome !== 'max_turns') return { is: 'ended', end }
    return had({ said: end.text, observations: this.#drive.takeObservations() })
  }

  /** A command that was run decides; where nothing can be run, the engine's own word is all there is. */
  async reflect({ verified }: PaorFacts): Promise<Thought<Judgement>> {
    const question = null
    if (verified === null) {
      const isDone = this.#end?.outcome === 'done'
      const why = isDone
        ? 'The engine says that it is done, and there is nothing to be run to find out.'
        : 'The engine has used up its turns.'
      return had({ verdict: isDone ? 'achieved' : 'not_yet', why, remaining: [], question })
    }
    const { command, exitCode, output } = verified
    if (exitCode === 0)
      return had({ verdict: 'achieved', why: `${command} ended with exit code 0.`, remaining: [], question })
    const why = `${command} ended with exit code ${exitCode ?? 'none'}.`
    const line = output.trim().split('\n').at(-1) ?? ''
    return had({
      verdict: 'not_yet',
      why,
      remaining: [`Make it pass: ${command} ${line}`.slice(0, 1_000)],
      question,
    })
  }
}

const had = <T>(value: T): Thought<T> => ({ is: 'had', value })

/** The request as it was, with what was said and found since. */
function textFor(
  text: string,
  { guidance, scope, iteration }: Plan,
  { reflections, verified }: PaorFacts,
): string {
  const last = reflections.at(-1)
  return [
    text,
    guidance.length === 0 ? '' : `# What people have said\n${lines(guidance)}`,
    scope.length === 0 ? '' : `# Keep to\n${lines(scope)}`,
    last === undefined || iteration === 1 ? '' : `# Still to do\n${lines([last.why, ...last.remaining])}`,
    verified === null ? '' : `# What ${verified.command} says\n${verified.output.slice(-OUTPUT_SHOWN)}`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

const lines = (all: readonly string[]) => all.map((line) => `- ${line}`).join('\n')
