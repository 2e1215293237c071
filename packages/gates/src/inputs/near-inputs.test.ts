import { expect, test } from 'vitest'
import { nearInputs } from './near-inputs.ts'
import { spell } from './written-value.ts'

test('each differs in one place, bounded, the same every time, and never the input itself', () => {
  const inputs: unknown[][] = [[4], ['Hello 12'], [[3, 1, 2]], [{ a: 1, b: 'x' }, true], [[{ deep: [1] }]]]
  for (const args of inputs) {
    const near = nearInputs(args)
    expect(near.length).toBeGreaterThanOrEqual(3)
    expect(near.length).toBeLessThanOrEqual(16)
    expect(near).toEqual(nearInputs(args))
    expect(near.map((each) => each.map(spell).join())).not.toContain(args.map(spell).join())
    for (const each of near) expect(each.filter((arg, at) => spell(arg) !== spell(args[at]))).toHaveLength(1)
  }
  expect(nearInputs([4]).flat()).toEqual(expect.arrayContaining([5, 3, 8, -4, 0]))
  expect(nearInputs(['ab']).flat()).toEqual(expect.arrayContaining(['bb', 'aba', 'b', 'a', 'ba']))
  expect(nearInputs([[1, 2]]).flat()).toEqual(expect.arrayContaining([[1, 2, 1], [1], [2, 1], [2, 2]]))
})
