// What a person, or the work itself, has taken care of need not be told any more. Pure.
import type { StoredEvent, TreadleEvent } from '@treadle/contracts/event'
import type { NotificationType } from '@treadle/contracts/notification'
import { itemSubject } from './words.ts'

export interface SettledBy {
  readonly subject: string
  readonly types: readonly NotificationType[]
  readonly by: string
}

const QUESTION: readonly NotificationType[] = ['question.asked', 'question.reminded']
const REVIEW: readonly NotificationType[] = ['review.waiting', 'review.overdue']
const ITEM: readonly NotificationType[] = ['item.escalated', ...REVIEW]

export function settledBy({ event, item }: StoredEvent): SettledBy | null {
  const subject = item === null ? null : itemSubject(item)
  const question = questionIn(event)
  if (question !== null) return { subject: `question ${question.id}`, types: QUESTION, by: question.by }
  if (event.type === 'environment.ready' || event.type === 'environment.untested')
    return { subject: 'environment', types: ['environment.not_ready'], by: 'treadle' }
  if (subject === null) return null
  switch (event.type) {
    case 'item.reopened':
    case 'item.withdrawn':
    case 'item.assigned':
      return { subject, types: ITEM, by: event.by }
    case 'review.approved':
      return { subject, types: ITEM, by: event.approval.by.slice(0, 200) }
    case 'review.rejected':
      return { subject, types: REVIEW, by: event.by }
    default:
      return null
  }
}

function questionIn(event: TreadleEvent): { id: string; by: string } | null {
  if (event.type === 'question.answered' || event.type === 'question.defaulted')
    return { id: event.questionId, by: event.by }
  return event.type === 'question.withdrawn' ? { id: event.questionId, by: 'treadle' } : null
}
