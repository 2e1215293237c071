// treadle fix killed at phase boundaries and in the middle of phases.
import { isFullChaos } from '@treadle/requirements/seeds'
import { beforeAll, describe, expect, test } from 'vitest'
import { useShops } from '../kit/shop.ts'
import { killedAt, MOMENTS, type Result, SHOP, undisturbed } from './fix-run.ts'

/** Besides those of the quick test; each of the moments by `npm run chaos`. */
const SHORT = [
  'in the tests before any change',
  'after the tests of the build',
  'in the improvement',
  'after the delivery',
]
const moments = MOMENTS.filter(({ name }) => isFullChaos || SHORT.includes(name))

describe('a fix that is killed', () => {
  const shop = useShops()
  let expected: Result
  beforeAll(async () => {
    expected = await undisturbed(shop(SHOP))
  }, 180_000)

  test.each(moments)('$name: the same tree, no phase lost, no test run counted twice', async (moment) => {
    const { result } = await killedAt(shop(SHOP), moment)
    expect(result).toEqual(expected)
  })
})
