import type { BudgetHold } from '@treadle/contracts/cost'
import { expect, test } from 'vitest'
import { holdsOf } from './holds.ts'

const NONE: BudgetHold = { is: 'none' }
const SPENT: BudgetHold = { is: 'claims', why: 'the day is spent' }

test.each<[string, BudgetHold, string | null, string[]]>([
  ['nothing holds claims up', NONE, null, []],
  ['the budget does', SPENT, null, ['the day is spent']],
  ['conflicts do', NONE, '4 conflicts wait', ['4 conflicts wait']],
  ['both do', SPENT, '4 conflicts wait', ['the day is spent', '4 conflicts wait']],
])('%s', (_, budget, conflicts, holds) => {
  expect(holdsOf({ budget, conflicts })).toEqual(holds)
})
