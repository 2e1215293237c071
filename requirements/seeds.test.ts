import { expect, test } from 'vitest'
import { randomFrom, replayCommand, seedsOf } from './seeds.ts'

const half = () => 0.5

test('a usual run has one fixed seed, the full chaos all of them and a new one, and a seed that was asked for is alone', () => {
  expect(seedsOf({ size: 'short', seed: undefined }, half)).toEqual([7])
  expect(seedsOf({ size: 'full', seed: undefined }, half)).toEqual([7, 11, 23, 42, 500_000])
  expect(seedsOf({ size: 'short', seed: 99 }, half)).toEqual([99])
  expect(seedsOf({ size: 'full', seed: 99 }, half)).toEqual([99])
})

test('the same seed gives the same numbers, another one others', () => {
  const draw = (seed: number) => Array.from({ length: 5 }, randomFrom(seed))
  expect(draw(7)).toEqual(draw(7))
  expect(draw(7)).not.toEqual(draw(11))
  for (const number of draw(7)) expect(number >= 0 && number < 1).toBe(true)
})

test.each([
  [
    'a/b.long.test.ts',
    'short',
    'TREADLE_CHAOS_SEED=7 npx vitest run --config tools/vitest.long.config.ts a/b.long.test.ts',
  ],
  [
    'a/b.long.test.ts',
    'full',
    'TREADLE_CHAOS=full TREADLE_CHAOS_SEED=7 npx vitest run --config tools/vitest.long.config.ts a/b.long.test.ts',
  ],
  ['a/b.test.ts', 'short', 'TREADLE_CHAOS_SEED=7 npx vitest run a/b.test.ts'],
] as const)('%s of the %s chaos is seen again by a command', (file, size, command) => {
  expect(replayCommand(file, size, 7)).toBe(command)
})
