import type { LineComment } from '@treadle/contracts/delivery'
import { expect, test } from 'vitest'
import { commentWords, fateOf, fateOfRemoved, requestOf, traceLine } from './line-comments.ts'

const comment = (over: Partial<LineComment> = {}): LineComment => ({
  path: 'src/cart.ts',
  line: 12,
  side: 'new',
  text: 'Use Math.ceil',
  ...over,
})

test('a comment is one line with a place, whatever its text and the name of its file are', () => {
  expect(commentWords(comment({ text: ' Use\n- Math.ceil ' }))).toBe('src/cart.ts:12: Use - Math.ceil')
  expect(commentWords(comment({ side: 'old' }))).toContain('12 (a line that the change removes): ')
  expect(commentWords(comment({ path: 'a\n- b' }))).toBe('"a\\n- b":12: Use Math.ceil')
})

test('a request is made of the general words and of each comment, which is a change of its own', () => {
  expect(requestOf('Nearly there.', [comment(), comment({ line: 3, text: 'Why?' })])).toEqual({
    feedback: 'Nearly there.\n\n- src/cart.ts:12: Use Math.ceil\n- src/cart.ts:3: Why?',
    changes: ['Nearly there.', 'src/cart.ts:12: Use Math.ceil', 'src/cart.ts:3: Why?'],
  })
  expect(requestOf('', [comment()]).changes).toEqual(['src/cart.ts:12: Use Math.ceil'])
})

test('what the feedback has no room for is among the changes, and said to be more', () => {
  const many = Array.from({ length: 40 }, (_, at) => comment({ line: at + 1, text: 'x'.repeat(300) }))
  const { feedback, changes } = requestOf('All of these.', many)
  expect(changes).toHaveLength(41)
  expect(feedback.length).toBeLessThanOrEqual(4_000)
  expect(feedback).toMatch(/And \d+ more comments on lines\.$/)
})

const DIFF = `diff --git a/a b/a
--- a/a
+++ b/a
@@ -4,7 +4,8 @@ x
 four
 five
 six
-seven
+SEVEN
+seven and a half
 eight
 nine
 ten
@@ -29,0 +31,1 @@ y
+after twenty-nine
`

test.each([
  [1, { is: 'there', line: 1, beside: false }],
  [6, { is: 'there', line: 6, beside: true }],
  [7, { is: 'gone' }],
  [8, { is: 'there', line: 9, beside: true }],
  [20, { is: 'there', line: 21, beside: false }],
  [29, { is: 'there', line: 30, beside: true }],
  [30, { is: 'there', line: 32, beside: true }],
])('line %i', (line, found) => {
  expect(traceLine(DIFF, line)).toEqual(found)
})

test('a line of a file that looks like the head of a hunk is a line', () => {
  const diff = '@@ -1,2 +1,2 @@\n-@@ -9,9 +9,9 @@\n+x\n two\n'
  expect(traceLine(diff, 1)).toEqual({ is: 'gone' })
  expect(traceLine(diff, 9)).toMatchObject({ is: 'there', line: 9 })
})

test('what became of a line is told by the next delivery, and not by what others have merged', () => {
  const trace = { diff: DIFF, isDeleted: false, isCut: false }
  expect(fateOf(7, null, trace)).toEqual({ fate: 'changed', lineNow: null })
  expect(fateOf(6, null, trace)).toEqual({ fate: 'beside', lineNow: 6 })
  expect(fateOf(7, trace, null)).toEqual({ fate: 'unknown', lineNow: null })
  expect(fateOf(20, trace, null)).toEqual({ fate: 'unchanged', lineNow: 21 })
  expect(fateOf(20, null, { ...trace, isDeleted: true })).toEqual({ fate: 'file_deleted', lineNow: null })
  expect(fateOf(20, null, { ...trace, isCut: true })).toEqual({ fate: 'unknown', lineNow: null })
})

test('a removed line is changed once it is there again', () => {
  const trace = { diff: DIFF, isDeleted: false, isCut: false }
  expect(fateOfRemoved(7, trace)).toEqual({ fate: 'unchanged', lineNow: null })
  expect(fateOfRemoved(8, trace)).toEqual({ fate: 'changed', lineNow: 9 })
  expect(fateOfRemoved(7, { ...trace, isDeleted: true }).fate).toBe('unchanged')
})
