import { expect, test } from 'vitest'
import { HOME, hrefOf, type Route, routeOf } from './route.model.ts'

test.each([
  ['', HOME],
  ['#', HOME],
  ['#/', HOME],
  ['#/crew', HOME],
  ['#/board', { is: 'board' }],
  ['#/activity', { is: 'activity', agentId: null }],
  ['#/activity?agent=agent-2', { is: 'activity', agentId: 'agent-2' }],
  ['#/activity?agent=%3Cscript%3E', { is: 'activity', agentId: null }],
  ['#/inbox', { is: 'inbox' }],
  ['#/lessons', { is: 'lessons' }],
  ['#/health', { is: 'health' }],
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
  { is: 'board' },
  { is: 'activity', agentId: null },
  { is: 'activity', agentId: 'review-agent' },
  { is: 'loops', item: null },
  { is: 'loops', item: { projectNumber: 3, number: 7 } },
  { is: 'item', item: { projectNumber: 3, number: 7 } },
] satisfies Route[])('the address of %j leads to it', (route) => {
  expect(routeOf(hrefOf(route))).toEqual(route)
})
