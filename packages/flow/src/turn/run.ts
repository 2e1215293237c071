// One turn of an engine in the agent's worktree; what the world broke is repeated and uses up no attempt.
import { Fault } from '../fault.ts'
import type { Engine, EngineEvent, EngineSession, EngineTask, TurnEnd } from '../ports.ts'
import type { Spending } from '../spend/purse.ts'
import type { WorkWorld } from '../work.ts'
import { decideTurn } from './decide.ts'

/** As much of the world as a turn needs; an agent that only reads has no more. */
export type TurnWorld = Pick<
  WorkWorld,
  'clock' | 'config' | 'env' | 'note' | 'purse' | 'say' | 'signal' | 'worktree'
>

export interface Trial {
  readonly engine: Engine
  readonly task: EngineTask
}

export async function runTurn(world: TurnWorld, trial: Trial): Promise<TurnEnd> {
  const faultsMax = world.config.limits.infrastructureRetries
  for (let faults = 0; ; ) {
    const { end, outOfMoney } = await turn(world, trial)
    // Begun again as soon as a call is granted: the engine is not to blame, and it uses up no attempt.
    const choice = outOfMoney ? AGAIN : decideTurn({ ...end, faults, faultsMax })
    if (choice.is !== 'again') return end
    if (!outOfMoney) faults += 1
    const why = outOfMoney ? 'the budget allowed no further call' : `engine ${end.outcome}`
    await world.say({
      type: 'run.resumed',
      from: `attempt ${trial.task.attempt}`,
      why: `${why}, again in ${choice.afterMs} ms`,
    })
    await world.clock.sleep(choice.afterMs, world.signal)
  }
}

const AGAIN = { is: 'again', afterMs: 1_000 } as const

interface Turned {
  readonly end: TurnEnd
  /** The turn was ended because no further call may be paid for. */
  readonly outOfMoney: boolean
}

async function turn(world: TurnWorld, { engine, task }: Trial): Promise<Turned> {
  const { signal } = world
  const guard = new CallGuard(world.config.limits.stopGraceMs)
  const stop = () => guard.refuse()
  const spending = engine.isFree?.() === true ? null : await world.purse.begin(engine.id, { signal, stop })
  let end: TurnEnd | null = null
  try {
    end = await play(world, { engine, task }, spending, guard)
    return { end, outOfMoney: guard.refused && end.outcome === 'interrupted' }
  } finally {
    guard.close()
    await spending?.end(end?.outcome ?? 'interrupted')
  }
}

/** Sees to it that no call is made once one was refused, whatever the engine does about it. */
class CallGuard {
  readonly #graceMs: number
  #session: EngineSession | null = null
  #waiting = 0
  #timer: ReturnType<typeof setTimeout> | null = null
  refused = false

  constructor(graceMs: number) {
    this.#graceMs = graceMs
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
    if (this.refused) void this.#session?.stop(0)
  }

  async beforeCall(spending: Spending): Promise<void> {
    this.#waiting += 1
    await spending.ready()
    this.#waiting -= 1
    if (this.refused) await new Promise<never>(() => undefined)
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#session = null
  }

  /** Who waits makes no call and may end in good order; who does not may be making one at this moment. */
  #end(): void {
    const session = this.#session
    if (session === null) return
    if (this.#waiting === 0) return void session.stop(0)
    void session.interrupt()
    this.#timer ??= setTimeout(() => void session.stop(0), this.#graceMs)
  }
}

async function play(
  world: TurnWorld,
  { engine, task }: Trial,
  spending: Spending | null,
  guard: CallGuard,
): Promise<TurnEnd> {
  const session = await engine.open({
    cwd: world.worktree,
    env: world.env,
    stallMs: world.config.limits.engineStallMs,
    onEvent: listener(world, spending, guard),
    // Nobody can be asked yet; the first option is the engine's own default.
    onQuestion: async (question) => question.options[0] ?? '',
    ...(spending === null ? {} : { beforeCall: () => guard.beforeCall(spending) }),
  })
  const stop = () => void session.stop(world.config.limits.stopGraceMs)
  world.signal.addEventListener('abort', stop, { once: true })
  try {
    if (world.signal.aborted) throw new Fault('stopped', 'this agent was told to stop')
    guard.watch(session)
    const end = await session.prompt(task)
    if (world.signal.aborted) throw new Fault('stopped', 'this agent was told to stop')
    return end
  } finally {
    world.signal.removeEventListener('abort', stop)
    await session.stop(world.config.limits.stopGraceMs)
  }
}

function listener(
  world: TurnWorld,
  spending: Spending | null,
  guard: CallGuard,
): (event: EngineEvent) => void {
  let observed = 0
  return (event) => {
    if (event.is === 'used') {
      world.note({ type: 'run.used', usage: event.usage })
      spending?.used(event.usage)
      guard.heard()
    }
    if (event.is !== 'observed') return
    observed += 1
    if (observed <= world.config.limits.observationsPerPhase)
      world.note({ type: 'run.observed', observation: event.observation })
  }
}
