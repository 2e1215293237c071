// A notification on its way, for tests.
import type { Outgoing } from '../../../ports/notifications.ts'

const AT = '2026-11-15T11:00:00.000Z'

export function outgoing(id: number, given: Partial<Outgoing['notification']> = {}): Outgoing {
  const notification: Outgoing['notification'] = {
    id,
    type: 'agent.crashed',
    level: 'warning',
    title: `title ${id}`,
    text: `text ${id}`,
    nextSteps: [],
    subject: `agent agent-${id}`,
    blocking: false,
    item: null,
    questionId: null,
    count: 1,
    createdAt: AT,
    updatedAt: AT,
    acknowledgedAt: null,
    acknowledgedBy: null,
    resolvedAt: null,
    source: null,
    context: null,
    decision: null,
    ...given,
  }
  return { id, notification, status: 'waiting', attempts: 0, dueAt: new Date(AT), createdAt: new Date(AT) }
}
