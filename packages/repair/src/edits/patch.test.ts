import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { applyChanges, type TextChange, tidy, unified } from './patch.ts'

const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('')
const at = (text: string, find: string, put: string): TextChange => {
  const start = text.indexOf(find)
  return { start, end: start + find.length, text: put }
}

const long = lines(40)
const bare = lines(5).trimEnd()

test.each<[string, string, TextChange[]]>([
  ['one word', long, [at(long, 'line 20', 'row 20')]],
  ['the first line', long, [at(long, 'line 1\n', 'row 1\n')]],
  ['the last line', long, [at(long, 'line 40', 'row 40')]],
  ['two hunks far apart', long, [at(long, 'line 3\n', 'row 3\n'), at(long, 'line 30', 'row 30\nrow 30b')]],
  ['two changes close together', long, [at(long, 'line 10\n', ''), at(long, 'line 13', 'row 13')]],
  ['lines added', long, [{ start: 7, end: 7, text: 'new\nlines\n' }]],
  ['a text without a last newline', bare, [at(bare, 'line 5', 'row 5')]],
  [
    'two changes on one line',
    long,
    [
      at(long, 'line 9', 'row 9'),
      { start: long.indexOf('line 10') - 1, end: long.indexOf('line 10') - 1, text: '!' },
    ],
  ],
])('git takes the diff of %s', (_, text, changes) => {
  const folder = mkdtempSync(join(tmpdir(), 'patch-'))
  try {
    writeFileSync(join(folder, 'a.txt'), text)
    execFileSync('git', ['apply', '-'], { cwd: folder, input: unified('a.txt', text, changes) })
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(applyChanges(text, changes))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a deleted statement takes its line along, one among others does not', () => {
  const text = 'a()\n  b();\nc(); d()\n'
  const gone = (find: string) => applyChanges(text, [tidy(text, at(text, find, ''))])
  expect(gone('b()')).toBe('a()\nc(); d()\n')
  expect(gone('d()')).toBe('a()\n  b();\nc(); \n')
})
