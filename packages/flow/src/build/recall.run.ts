// What the crew knows that bears on this attempt: patterns to follow, errors to avoid, fixes that worked.
import type { FailureGroup } from '@treadle/contracts/failure'
import type { Lesson } from '@treadle/contracts/lesson'
import { RESOLUTION_CONFIDENCE_MIN } from '@treadle/memory/match'
import type { WorkWorld } from '../work/work-world.ts'
import type { Recalled } from './recalled.ts'

const PER_KIND_MAX = 5
const PER_CAUSE_MAX = 3
const CAUSES_MAX = 5
const PATHS_MAX = 10

export async function runRecall(
  world: Pick<WorkWorld, 'lessons'>,
  groups: readonly FailureGroup[],
  /** Files that the attempt is likely to be about; without any, every lesson may be. */
  paths: readonly string[] = [],
): Promise<Recalled> {
  const ask = (query: Parameters<WorkWorld['lessons']['recall']>[0]) => world.lessons.recall(query)
  const about = { action: 'build', limit: PER_KIND_MAX, paths: [...new Set(paths)].slice(0, PATHS_MAX) }
  const patterns = await ask({ ...about, type: 'pattern' })
  const gotchas = await ask({ ...about, type: 'gotcha', minConfidence: RESOLUTION_CONFIDENCE_MIN })
  const resolutions = new Map<string, Lesson>()
  for (const { signature } of groups.slice(0, CAUSES_MAX)) {
    const answers = await ask({
      action: 'build',
      type: 'resolution',
      similarTo: signature.text,
      minConfidence: RESOLUTION_CONFIDENCE_MIN,
      limit: PER_CAUSE_MAX,
    })
    for (const lesson of answers) resolutions.set(lesson.id, lesson)
  }
  const shown = [...patterns, ...gotchas, ...resolutions.values()]
  return {
    patterns,
    gotchas,
    resolutions: [...resolutions.values()],
    applied: shown.map(({ id, type, topic, confidence }) => ({ lessonId: id, type, topic, confidence })),
  }
}
