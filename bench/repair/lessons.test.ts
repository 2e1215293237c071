import { expect, test } from 'vitest'
import { lessonsOf, roleOf, type Step } from './lessons.ts'
import { sourcesOf } from './materialise.ts'
import { stream } from './stream.ts'

test.each([
  ['the same slip, the same failure', { slip: 'copy', signatures: ['x', 'y'] }, 'repeat'],
  ['the same slip, another failure', { slip: 'copy', signatures: ['z'] }, 'novel'],
  ['another slip, the same failure', { slip: 'sort', signatures: ['x'] }, 'novel'],
] as const)('%s', (_, now, role) => {
  expect(roleOf(now, [{ slip: 'copy', signatures: ['x'] }])).toBe(role)
})

test('the cost of a wrong memory is that of the worst step; what nobody mended is left out', () => {
  const step = (role: Step['role'], without: number, remembering: number): Step => ({
    id: 'x',
    role,
    signatures: [],
    without: { candidates: without, green: without < 100 },
    with: { candidates: remembering, green: remembering < 100 },
  })
  const steps = [step('novel', 4, 8), step('novel', 9, 9), step('repeat', 60, 2), step('novel', 100, 100)]
  expect(lessonsOf('novel', steps)).toMatchObject({ pairs: 2, worst: 2, ratioOfSums: 13 / 17 })
  expect(lessonsOf('repeat', steps)).toMatchObject({
    pairs: 1,
    medianWithout: 60,
    medianWith: 2,
    medianRatio: 30,
  })
  expect(lessonsOf('repeat', [])).toMatchObject({ pairs: 0, worst: null, medianRatio: null })
})

test('every fault of the stream has its one place in the repository, and slips return', () => {
  for (const { program, edits } of stream) expect(sourcesOf(program, edits).size).toBeGreaterThan(1)
  expect(new Set(stream.map(({ id }) => id)).size).toBe(stream.length)
  const times = (slip: string) => stream.filter(({ kind }) => kind === slip).length
  for (const slip of ['copy', 'zero', 'sort', 'limit']) expect(times(slip), slip).toBeGreaterThan(3)
})
