// One attempt by the engine in the agent's own worktree, between two checkpoints.
import type { AgentMove } from '@treadle/contracts/event'
import type { GateResult } from '@treadle/contracts/gate'
import type { Item } from '@treadle/contracts/item'
import type { Phase } from '@treadle/contracts/run'
import { Fault } from '../fault.ts'
import { checkpointMessage } from '../merge/commit-message.ts'
import type { Engine, EngineTask, TurnEnd } from '../ports.ts'
import { checkpointRef, type WorkJob, type WorkWorld } from '../work.ts'
import { decideTurn } from './decide.ts'
import { failuresIn, writePrompt } from './prompt.ts'

type Built = Extract<AgentMove, { type: 'build.finished' | 'build.failed' }>

export async function runBuild(
  world: WorkWorld,
  job: WorkJob,
  evidence: readonly GateResult[],
): Promise<Built> {
  const { clock, config, git } = world
  const attempt = job.item.attempts + 1
  const phase: Phase = attempt === 1 ? 'build' : 'improve'
  const startedAt = clock.now()
  const end = await attemptWith(world, job, taskOf(world, job.item, attempt, evidence))
  const checkpoint = await git.checkpoint(
    world.worktree,
    checkpointRef(job.run.id, `${attempt}-${phase}`),
    checkpointMessage(phase, job.run.id),
  )
  await world.say({
    type: 'run.phase',
    record: {
      phase,
      iteration: attempt,
      startedAt: startedAt.toISOString(),
      durationMs: clock.now().getTime() - startedAt.getTime(),
      outcome: end.outcome,
      summary: end.text.slice(0, 4_000),
      checkpoint,
    },
  })
  const choice = decideTurn({
    ...end,
    faults: config.limits.infrastructureRetries,
    faultsMax: config.limits.infrastructureRetries,
  })
  return choice.is === 'verify'
    ? {
        type: 'build.finished',
        summary: end.text.slice(0, 4_000),
        checkpoint,
        confidence: end.confidence ?? null,
      }
    : { type: 'build.failed', outcome: end.outcome, why: choice.is === 'fail' ? choice.why : end.text }
}

function taskOf(world: WorkWorld, item: Item, attempt: number, evidence: readonly GateResult[]): EngineTask {
  const testCommand = item.testCommand ?? world.testCommand
  return {
    text: writePrompt({ item, attempt, testCommand, evidence }),
    item,
    attempt,
    testCommand,
    failures: failuresIn(evidence),
    evidence,
  }
}

/** A free engine may try before the one that costs; what it found out goes along, so that nothing is looked for twice. */
async function attemptWith(world: WorkWorld, job: WorkJob, task: EngineTask): Promise<TurnEnd> {
  if (world.first === null || task.attempt > 1) return turns(world, job, { engine: world.engine, task })
  const early = await turns(world, job, { engine: world.first, task })
  if (early.outcome === 'done') return early
  const text = `${task.text}\n\n## What ${world.first.id} found out before you\n\n${early.text}`
  return turns(world, job, { engine: world.engine, task: { ...task, text } })
}

interface Trial {
  readonly engine: Engine
  readonly task: EngineTask
}

/** Repeats a turn that the world broke; that does not use up an attempt. */
async function turns(world: WorkWorld, job: WorkJob, trial: Trial): Promise<TurnEnd> {
  const faultsMax = world.config.limits.infrastructureRetries
  for (let faults = 0; ; faults += 1) {
    const end = await turn(world, trial)
    const choice = decideTurn({ ...end, faults, faultsMax })
    if (choice.is !== 'again') return end
    await world.say({
      type: 'run.resumed',
      from: `attempt ${job.item.attempts + 1}`,
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
