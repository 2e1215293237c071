import { expect, test } from 'vitest'
import { decideTurn } from './turn.ts'

test.each([
  ['done', 0, 'verify'],
  ['max_turns', 0, 'verify'],
  ['crashed', 0, 'again'],
  ['network', 2, 'again'],
  ['network', 3, 'suspend'],
  ['auth', 0, 'suspend'],
  ['billing', 3, 'suspend'],
  ['invalid', 0, 'fail'],
  ['refused', 0, 'fail'],
  ['interrupted', 0, 'fail'],
] as const)('an engine that ends with %s after %i faults: %s', (outcome, faults, is) => {
  expect(decideTurn({ outcome, text: '', faults, faultsMax: 3 }).is).toBe(is)
})
