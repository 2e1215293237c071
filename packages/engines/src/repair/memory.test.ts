import type { Lesson, NewLesson } from '@treadle/contracts/lesson'
import { expect, test } from 'vitest'
import { makeEdits } from './edits/catalogue.ts'
import { contextsFor } from './edits/context.ts'
import { statementsOf } from './localise/hits.ts'
import { interleave, recallOperators, recordMisses, signatureOf, specificity } from './memory.ts'
import { sourceFor } from './project/load.ts'

const LESSON: NewLesson = {
  type: 'resolution',
  glob: null,
  action: 'repair',
  topic: 'wrap',
  signature: 'TypeError: no name',
  confidence: 0.7,
  provenance: { runId: null, attempt: null, commit: null },
  payload: {},
}

test('the same slip with other values has the same signature', () => {
  const failure = (message: string) => signatureOf({ name: 'AssertionError', message })
  expect(failure("strictEqual: expected 4.5 to match 'ten'")).toBe(
    failure("strictEqual: expected 7 to match 'x'"),
  )
  expect(failure('expected undefined to match [ 1, 2 ]')).toBe(failure('expected undefined to match [ 3 ]'))
  expect(failure('expected undefined to match 1')).not.toBe(failure('expected 2 to match 1'))
})

test('a signature that could be anything counts for less', () => {
  const vague = specificity(
    signatureOf({ name: 'AssertionError', message: 'strictEqual: expected 1 to match 2' }),
  )
  const clear = specificity(
    signatureOf({ name: 'TypeError', message: "Cannot read properties of undefined (reading 'name')" }),
  )
  expect(vague).toBe(0)
  expect(clear).toBeGreaterThan(2)
})

test('a wrong memory at most doubles the candidates before any edit', () => {
  const file = sourceFor(
    '/project',
    'a.ts',
    'function f(a: number, b: number) {\n  return Math.max(a - 1, b) < a ? [a] : [b]\n}\n',
    0,
  )
  if (file === null) throw new Error('no syntax')
  const contextOf = contextsFor({ root: '/project', files: [file], left: [], tests: [] }, [])
  const suspects = statementsOf(file).map((place) => ({
    ...place,
    score: 1,
    line: 1,
    failing: 1,
    passing: 0,
  }))
  const edits = makeEdits({ suspects, contextOf, max: 10_000 })
  const order = interleave(edits, ['wrap', 'early-return'])
  expect(new Set(order)).toEqual(new Set(edits))
  expect(order).toHaveLength(edits.length)
  for (const [at, edit] of edits.entries()) expect(order.indexOf(edit)).toBeLessThanOrEqual(2 * at + 1)
  expect(order[0]?.op).toBe('wrap')
  expect(interleave(edits, [])).toEqual(edits)
})

test('what was remembered and misses again and again is forgotten', async () => {
  const lessons: Lesson[] = []
  const memory = {
    recall: async () => lessons,
    record: async (lesson: NewLesson) => {
      const at = new Date(0).toISOString()
      const same = lessons.findIndex(({ topic }) => topic === lesson.topic)
      const occurrences = (lessons[same]?.occurrences ?? 0) + 1
      const row = {
        ...lesson,
        id: crypto.randomUUID(),
        occurrences,
        supersededBy: null,
        createdAt: at,
        updatedAt: at,
      }
      lessons.splice(same < 0 ? lessons.length : same, 1, row)
    },
  }
  const failures = [{ name: 'TypeError', message: 'no name', stack: '', expected: null, actual: null }]
  await memory.record({ ...LESSON, payload: { op: 'wrap' } })
  expect(await recallOperators(memory, failures)).toEqual(['wrap'])
  await recordMisses(memory, failures, ['wrap'])
  expect(await recallOperators(memory, failures)).toEqual(['wrap'])
  await recordMisses(memory, failures, ['wrap'])
  expect(await recallOperators(memory, failures)).toEqual([])
})
