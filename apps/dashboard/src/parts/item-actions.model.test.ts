import { blankItem, type ItemState } from '@treadle/contracts/item'
import type { Review } from '@treadle/contracts/review'
import { expect, test } from 'vitest'
import { actionsOf, cameOf, isDelivered, isDestructive, seemsDelivered } from './item-actions.model.ts'

const item = (state: ItemState, given: object = {}) =>
  blankItem({ number: 4, title: 'x', createdAt: '2026-11-15T12:00:00.000Z', state, ...given })
const COMMIT = 'c'.repeat(40)

test.each([
  ['todo', ['reassign', 'withdraw']],
  ['rework', ['reassign', 'withdraw']],
  ['building', ['reassign', 'release', 'withdraw']],
  ['improving', ['reassign', 'release', 'withdraw']],
  ['in_review', ['review', 'withdraw']],
  ['merging', []],
  ['conflicted', ['reopen', 'withdraw']],
  ['escalated', ['reopen', 'withdraw']],
  ['withdrawn', ['reopen']],
  ['done', []],
] satisfies [ItemState, string[]][])('what can be done with an item that is %s', (state, actions) => {
  expect(actionsOf(item(state), false)).toEqual(actions)
})

test('only what was merged can be reverted', () => {
  expect(actionsOf(item('done', { mergeCommit: COMMIT }), false)).toEqual(['revert'])
  expect(actionsOf(item('in_review', { mergeCommit: COMMIT }), false)).not.toContain('revert')
  expect(isDestructive('revert')).toBe(true)
})

test('what was refused can be reviewed only where there is a delivery', () => {
  expect(actionsOf(item('escalated'), true)).toEqual(['review', 'reopen', 'withdraw'])
  const escalated = item('escalated', { runId: 'r1', headCommit: COMMIT })
  const review = { runId: 'r1', headCommit: COMMIT } as Review
  expect(isDelivered(escalated, [review])).toBe(true)
  expect(isDelivered(escalated, [{ ...review, headCommit: 'd'.repeat(40) }, review])).toBe(false)
  expect(isDelivered(escalated, [])).toBe(false)
  expect(seemsDelivered(item('escalated', { labels: ['review-escalation'], headCommit: COMMIT }))).toBe(true)
  expect(seemsDelivered(escalated)).toBe(false)
})

test('what takes something away is told from the rest', () => {
  expect(actionsOf(item('building'), false).filter(isDestructive)).toEqual(['release', 'withdraw'])
  expect(actionsOf(item('in_review'), false).filter(isDestructive)).toEqual(['withdraw'])
})

test.each([
  ['release', 'backlog', 'was taken from agent-2'],
  ['withdraw', 'withdrawn', 'Reopen puts it back'],
  ['reopen', 'backlog', 'back in the queue'],
  ['revert', 'todo', '#9 takes #4 back'],
] as const)('%s that led to %s says what came of it', (name, state, words) => {
  expect(
    cameOf(name, item('in_review', { claimedByAgentId: 'agent-2' }), { ...item(state), number: 9 }),
  ).toContain(words)
})
