import { expect, test } from 'vitest'
import type { Resources } from '../resources.ts'
import { coreWords, machineWords, otherHolds, resourceLines } from './resources.ts'

const enough: Resources = {
  cores: { count: 4, agents: { 'agent-1': '0-1', 'agent-2': '2-3' }, why: null },
  memoryFreeMb: 4_000.4,
  load: 1.26,
  pressure: [],
  since: null,
  calls: { atOnce: 20, underWay: 3, waiting: 0 },
}

test('a machine with enough holds nobody up; what is short and who waits is one line each', () => {
  expect(resourceLines(enough)).toEqual([])
  const calls = { atOnce: 20, underWay: 20, waiting: 1 }
  expect(resourceLines({ ...enough, pressure: ['memory is short'], calls })).toEqual([
    'One agent works at a time: memory is short.',
    '1 call of a model waits for a turn: 20 are under way (limits.callsAtOnce is 20).',
  ])
  expect(resourceLines({ ...enough, calls: { ...calls, waiting: 2 } })[0]).toContain('2 calls of models wait')
})

test('a reason of the machine is not said twice', () => {
  const holds = ['the day is spent', 'memory is short; until there is enough, one agent works at a time']
  expect(otherHolds(holds, { ...enough, pressure: ['memory is short'] })).toEqual(['the day is spent'])
  expect(otherHolds(holds, enough)).toEqual(holds)
  expect(otherHolds(holds, null)).toEqual(holds)
})

test('cores and load in words', () => {
  expect(coreWords(enough.cores)).toBe('agent-1 on 0-1, agent-2 on 2-3')
  const none = { count: 1, agents: {}, why: 'there is 1 core for 2 agents' }
  expect(coreWords(none)).toBe('1 core; agents are not kept to their own: there is 1 core for 2 agents')
  expect(coreWords({ ...none, why: null })).toBe('1 core')
  expect(machineWords(enough)).toBe('4000 MB free, load 1.3 on 4 cores')
})
