import { expect, test } from 'vitest'
import { peopleTable } from './people-table.ts'

test('fixes that are one edit are counted by operator, of those that could be read', () => {
  const table = peopleTable([
    { commit: 'a', is: 'one edit', op: 'drop-condition', before: 3 },
    { commit: 'b', is: 'one edit', op: 'drop-condition', before: 9 },
    { commit: 'c', is: 'one edit', op: 'regex-flag', before: 1 },
    { commit: 'd', is: 'no single edit' },
    { commit: 'e', is: 'not read' },
    { commit: 'f', is: 'no change of the program' },
  ])
  expect(table).toContain('4 fixes, 3 of them one edit of the catalogue (75.0 %)')
  expect(table).toContain('| drop-condition | 2 | 9 |\n| regex-flag | 1 | 1 |')
  expect(table).toContain('median: 3')
})

test('nothing read is no fault', () => {
  expect(peopleTable([])).toContain('0 fixes, 0 of them')
})
