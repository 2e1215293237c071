// treadle fix killed at every phase boundary and in the middle of each phase.
import { beforeAll, describe, expect, test } from 'vitest'
import { useShops } from '../kit/shop.ts'
import { killedAt, MOMENTS, type Result, SHOP, undisturbed } from './fix-run.ts'

describe('a fix that is killed', () => {
  const shop = useShops()
  let expected: Result
  beforeAll(async () => {
    expected = await undisturbed(shop(SHOP))
  }, 180_000)

  test.each(MOMENTS)('$name: the same tree, no phase lost, no test run counted twice', async (moment) => {
    const { result } = await killedAt(shop(SHOP), moment)
    expect(result).toEqual(expected)
  })
})
