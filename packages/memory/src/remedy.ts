// How a lesson tells the way out of a trap, beside what to avoid.
import type { NewLesson } from '@treadle/contracts/lesson'

export const HELPED = 'What helped: '
export const UNNAMED = 'another change'

/** Whether a lesson says more than what to avoid. */
export function tellsRemedy({ content }: Pick<NewLesson, 'content'>): boolean {
  const [, remedy = ''] = content.split(HELPED, 2)
  return remedy !== '' && remedy !== UNNAMED
}
