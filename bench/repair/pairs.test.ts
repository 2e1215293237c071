import { expect, test } from 'vitest'
import { bugs } from './bugs.ts'
import { sourcesOf } from './materialise.ts'
import { drawPairs } from './pairs.ts'
import { sideOf } from './split.ts'

test('pairs are two faults of one program that fit together, all of the tuning side, the same every time', () => {
  const pairs = drawPairs(bugs)
  expect(pairs.length).toBeGreaterThanOrEqual(25)
  expect(drawPairs(bugs)).toEqual(pairs)
  for (const { id, program, edits } of pairs) {
    const of = id.split('+').map((part) => part.replace(/\.\d$/, ''))
    expect(of.map((part) => [bugs.find((bug) => bug.id === part)?.program, sideOf(part)])).toEqual([
      [program, 'tuning'],
      [program, 'tuning'],
    ])
    expect(edits).toHaveLength(2)
    expect(() => sourcesOf(program, edits)).not.toThrow()
  }
})
