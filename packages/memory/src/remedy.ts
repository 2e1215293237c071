// How a lesson tells the way out of a trap, beside what to avoid.
import type { NewLesson } from '@treadle/contracts/lesson'

const HELPED = 'What helped: '
const UNNAMED = 'another change'
const FILES_NAMED = 5

/** What was seen of the way out: the files whose change turned it green, never what somebody said of them. */
export function helpedBy(files: readonly string[]): string {
  if (files.length === 0) return `${HELPED}${UNNAMED}`
  const more = files.length > FILES_NAMED ? ` and ${files.length - FILES_NAMED} more` : ''
  return `${HELPED}a change to ${files.slice(0, FILES_NAMED).join(', ')}${more}`
}

/** Whether a lesson says more than what to avoid. */
export function tellsRemedy({ content }: Pick<NewLesson, 'content'>): boolean {
  const [, remedy = ''] = content.split(HELPED, 2)
  return remedy !== '' && remedy !== UNNAMED
}
