import { expect, test } from 'vitest'
import { asChecklist, changesIn, findingsIn } from './asked-for.ts'

test.each([
  ['Use Math.ceil and\nadd a test.', ['Use Math.ceil and add a test.']],
  ['Please:\n- use Math.ceil\n- [ ] add a test\n\nThanks', ['use Math.ceil', 'add a test']],
  ['1. one\n2) two', ['one', 'two']],
  ['  ', []],
])('the single changes in %j', (said, changes) => {
  expect(changesIn(said)).toEqual(changes)
})

test('what a person asks for is a checklist in their own words', () => {
  expect(asChecklist('Please:\n- use Math.ceil\n2. add a test\n\nThanks')).toBe(
    'Please:\n- [ ] use Math.ceil\n- [ ] add a test\n\nThanks',
  )
})

const FEEDBACK = `## Review Feedback - Cycle 1/3

**Status:** REJECTED

**Issues Found:**
- Criterion C1 is not met: expected 5, observed 6
- Add a test

**Requested Changes:**
1. Add a test

**Warnings:**
- security was skipped: there is no lock file

**Next Steps:**
Please address the issues above and re-submit for review.`

test('what a review found is said without its form, and without what is asked for anyway', () => {
  expect(findingsIn(FEEDBACK, ['Add a test'])).toBe(
    '**Issues Found:**\n- Criterion C1 is not met: expected 5, observed 6',
  )
  expect(findingsIn(FEEDBACK, [])).toContain('**Requested Changes:**\n1. Add a test')
  expect(findingsIn('Not like this.', ['Add a test'])).toBe('Not like this.')
})
