import type { BudgetHold } from '@treadle/contracts/cost'
import { expect, test } from 'vitest'
import { holdsOf } from './holds.ts'

const NONE: BudgetHold = { is: 'none' }
const SPENT: BudgetHold = { is: 'claims', why: 'the day is spent' }

test.each<[string, Parameters<typeof holdsOf>[0], string[]]>([
  ['nothing holds claims up', { budget: NONE, tests: null, conflicts: null }, []],
  ['the budget does', { budget: SPENT, tests: null, conflicts: null }, ['the day is spent']],
  ['conflicts do', { budget: NONE, tests: null, conflicts: '4 conflicts wait' }, ['4 conflicts wait']],
  [
    'tests that see nothing do',
    { budget: NONE, tests: 'they are blind', conflicts: null },
    ['they are blind'],
  ],
  [
    'all of them do',
    { budget: SPENT, tests: 'they are blind', conflicts: '4 conflicts wait', machine: 'memory is short' },
    ['the day is spent', 'they are blind', '4 conflicts wait', 'memory is short'],
  ],
])('%s', (_, facts, holds) => {
  expect(holdsOf(facts)).toEqual(holds)
})
