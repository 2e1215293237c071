import type { ConflictView } from '@treadle/contracts/conflict'
import { expect, test } from 'vitest'
import { diffOf, filesWords, linesWords, sideName, sideWords } from './conflicts.model.ts'

const COMMIT = 'a'.repeat(40)
const file = { kind: 'both_changed', cut: false } as const
const view: ConflictView = {
  branch: { name: 'agent-1/project-2', commit: COMMIT },
  target: { name: 'origin/main', commit: COMMIT },
  base: COMMIT,
  files: [
    { ...file, path: 'a', merged: 'am\n', onBranch: 'ab\n', onTarget: 'at\n' },
    { ...file, path: 'b', merged: 'bm\n', onBranch: '', onTarget: 'bt\n' },
  ],
  more: 0,
}

test.each([
  ['merged', 'With conflict markers', 'am\nbm\n'],
  ['onBranch', 'What agent-1/project-2 changed', 'ab\n'],
  ['onTarget', 'What origin/main changed', 'at\nbt\n'],
] as const)('the side %s is called "%s" and shows all its files', (side, words, diff) => {
  expect(sideWords(side, view)).toBe(words)
  expect(diffOf(view, side)).toBe(diff)
})

test.each([
  [[], ''],
  [[{ from: 4, to: 4 }], 'line 4'],
  [[{ from: 4, to: 9 }], 'lines 4 to 9'],
  [
    [
      { from: 4, to: 4 },
      { from: 7, to: 8 },
    ],
    'lines 4, 7 to 8',
  ],
  [[1, 2, 3, 4, 5].map((line) => ({ from: line, to: line })), 'lines 1, 2, 3 and 2 more places'],
])('%j are %s', (lines, words) => {
  expect(linesWords(lines)).toBe(words)
})

test('one file is one file', () => {
  expect([0, 1, 2].map(filesWords)).toEqual(['0 files', '1 file', '2 files'])
})

test('a side is named by its item, the target by its branch, and what is not committed says so', () => {
  const side = { branch: 'agent-1/project-7', agentId: 'agent-1', commit: COMMIT, committed: true }
  expect(sideName({ ...side, item: { projectNumber: 1, number: 7 } })).toBe('#7')
  expect(sideName({ ...side, item: null, branch: 'main' })).toBe('main')
  expect(sideName({ ...side, item: { projectNumber: 1, number: 7 }, committed: false })).toBe(
    '#7 (not committed yet)',
  )
})
