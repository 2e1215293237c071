import { expect, test } from 'vitest'
import { changedLines } from './changed-lines.ts'

const table: [string, string | null, string, number[]][] = [
  ['a new file', null, 'a\nb\n', [1, 2]],
  ['nothing', 'a\nb\n', 'a\nb\n', []],
  ['a line in the middle', 'a\nb\nc\n', 'a\nx\nc\n', [2]],
  ['an inserted line', 'a\nc\n', 'a\nb\nc\n', [2]],
  ['a deleted line', 'a\nb\nc\n', 'a\nc\n', []],
  ['two places', 'a\nb\nc\nd\ne\n', 'a\nx\nc\nd\ny\nz\n', [2, 5, 6]],
  ['a line that was there twice', 'a\n}\nb\n}\n', 'a\n}\nnew\n}\nb\n}\n', [3, 4]],
  ['other ends of lines', 'a\r\nb\r\n', 'a\nb\n', []],
  ['a last line without an end', 'a\nb', 'a\nb\n', []],
  ['everything', 'a\nb\n', 'c\nd\ne', [1, 2, 3]],
]

test.each(table)('lines that are new or changed: %s', (_, before, after, lines) => {
  expect(changedLines(before, after)).toEqual(lines)
})

test('a text too long to compare counts as changed between its equal ends', () => {
  const text = (mark: string) =>
    `same\n${Array.from({ length: 3_000 }, (_, at) => `${mark}${at}`).join('\n')}\nsame\n`
  expect(changedLines(text('a'), text('b'))).toHaveLength(3_000)
})
