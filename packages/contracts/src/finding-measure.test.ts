import { expect, test } from 'vitest'
import { findingCommand, findingOf, surveyOf } from './finding-measure.ts'

const category = 'dependency-management'

test.each([
  'unused-dependency:left-pad',
  "unused-file:src/it's.js",
  'unused-file:a b/$(touch x)/`id`/"q".js',
  "unused-file:'",
  "unused-file:'\\''",
  'unused-file:two\nlines.js',
])('the command of %j names that finding again', (key) => {
  expect(findingOf(findingCommand({ category, key }))).toEqual({ category, key })
})

test.each([
  `treadle survey ${category} --finding unused-dependency:left-pad`,
  `treadle survey ${category} --finding 'a' && true`,
  `treadle survey ${category} --finding 'a'; echo 'b'`,
  `treadle survey ${category} --finding 'a''b'`,
  `treadle survey ${category} --finding ''`,
  `treadle survey speed --finding 'a'`,
  `treadle  survey ${category} --finding 'a'`,
  ` treadle survey ${category} --finding 'a'`,
  `./treadle survey ${category} --finding 'a'`,
  `treadle survey ${category} --finding 'a' # 'b'`,
  `treadle survey ${category} --finding '${'a'.repeat(501)}'`,
])('%j is a command like any other', (command) => {
  expect(findingOf(command)).toBeNull()
})

test('a finding is of the survey that its key begins with', () => {
  expect(surveyOf({ key: 'unused-file:src/a:b.js' })).toBe('unused-file')
})
