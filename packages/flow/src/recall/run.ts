// What the crew knows that bears on this attempt: patterns to follow, errors to avoid, fixes that worked.
import type { FailureGroup } from '@treadle/contracts/failure'
import type { Lesson } from '@treadle/contracts/lesson'
import { RESOLUTION_CONFIDENCE_MIN } from '../improve/suggest.ts'
import type { WorkWorld } from '../work.ts'
import type { Recalled } from './recalled.ts'

const PER_KIND_MAX = 5

export async function runRecall(
  world: Pick<WorkWorld, 'lessons'>,
  groups: readonly FailureGroup[],
): Promise<Recalled> {
  const ask = (query: Parameters<WorkWorld['lessons']['recall']>[0]) => world.lessons.recall(query)
  const about = { action: 'build', minConfidence: RESOLUTION_CONFIDENCE_MIN, limit: PER_KIND_MAX }
  const patterns = await ask({ ...about, type: 'pattern' })
  const gotchas = await ask({ ...about, type: 'gotcha' })
  const resolutions: Lesson[] = []
  for (const { signature } of groups.slice(0, PER_KIND_MAX))
    resolutions.push(
      ...(await ask({
        type: 'resolution',
        signature: signature.text,
        minConfidence: RESOLUTION_CONFIDENCE_MIN,
        limit: PER_KIND_MAX,
      })),
    )
  const shown = [...patterns, ...gotchas, ...resolutions]
  return {
    patterns,
    gotchas,
    resolutions,
    applied: shown.map(({ id, type, topic, confidence }) => ({ lessonId: id, type, topic, confidence })),
  }
}
