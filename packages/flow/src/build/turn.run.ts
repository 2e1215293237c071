// One turn of an engine in the agent's worktree; what the world broke is repeated and uses up no attempt.
import type { Guidance, Plan, Reflection } from '@treadle/contracts/paor'
import { Fault } from '../fault.ts'
import type { Spending } from '../ports/budget.ts'
import type {
  Engine,
  EngineEvent,
  EngineOpen,
  EngineSession,
  EngineTask,
  GoalTask,
  TurnEnd,
} from '../ports/engine.ts'
import type { GuidanceChannel } from '../ports/guidance.ts'
import type { WorkWorld } from '../work/work-world.ts'
import { answerTo, heard } from './answer.run.ts'
import { conversationOf } from './conversation.ts'
import { guidanceWords } from './guidance.ts'
import { ToolFault } from './tool-fault.ts'
import { decideTurn } from './turn.ts'
import { limitsOf, TurnBrake } from './turn-brake.ts'
import { modelAsked } from './turn-model.ts'
import { turnNotes } from './turn-notes.ts'
import { TurnSpeech } from './turn-speech.run.ts'

/** As much of the world as a turn needs; an agent that only reads has no more. */
export type TurnWorld = Pick<
  WorkWorld,
  | 'checkpoint'
  | 'clock'
  | 'config'
  | 'guidanceChannel'
  | 'conversations'
  | 'engineHome'
  | 'env'
  | 'note'
  | 'budget'
  | 'say'
  | 'signal'
  | 'worktree'
>

export interface Trial {
  readonly engine: Engine
  readonly task: EngineTask
  /** Nothing may be changed: for readers. */
  readonly readOnly?: true
  /** Who the model is to be, and the form of its answer: for thoughts. */
  readonly form?: Pick<EngineOpen, 'system' | 'schema'>
}

export async function runTurn(world: TurnWorld, trial: Trial): Promise<TurnEnd> {
  const { goal } = trial.task
  const progress = goal === undefined ? null : new GoalProgress(goal)
  const counts = { faults: 0, pauses: 0 }
  let asked = trial
  for (;;) {
    const turned = await turn(world, asked, progress)
    if (isLost(turned)) {
      world.conversations?.delete(trial.engine.id)
      await world.say({ type: 'run.resumed', from: `attempt ${trial.task.attempt}`, why: LOST })
      asked = { ...trial, task: withoutNews(trial.task) }
      continue
    }
    if (await isToRepeat(world, trial, { ...turned, counts })) {
      asked = turned.hasBegun ? { ...trial, task: { ...trial.task, news: GO_ON } } : asked
      continue
    }
    const { end } = turned
    if (end.goal !== undefined) await world.say({ type: 'run.concluded', end: end.goal })
    return end
  }
}

const LOST = 'its conversation could not be gone on with, so it is told everything again'
const GO_ON =
  'You were cut off in the middle of your work. The files are as you left them. Look at what is done, then go on to the end.'

/** A conversation that is gone, or that the program does not take up again: nothing came of the turn. */
function isLost({ end, resumed, hasBegun }: Turned): boolean {
  return resumed && !hasBegun && (end.outcome === 'crashed' || end.outcome === 'invalid')
}

function withoutNews({ news: _, ...task }: EngineTask): EngineTask {
  return task
}

function taskNow({ guidanceChannel }: TurnWorld, { task }: Trial, progress: GoalProgress | null): EngineTask {
  return progress === null ? task : { ...task, goal: progress.task(guidanceChannel) }
}

/** In a conversation that goes on only what is new is said. */
function spoken(task: EngineTask, resume: string | null): EngineTask {
  const { news, ...whole } = task
  return resume === null || news === undefined || task.goal !== undefined ? whole : { ...whole, text: news }
}

/** Waits as long as it must; false: what the turn came to is its end. */
async function isToRepeat(
  world: TurnWorld,
  { engine, task }: Trial,
  { end, outOfMoney, counts }: Turned & { counts: { faults: number; pauses: number } },
): Promise<boolean> {
  const faultsMax = world.config.limits.infrastructureRetries
  // Begun again as soon as a call is granted: the engine is not to blame, and it uses up no attempt.
  const choice = outOfMoney ? AGAIN : decideTurn({ ...end, ...counts, faultsMax, now: world.clock.now() })
  if (choice.is === 'pause') {
    counts.pauses += 1
    await waitUntil(world, choice, whyPaused(engine.id, end))
    return true
  }
  if (choice.is !== 'again') return false
  if (!outOfMoney) counts.faults += 1
  const why = outOfMoney ? 'the budget allowed no further call' : `engine ${end.outcome}`
  const from = `attempt ${task.attempt}`
  await world.say({ type: 'run.resumed', from, why: `${why}, again in ${choice.afterMs} ms` })
  await world.clock.sleep(choice.afterMs, world.signal)
  return true
}

async function waitUntil(
  { say, clock, signal }: TurnWorld,
  { until, forMs }: { until: string; forMs: number },
  why: string,
): Promise<void> {
  await say({ type: 'run.paused', until, why })
  await clock.sleep(forMs, signal)
}

function whyPaused(engine: string, { outcome, text }: TurnEnd): string {
  return `engine ${engine} ${outcome}${text === '' ? '' : `: ${text}`}`.slice(0, 4_000)
}

/** How far a goal has come, so that a turn that the world broke goes on where it was. */
class GoalProgress {
  readonly #given: GoalTask
  readonly plans: Plan[]
  readonly reflections: Reflection[]

  constructor(given: GoalTask) {
    this.#given = given
    this.plans = [...given.plans]
    this.reflections = [...given.reflections]
  }

  task(guidanceChannel: GuidanceChannel | null): GoalTask {
    const said = guidanceChannel?.said().map((guidance) => guidanceWords(guidance)) ?? []
    const guidance = [...new Set([...this.#given.guidance, ...said])]
    return { ...this.#given, guidance, plans: [...this.plans], reflections: [...this.reflections] }
  }
}

/** A longer timer would ring at once. */
const TIMER_MS_MAX = 2_147_483_647
const OVERSPENT: TurnEnd = { outcome: 'budget', text: '' }
/** What a longer one is called cannot be recorded whole, and so not be gone on with. */
const SESSION_MAX = 200
const AGAIN = { is: 'again', afterMs: 1_000 } as const

interface Turned {
  readonly end: TurnEnd
  /** The turn was ended because no further call may be paid for. */
  readonly outOfMoney: boolean
  /** A conversation was gone on with. */
  readonly resumed: boolean
  /** The model has answered, so that there is a conversation with something in it. */
  readonly hasBegun: boolean
}

async function turn(world: TurnWorld, trial: Trial, goal: GoalProgress | null): Promise<Turned> {
  const { signal } = world
  const { engine } = trial
  const guard = new CallGuard(world.config.limits.stopGraceMs, engine.holdsLimits === true)
  const stop = () => guard.refuse()
  const spending = engine.isFree?.() === true ? null : await world.budget.begin(engine.id, { signal, stop })
  let end: TurnEnd | null = null
  const resume = conversationOf(world, engine)
  const turning: Turning = { spending, guard, goal, resume, talk: { hasBegun: false } }
  try {
    const isSpent = () => spending?.over?.() ?? null
    end = isSpent() === null ? await play(world, trial, turning) : OVERSPENT
    const why = isSpent()
    // What is done is done: that no further call may be made is news for the next turn.
    if (why !== null && end.outcome !== 'done') end = { outcome: 'budget', text: why }
    const outOfMoney = guard.refused && end.outcome === 'interrupted'
    return { end, outOfMoney, resumed: resume !== null, hasBegun: turning.talk.hasBegun }
  } finally {
    guard.close()
    await spending?.end(end?.outcome ?? 'interrupted', end?.hasAsked)
  }
}

/** Sees to it that no call is made once one was refused, whatever the engine does about it. */
class CallGuard {
  readonly #graceMs: number
  /** Every call of the engine waits to be let go. */
  readonly #isHeld: boolean
  #session: EngineSession | null = null
  #waiting = 0
  #timer: ReturnType<typeof setTimeout> | null = null
  refused = false

  constructor(graceMs: number, isHeld: boolean) {
    this.#graceMs = graceMs
    this.#isHeld = isHeld
  }

  /** It may have come to a refusal before there was anything to end. */
  watch(session: EngineSession): void {
    this.#session = session
    if (this.refused) this.#end()
  }

  /** A little later: an engine that asks does so as soon as it has told of its call. */
  refuse(): void {
    this.refused = true
    queueMicrotask(() => this.#end())
  }

  /** A call that was told of after the refusal: this engine does not listen. */
  heard(): void {
    if (this.refused && !this.#isHeld) void this.#session?.stop(0)
  }

  async beforeCall(spending: Spending, checkpoint?: () => Promise<void>): Promise<void> {
    this.#waiting += 1
    await spending.ready()
    if (checkpoint !== undefined && !this.refused) await checkpoint()
    if (this.refused) {
      if (this.#isHeld) this.#end()
      await new Promise<never>(() => undefined)
    }
    this.#waiting -= 1
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#session = null
  }

  /** Who waits makes no call and may end in good order; who does not may be making one at this moment. */
  #end(): void {
    const session = this.#session
    if (session === null) return
    if (this.#waiting === 0) {
      // None of its calls goes out without having been here.
      if (!this.#isHeld) void session.stop(0)
      return
    }
    if (this.#timer !== null) return
    void session.interrupt()
    this.#timer = setTimeout(() => void session.stop(0), this.#graceMs)
  }
}

interface Turning {
  readonly spending: Spending | null
  readonly guard: CallGuard
  readonly goal: GoalProgress | null
  /** The conversation that is gone on with. */
  readonly resume: string | null
  readonly talk: { hasBegun: boolean }
}

async function play(world: TurnWorld, trial: Trial, turning: Turning): Promise<TurnEnd> {
  const { engine, task, readOnly, form } = trial
  const { guard } = turning
  const { signal } = world
  const brake = new TurnBrake(world, { engine, task })
  const hear = listener(world, engine, turning)
  const speech = new TurnSpeech(world, { asItComes: task.thought !== undefined })
  const tools = new ToolFault()
  const session = await engine.open({
    cwd: world.worktree,
    env: world.env,
    stallMs: world.config.limits.engineStallMs,
    ...(world.engineHome === undefined ? {} : { home: world.engineHome }),
    ...(turning.resume === null ? {} : { resume: turning.resume }),
    ...modelAsked(world.config.engines, engine.id, task),
    ...(readOnly === true ? { readOnly } : {}),
    ...form,
    onEvent: (event) => {
      speech.hear(event)
      hear(event)
      brake.hear(event)
      tools.hear(event)
    },
    limits: limitsOf(world, engine, task),
    onQuestion: (question) => answerTo(world, task, question),
    hear: async () => world.guidanceChannel?.refresh(),
    ...beforeCallOf(world, turning),
  })
  brake.session = session
  const late = brake.ms === null ? null : setTimeout(() => brake.late(), Math.min(brake.ms, TIMER_MS_MAX))
  const stop = () => void session.stop(world.config.limits.stopGraceMs)
  signal.addEventListener('abort', stop, { once: true })
  const deaf = world.guidanceChannel?.listen((guidance) => void steer(world, session, guidance))
  try {
    if (signal.aborted) throw new Fault('stopped', 'this agent was told to stop')
    guard.watch(session)
    // Made only now: money may have been waited for, and what was said meanwhile belongs to it.
    const ending = session.prompt(spoken(taskNow(world, { engine, task }, turning.goal), turning.resume))
    if (turning.goal === null)
      for (const late of world.guidanceChannel?.unheard() ?? []) void steer(world, session, late)
    const end = withFault(await ending, tools.words())
    if (signal.aborted) throw new Fault('stopped', 'this agent was told to stop')
    return brake.over === null ? end : { ...end, outcome: 'max_turns', text: brake.over }
  } finally {
    if (late !== null) clearTimeout(late)
    deaf?.()
    signal.removeEventListener('abort', stop)
    speech.end()
    await session.stop(world.config.limits.stopGraceMs)
  }
}

const withFault = (end: TurnEnd, toolFault: string | null): TurnEnd =>
  toolFault === null ? end : { ...end, toolFault }

/** What a turn is held for before each call: a pause, and money. */
function beforeCallOf(
  { checkpoint }: TurnWorld,
  { spending, guard }: Turning,
): Pick<EngineOpen, 'beforeCall'> {
  if (spending !== null) return { beforeCall: () => guard.beforeCall(spending, checkpoint) }
  return checkpoint === undefined ? {} : { beforeCall: checkpoint }
}

/** Words that the session does not take now stay unheard, and belong to the next prompt. */
async function steer(world: TurnWorld, session: EngineSession, guidance: Guidance): Promise<void> {
  // The answer to a question reaches whoever asked it; if nobody waits for it any more, it is worth hearing still.
  if (guidance.answers !== null && world.guidanceChannel?.awaits(guidance.answers)) return
  const taken = await session.steer?.(guidanceWords(guidance)).catch(() => false)
  if (taken === true) heard(world, [guidance])
}

/** Whoever was here before waits for an answer: so does whoever comes after, before anything else is done. */
export async function awaitLeft({
  guidanceChannel,
  signal,
}: Pick<TurnWorld, 'guidanceChannel' | 'signal'>): Promise<void> {
  const left = guidanceChannel?.left() ?? null
  if (left !== null) await guidanceChannel?.answer(left, signal)
  if (signal.aborted) throw new Fault('stopped', 'this agent was told to stop')
}

function listener(
  world: TurnWorld,
  engine: Engine,
  { spending, guard, goal, talk }: Turning,
): (event: EngineEvent) => void {
  let observed = 0
  const tellPeople = turnNotes(world, engine)
  return (event) => {
    if (event.is === 'used' || event.is === 'observed' || event.is === 'began') talk.hasBegun = true
    switch (event.is) {
      case 'used':
        world.note({ type: 'run.used', usage: event.usage })
        spending?.used(event.usage)
        guard.heard()
        return
      case 'observed':
        observed += 1
        if (observed <= world.config.limits.observationsPerPhase)
          world.note({ type: 'run.observed', observation: event.observation })
        return
      case 'moved':
        world.note({ type: 'run.moved', to: event.to })
        return
      case 'planned':
        goal?.plans.push(event.plan)
        world.guidanceChannel?.planned(event.plan)
        world.note({ type: 'run.planned', plan: event.plan })
        heard(world, followed(world, event.plan))
        return
      case 'reflected':
        goal?.reflections.push(event.reflection)
        world.guidanceChannel?.reflected(event.reflection)
        world.note({ type: 'run.reflected', reflection: event.reflection })
        return
      case 'session':
        if (event.id.length <= SESSION_MAX && world.conversations?.get(engine.id) !== event.id) {
          world.conversations?.set(engine.id, event.id)
          world.note({ type: 'run.session', engine: engine.id, session: event.id })
        }
        return
      case 'noted':
      case 'retrying':
        tellPeople(event)
        return
      default:
        return
    }
  }
}

/** What people said that a plan contains. */
function followed({ guidanceChannel }: TurnWorld, { guidance }: Plan): Guidance[] {
  return guidanceChannel?.said().filter((each) => guidance.includes(guidanceWords(each).trim())) ?? []
}
