// What a run has taught is recorded with its end, once; the job `learn` looks at the rest.
import type { ItemMove } from '@treadle/contracts/event'
import type { Item } from '@treadle/contracts/item'
import type { NewLesson } from '@treadle/contracts/lesson'
import type { Run } from '@treadle/contracts/run'
import { type Consequence, effect } from '../work/consequence.ts'
import { runAfterMove } from '../work/run-fold.ts'
import { discoveredIn } from './discovered.ts'
import { lessonsOf } from './extract.ts'

export const afterRun: Consequence = {
  after({ run, before, after, move, now }) {
    const patch = run === null ? null : runAfterMove(run, { before, after }, move)
    if (run === null || patch === null) return []
    const isOver = patch.endedAt !== undefined
    // What a failed attempt taught is worth knowing at once, and all of it when the run is over.
    const job =
      isOver || move.type === 'verify.failed'
        ? [effect('jobs', 'send', 'learn', { item: run.item, runId: run.id })]
        : []
    if (!isOver) return job
    const lessons = taughtBy({ run: { ...run, ...patch }, before, after, move })
    return [...job, ...lessons.map((lesson) => effect('lessons', 'record', lesson, now))]
  },
}

/** Lessons of a run that has ended: what its fixes showed, and what its engine says it found out. */
export function taughtBy({
  run,
  before,
  after,
  move,
}: {
  run: Run
  before: Item
  after: Item
  move: ItemMove
}): NewLesson[] {
  const commit = move.type === 'verify.passed' ? move.head : null
  return [...lessonsOf({ before, after }, run, move), ...discoveredIn(run, commit)]
}
