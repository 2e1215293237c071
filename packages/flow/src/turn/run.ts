// One turn of an engine in the agent's worktree; what the world broke is repeated and uses up no attempt.
import { Fault } from '../fault.ts'
import type { Engine, EngineTask, TurnEnd } from '../ports.ts'
import type { WorkWorld } from '../work.ts'
import { decideTurn } from './decide.ts'

export interface Trial {
  readonly engine: Engine
  readonly task: EngineTask
}

export async function runTurn(world: WorkWorld, trial: Trial): Promise<TurnEnd> {
  const faultsMax = world.config.limits.infrastructureRetries
  for (let faults = 0; ; faults += 1) {
    const end = await turn(world, trial)
    const choice = decideTurn({ ...end, faults, faultsMax })
    if (choice.is !== 'again') return end
    await world.say({
      type: 'run.resumed',
      from: `attempt ${trial.task.attempt}`,
      why: `engine ${end.outcome}, again in ${choice.afterMs} ms`,
    })
    await world.clock.sleep(choice.afterMs, world.signal)
  }
}

async function turn(world: WorkWorld, { engine, task }: Trial): Promise<TurnEnd> {
  let observed = 0
  const session = await engine.open({
    cwd: world.worktree,
    env: world.env,
    stallMs: world.config.limits.engineStallMs,
    onEvent: (event) => {
      if (event.is === 'used') world.note({ type: 'run.used', usage: event.usage })
      if (event.is !== 'observed') return
      observed += 1
      if (observed <= world.config.limits.observationsPerPhase)
        world.note({ type: 'run.observed', observation: event.observation })
    },
    // Nobody can be asked yet; the first option is the engine's own default.
    onQuestion: async (question) => question.options[0] ?? '',
  })
  const stop = () => void session.stop(world.config.limits.stopGraceMs)
  world.signal.addEventListener('abort', stop, { once: true })
  try {
    if (world.signal.aborted) throw new Fault('stopped', 'this agent was told to stop')
    const end = await session.prompt(task)
    if (world.signal.aborted) throw new Fault('stopped', 'this agent was told to stop')
    return end
  } finally {
    world.signal.removeEventListener('abort', stop)
    await session.stop(world.config.limits.stopGraceMs)
  }
}
