import { expect, test } from 'vitest'
import { makeEdits } from './edits/catalogue.ts'
import { contextsFor } from './edits/context.ts'
import { statementsOf } from './localise/hits.ts'
import { interleave, signatureOf, specificity } from './memory.ts'
import { sourceFor } from './project/load.ts'

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
