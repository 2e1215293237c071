import { expect, test } from 'vitest'
import { repeatedIn } from './repeated.run.ts'

const patch = (line: string, at: number, blob: string) =>
  `diff --git a/a.js b/a.js\nindex ${blob}..0000002 100644\n--- a/a.js\n+++ b/a.js\n@@ -${at},1 +${at},1 @@ f\n-one\n+${line}\n`
const patches: Readonly<Record<string, string>> = {
  first: patch('two', 1, '0000001'),
  moved: patch('two', 9, '0000009'),
  other: patch('three', 1, '0000001'),
  empty: '',
}
const patchOf = async (head: string) => patches[head] ?? null
const refused = [
  { headCommit: 'gone', cycle: 3 },
  { headCommit: 'other', cycle: 2 },
  { headCommit: 'first', cycle: 1 },
]

test.each<[string, number | null]>([
  ['first', 1],
  ['moved', 1],
  ['other', 2],
  ['empty', null],
  ['gone', null],
])('%s repeats %j', async (head, cycle) => {
  expect(await repeatedIn({ patchOf }, head, refused)).toBe(cycle)
})

test('nothing was sent back: nothing is repeated, and nothing is read', async () => {
  const never = () => Promise.reject(new Error('read'))
  expect(await repeatedIn({ patchOf: never }, 'first', [])).toBeNull()
})
