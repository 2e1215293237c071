import { expect, test } from 'vitest'
import { decideFileConflict } from './file-conflict.ts'

const party = (number: number, priority: number | null) => ({
  item: { projectNumber: 1, number },
  agentId: null,
  priority,
})
const decide = (asks: number | null, has: number | null, isAtWork = true) =>
  decideFileConflict({
    file: 'src/a.ts',
    requestor: party(9, asks),
    owner: { ...party(7, has), agentId: 'agent-2', isAtWork },
  })

test('a file that nobody has goes to the first who asks, however urgent', () => {
  for (const priority of [null, 0, 1_000])
    expect(decideFileConflict({ file: 'src/a.ts', requestor: party(9, priority), owner: null })).toEqual({
      action: 'GRANT',
      target: '#9',
      reason: 'File unowned - granting to first requestor',
    })
})

test.for<[asks: number | null, has: number | null, action: string]>([
  [1, 2, 'PREEMPT'],
  [2, 2, 'DENY'],
  [3, 2, 'DENY'],
  [0, 1, 'PREEMPT'],
  [1_000, null, 'PREEMPT'],
  [null, 1_000, 'DENY'],
  [null, null, 'DENY'],
])('priority %s asks, priority %s has it: %s', ([asks, has, action]) => {
  expect(decide(asks, has).action).toBe(action)
})

test('whoever gives a file up is told for what, and whoever waits is told what to do', () => {
  expect(decide(1, 2)).toEqual({
    action: 'PREEMPT',
    target: '#7',
    message: '#9 needs src/a.ts for higher priority work',
    followUp: 'PAUSE_AND_YIELD',
  })
  expect(decide(2, 1)).toEqual({
    action: 'DENY',
    target: '#9',
    reason: 'File owned by #7',
    suggestion: 'Wait or request change',
  })
})

test('what is on its way into the branch is not called back, however urgent the other is', () => {
  expect(decide(0, null, false).action).toBe('DENY')
})
