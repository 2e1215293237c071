import { expect, test } from 'vitest'
import { green, red } from '../work/testing/sample.ts'
import { refusedBy } from './refused-by.ts'

const said = 'There is no failing test.'

test('the check that refused the last change is named before what the engine said', () => {
  const why = refusedBy([green('tests_pass'), red('no_regression', ['prettier'])], 2, said)
  expect(why).toMatch(
    /^Attempt 1 was refused by no regression: prettier: .+\. Its change is kept\. Then .*: There is no failing test\.$/,
  )
})

test('what the engine says of the first attempt stands alone, and where nothing was refused', () => {
  expect(refusedBy([red('tests_pass')], 1, said)).toBe(said)
  expect(refusedBy([green('tests_pass')], 2, said)).toBe(said)
})
