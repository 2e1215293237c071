// What a person reads when an item was given up: what happened, what to do now, and what was tried. Pure.
import type { StoredEvent } from '@treadle/contracts/event'
import { itemLabel, type RunId } from '@treadle/contracts/ids'
import type { NewNotification, NextStep } from '@treadle/contracts/notification'
import type { Run } from '@treadle/contracts/run'
import { cut, itemSubject, ofItem, step } from './words.ts'

/** The attempts of a run, by their numbers: 1 is the build. */
export interface Attempted {
  readonly runId: RunId | null
  readonly attempts: readonly number[]
}
export const NOT_ATTEMPTED: Attempted = { runId: null, attempts: [] }

const STEPS_FOR_ATTEMPTS_MAX = 6
const WHY_MAX = 900

export function attemptedIn({ id, history }: Pick<Run, 'id' | 'history'>): Attempted {
  const made = history.filter(({ phase }) => phase === 'build' || phase === 'improve')
  const attempts = [...new Set(made.map(({ iteration }) => iteration + 1))].toSorted(
    (one, other) => one - other,
  )
  return { runId: id, attempts }
}

export function escalationNotice(
  stored: StoredEvent,
  { title, attempted }: { readonly title: string | null; readonly attempted: Attempted },
): Omit<NewNotification, 'item'> | null {
  const { item } = stored
  if (item === null) return null
  return {
    type: 'item.escalated',
    level: 'error',
    subject: itemSubject(item),
    title: `${itemLabel(item)} needs you${title === null ? '' : `: ${title}`}`,
    text: [
      triedWords(attempted.attempts.length),
      cut(whyOf(stored), WHY_MAX),
      'Nothing of it was merged.',
    ].join('\n'),
    nextSteps: [
      step('See what was tried, what still fails and where to look', ofItem('treadle explain', item)),
      ...explainSteps(attempted),
      step('Try again, once it says more about what is wanted', ofItem('treadle reopen', item)),
      step('Or do it by hand and drop it', ofItem('treadle withdraw', item)),
    ],
    blocking: false,
    questionId: null,
  }
}

function triedWords(attempts: number): string {
  if (attempts === 0) return 'Treadle could not go on with it by itself and stopped, so that you can decide.'
  const times = attempts === 1 ? 'Treadle tried once' : `Treadle tried ${attempts} times`
  return `${times}, did not get it right, and stopped, so that you can decide.`
}

/** Any attempt can be explained; the last ones are the likeliest to be asked for. */
function explainSteps({ runId, attempts }: Attempted): NextStep[] {
  if (runId === null) return []
  return attempts
    .slice(-STEPS_FOR_ATTEMPTS_MAX)
    .map((attempt) => step(`Have attempt ${attempt} explained`, `treadle explain ${runId} ${attempt}`))
}

function whyOf({ event }: StoredEvent): string {
  if (event.type === 'deadline.passed') return `It took too long (${event.state.replaceAll('_', ' ')}).`
  if (event.type === 'review.rejected') return `It was sent back too often. The last time: ${event.feedback}`
  return 'why' in event ? (event.why ?? '') : ''
}
