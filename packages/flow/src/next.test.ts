import { expect, test } from 'vitest'
import { decideNext } from './next.ts'

const item = { projectNumber: 1, number: 7 }
const other = { projectNumber: 1, number: 8 }

test.each([
  ['stopped', item, other, 'stop'],
  ['running', item, other, 'resume'],
  ['paused', item, other, 'wait'],
  ['paused', null, other, 'wait'],
  ['running', null, other, 'claim'],
  ['running', null, null, 'wait'],
] as const)('an agent that is wanted %s, holds %j and sees %j is told to %s', (wanted, held, first, is) => {
  expect(decideNext({ wanted, held, first, holds: [], pollMs: 5 }).is).toBe(is)
})

test('an agent of another daemon waits until somebody decides', () => {
  const facts = { orphaned: true, held: null, first: other, holds: [], pollMs: 5 }
  expect(decideNext({ ...facts, wanted: 'stopped' }).is).toBe('wait')
  expect(decideNext({ ...facts, wanted: 'running' }).is).toBe('claim')
})

test('while something holds up claims, work in hand goes on and nothing new is begun', () => {
  const facts = { wanted: 'running', first: other, holds: ['no money', 'no room'], pollMs: 5 } as const
  expect(decideNext({ ...facts, held: item })).toEqual({ is: 'resume', item })
  expect(decideNext({ ...facts, held: null })).toEqual({ is: 'wait', why: 'no money; no room', pollMs: 5 })
})

test('a thought goes after work in hand and before everything new, also where nothing new is begun', () => {
  const facts = {
    wanted: 'running',
    held: null,
    first: item,
    holds: ['the tests are red'],
    pollMs: 5,
  } as const
  expect(decideNext({ ...facts, thought: 'a reply' })).toEqual({ is: 'think', thought: 'a reply' })
  expect(decideNext({ ...facts, holds: [], thought: 'a reply' }).is).toBe('think')
  expect(decideNext({ ...facts, held: item, thought: 'a reply' }).is).toBe('resume')
  expect(decideNext({ ...facts, wanted: 'paused', thought: 'a reply' }).is).toBe('wait')
})
