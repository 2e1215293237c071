import type { AlertLevel } from '@treadle/contracts/cost'
import type { NotificationType } from '@treadle/contracts/notification'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { decideAfterSend, decideRaise, decideSend, isRouted } from './decide.ts'
import { outgoing } from './testing/outgoing.ts'
import { messageFor } from './words.ts'

const NOW = new Date('2026-11-15T12:00:00.000Z')
const minutes = (count: number) => new Date(NOW.getTime() + count * 60_000)
const perTypeMs = 5 * 60_000

test.each<[string, string | null, 'new' | 'again']>([
  ['nothing of the kind is open', null, 'new'],
  ['it was told a moment ago', NOW.toISOString(), 'again'],
  ['it was told 29 minutes ago', minutes(-29).toISOString(), 'again'],
  ['it was told 30 minutes ago', minutes(-30).toISOString(), 'new'],
])('%s', (_, createdAt, is) => {
  const latest = createdAt === null ? null : { id: 3, createdAt }
  const choice = decideRaise({ now: NOW, latest, repeatAfterMs: 30 * 60_000 })
  expect(choice).toEqual(is === 'new' ? { is } : { is, id: 3 })
})

test.each<[NotificationType, AlertLevel, boolean, AlertLevel, boolean]>([
  ['agent.crashed', 'warning', false, 'warning', true],
  ['agent.crashed', 'warning', false, 'error', false],
  ['budget.crossed', 'critical', false, 'critical', true],
  ['lesson.judged', 'info', false, 'info', true],
  ['lesson.judged', 'info', false, 'warning', false],
  ['question.asked', 'info', false, 'warning', false],
  ['question.asked', 'warning', true, 'critical', true],
  ['item.escalated', 'error', false, 'critical', true],
  ['review.waiting', 'info', false, 'critical', true],
])('%s at %s (blocking: %s) goes to a channel from %s on: %s', (...row) => {
  const [type, level, blocking, least, goes] = row
  expect(isRouted({ type, level, blocking }, least)).toBe(goes)
})

verifies('ORCH-S5-21', 'one message per type within five minutes; another type has its own', () => {
  const waiting = [outgoing(1), outgoing(2, { type: 'owner.notified' })]
  const lastSent = new Map<NotificationType, Date>([['agent.crashed', minutes(-4)]])
  const facts = { outgoing: waiting, lastSent, perTypeMs }
  const now = decideSend({ ...facts, now: NOW })
  expect(now.send.map((group) => group.map(({ id }) => id))).toEqual([[2]])
  expect(now.wakeAt).toEqual(minutes(1))
  expect(decideSend({ ...facts, now: minutes(0.99) }).send).toHaveLength(1)
  expect(decideSend({ ...facts, now: minutes(1) }).send).toHaveLength(2)
})

verifies('ORCH-S5-22', 'what came meanwhile is one message, the gravest first', () => {
  const waiting = [outgoing(1), outgoing(2, { level: 'error', title: 'worst' }), outgoing(3), outgoing(4)]
  const { send } = decideSend({ now: NOW, outgoing: waiting, lastSent: new Map(), perTypeMs })
  expect(send).toHaveLength(1)
  const message = messageFor(send[0] ?? [])
  expect(message.title).toBe('worst and 3 more')
  expect(message.level).toBe('error')
  expect(message.text).toBe('text 2\n\nAnd 3 more:\n- title 1\n- title 3\n- title 4')
  expect(message.notifications.map(({ id }) => id)).toEqual([1, 2, 3, 4])
  expect(message.nextSteps.at(-1)?.command).toBe('treadle notifications')
})

test('a blocking question and what is critical wait for no limit, and do not use it up', () => {
  const waiting = [
    outgoing(1, { type: 'question.asked', blocking: true }),
    outgoing(2, { type: 'question.asked', blocking: true }),
    outgoing(3, { level: 'critical' }),
    outgoing(4),
  ]
  const lastSent = new Map<NotificationType, Date>([
    ['question.asked', NOW],
    ['agent.crashed', NOW],
  ])
  const { send } = decideSend({ now: NOW, outgoing: waiting, lastSent, perTypeMs })
  expect(send.map((group) => group.map(({ id }) => id))).toEqual([[1], [2], [3]])
})

test('what was acknowledged is not sent any more', () => {
  const seen = outgoing(1, { acknowledgedAt: NOW.toISOString(), blocking: true })
  const choice = decideSend({ now: NOW, outgoing: [seen], lastSent: new Map(), perTypeMs })
  expect(choice).toEqual({ send: [], drop: [1], wakeAt: null })
})

test('what somebody is sending is left to them, with its type, until they must have died over it', () => {
  const taken = { ...outgoing(1), status: 'sending' as const, dueAt: minutes(2) }
  const facts = { outgoing: [taken, outgoing(2)], lastSent: new Map(), perTypeMs }
  expect(decideSend({ ...facts, now: NOW })).toEqual({ send: [], drop: [], wakeAt: minutes(2) })
  expect(decideSend({ ...facts, now: minutes(2) }).send.flat()).toHaveLength(2)
})

test('a retry holds back what came meanwhile, and takes it along', () => {
  const again = { ...outgoing(1), attempts: 1, dueAt: minutes(1) }
  const facts = { outgoing: [again, outgoing(2)], lastSent: new Map(), perTypeMs }
  expect(decideSend({ ...facts, now: NOW })).toEqual({ send: [], drop: [], wakeAt: minutes(1) })
  expect(decideSend({ ...facts, now: minutes(1) }).send.flat()).toHaveLength(2)
})

test('a flood is sent in messages of a bounded size', () => {
  const flood = Array.from({ length: 120 }, (_, index) => outgoing(index + 1))
  const { send } = decideSend({ now: NOW, outgoing: flood, lastSent: new Map(), perTypeMs })
  expect(send.map(({ length }) => length)).toEqual([50])
  expect(messageFor(send[0] ?? []).text).toContain('- and 39 others')
})

test('however much is urgent, a few are taken at a time, so that none is taken twice', () => {
  const urgent = Array.from({ length: 12 }, (_, index) => outgoing(index + 1, { level: 'critical' }))
  const { send } = decideSend({ now: NOW, outgoing: urgent, lastSent: new Map(), perTypeMs })
  expect(send.map((group) => group.map(({ id }) => id))).toEqual([[1], [2], [3], [4], [5]])
})

const failed = { is: 'failed', why: 'away' } as const
test.each([
  [{ is: 'sent' } as const, 1, { is: 'sent' }],
  [failed, 1, { is: 'again', at: new Date(NOW.getTime() + 1_000), why: 'away' }],
  [failed, 2, { is: 'again', at: new Date(NOW.getTime() + 4_000), why: 'away' }],
  [failed, 3, { is: 'again', at: new Date(NOW.getTime() + 16_000), why: 'away' }],
  [failed, 4, { is: 'failed', why: 'away' }],
  [{ is: 'refused', why: '401' } as const, 1, { is: 'failed', why: '401' }],
  [{ is: 'later', afterMs: 60_000, why: '429' } as const, 9, { is: 'postponed', at: minutes(1), why: '429' }],
  [{ is: 'later', afterMs: 25 * 3_600_000, why: '429' } as const, 1, { is: 'failed', why: '429' }],
])('after %o at try %d', (sent, attempts, after) => {
  expect(decideAfterSend({ now: NOW, sent, attempts, createdAt: NOW, retryMs: 1_000 })).toEqual(after)
})
