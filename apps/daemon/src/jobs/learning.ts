// What learning needs of the daemon.
import { runConfirm, runConfirmed } from '@treadle/flow/learn/confirm.run'
import { runLearn } from '@treadle/flow/learn/learn.run'
import { type PromoteWorld, runPromote, runPropose } from '@treadle/flow/learn/promote.run'
import type { TrialWorld } from '@treadle/flow/learn/trial.run'
import type { ItemJob } from '@treadle/flow/ports/jobs'
import type { World } from '../world.ts'
import { questionWorld } from './questions.ts'

export function trialWorld(world: World): TrialWorld {
  const { store, now, uuid, config, workspace, lessons } = world
  return { store, now, uuid, config, repository: workspace.id, recall: (query) => lessons.recall(query) }
}

function promoteWorld(world: World): PromoteWorld {
  const { git, source, target } = world
  return { questions: questionWorld(world), git, source, target }
}

/** Beside the run, and never in its way: whatever goes wrong here is tried again, and at last left. */
export async function learnFrom(world: World, { runId }: ItemJob): Promise<void> {
  if (runId === undefined) return
  const learned = await runLearn(world, runId)
  if (learned.is !== 'reviewed') return
  await runConfirm(questionWorld(world), learned.retrospective.learned)
  await runPropose(promoteWorld(world))
}

/** Part of every sweep: what people said about lessons is done. */
export async function sweepLessons(world: World): Promise<void> {
  await runConfirmed(questionWorld(world))
  await runPromote(promoteWorld(world))
}
