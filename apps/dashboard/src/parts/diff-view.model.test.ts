import { expect, test } from 'vitest'
import { diffParts, languageOf } from './diff-view.model.ts'

const file = (path: string, lines = 1) =>
  `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -1,1 +1,${lines} @@\n${'+x\n'.repeat(lines)}`

test('a diff falls into its files, each with its name and length', () => {
  const renamed =
    'diff --git a/old.ts b/new.ts\nsimilarity index 100%\nrename from old.ts\nrename to new.ts\n'
  const removed = 'diff --git a/gone.ts b/gone.ts\n--- a/gone.ts\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n'
  const binary = 'diff --git a/a b.png b/a b.png\nBinary files differ\n'
  const parts = diffParts(`${file('src/a.ts', 3)}${renamed}${removed}${binary}`)
  expect(parts?.map(({ path, lines }) => [path, lines])).toEqual([
    ['src/a.ts', 8],
    ['old.ts → new.ts', 4],
    ['gone.ts', 5],
    ['a b.png', 2],
  ])
})

test('a line of a change that looks like a header is none', () => {
  const inside = `${file('a.ts')}+++ b/other.ts\n+diff --git a/x b/x\n`
  expect(diffParts(inside)?.map(({ path }) => path)).toEqual(['a.ts'])
})

test('what is long, made by a machine or far down is folded', () => {
  const many = Array.from({ length: 12 }, (_, nth) => file(`many-${nth}.ts`)).join('')
  const open = (diff: string) => diffParts(diff)?.map((part) => part.open)
  expect(open(file('a.ts', 1_000))).toEqual([true])
  expect(open(file('a.ts', 20_000))).toEqual([false])
  expect(open(`${file('a.ts', 1_000)}${file('b.ts', 1_000)}${file('c.ts')}`)).toEqual([true, false, true])
  expect(open(file('package-lock.json'))).toEqual([false])
  expect(open(file('web/yarn.lock'))).toEqual([false])
  expect(open(many)?.filter((each) => each)).toHaveLength(8)
})

test('what is no diff is told from one', () => {
  expect(diffParts('')).toBeNull()
  expect(diffParts('--- a\n+++ b\n')).toBeNull()
})

test.each([
  ['src/a.TS', 'tsx'],
  ['old.css → new.py', 'python'],
  ['Makefile', null],
  ['a.constructor', null],
])('the language of %s', (path, language) => {
  expect(languageOf(path)).toBe(language)
})
