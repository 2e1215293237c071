import { expect, test } from 'vitest'
import { HOME, hrefOf, isLost, QUEUE, type Route, routeOf } from './route.model.ts'

test.each([
  ['', HOME],
  ['#', HOME],
  ['#/', HOME],
  ['#/crew', HOME],
  ['#/now', HOME],
  ['#/work', { is: 'work' }],
  ['#/work?', { is: 'work' }],
  ['#/work?view=list&q=a%3Fb', { is: 'work', query: 'view=list&q=a%3Fb' }],
  ['#/board', { is: 'work' }],
  ['#/board?view=list', { is: 'work', query: 'view=list' }],
  ['#/review', QUEUE],
  ['#/review/1/2', { is: 'review', item: { projectNumber: 1, number: 2 } }],
  ['#/review/1/x', QUEUE],
  ['#/inbox', QUEUE],
  ['#/conflicts', QUEUE],
  ['#/conflicts/x', QUEUE],
  ['#/conflicts/7', { is: 'conflicts', id: 7 }],
  ['#/insights', { is: 'costs', days: 30 }],
  ['#/settings', { is: 'settings' }],
  ['#/audit', { is: 'audit' }],
  ['#/activity', { is: 'activity', agentId: null }],
  ['#/activity?agent=agent-2', { is: 'activity', agentId: 'agent-2' }],
  ['#/activity?agent=%3Cscript%3E', { is: 'activity', agentId: null }],
  ['#/lessons', { is: 'lessons' }],
  ['#/costs', { is: 'costs', days: 30 }],
  ['#/costs?days=90', { is: 'costs', days: 90 }],
  ['#/costs?days=8', { is: 'costs', days: 30 }],
  ['#/metrics', { is: 'metrics', period: '7d' }],
  ['#/metrics?period=24h', { is: 'metrics', period: '24h' }],
  ['#/metrics?period=1y', { is: 'metrics', period: '7d' }],
  ['#/health', { is: 'health' }],
  ['#/maintenance', { is: 'maintenance' }],
  ['#/upkeep', { is: 'maintenance' }],
  ['#/loops', { is: 'loops', item: null }],
  ['#/loops/2/3', { is: 'loops', item: { projectNumber: 2, number: 3 } }],
  ['#/item/1/42', { is: 'item', item: { projectNumber: 1, number: 42 } }],
  ['#/item/1', HOME],
  ['#/item/1/0', HOME],
  ['#/item/1/x', HOME],
  ['#/no-such-screen', HOME],
  ['#token=abc', HOME],
] satisfies [string, Route][])('%j leads to %j', (hash, route) => {
  expect(routeOf(hash)).toEqual(route)
})

test.each([
  HOME,
  QUEUE,
  { is: 'work' },
  { is: 'work', query: 'view=graph&q=cart' },
  { is: 'review', item: { projectNumber: 3, number: 7 } },
  { is: 'conflicts', id: 3 },
  { is: 'activity', agentId: null },
  { is: 'activity', agentId: 'review-agent' },
  { is: 'loops', item: null },
  { is: 'loops', item: { projectNumber: 3, number: 7 } },
  { is: 'item', item: { projectNumber: 3, number: 7 } },
  { is: 'costs', days: 30 },
  { is: 'costs', days: 7 },
  { is: 'metrics', period: '7d' },
  { is: 'metrics', period: '30d' },
] satisfies Route[])('the address of %j leads to it', (route) => {
  expect(routeOf(hrefOf(route))).toEqual(route)
})

test.each([
  ['', false],
  ['#/', false],
  ['#/crew', false],
  ['#/now', false],
  ['#/board', false],
  ['#/inbox', false],
  ['#/conflicts', false],
  ['#/item/1/42', false],
  ['#token=abc', false],
  ['#/upkeep', false],
  ['#/nonsense', true],
  ['#/item/1/abc', true],
  ['#/item/0/0', true],
])('the address %j leads nowhere: %j', (hash, lost) => {
  expect(isLost(hash)).toBe(lost)
})
