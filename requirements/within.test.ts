import { expect, test } from 'vitest'
import { expectWithin, timed } from './within.ts'

/** Takes these times, one after the other, and counts how often it was asked. */
function taking(...times: number[]) {
  const given: number[] = []
  const measure = async (triesBefore: number) => {
    given.push(triesBefore)
    return times[triesBefore] ?? 0
  }
  return { measure, given }
}

test('a first try that keeps the time is enough', async () => {
  const { measure, given } = taking(100)
  await expectWithin(100, measure)
  expect(given).toEqual([0])
})

test('the third try may keep it', async () => {
  const { measure, given } = taking(900, 101, 99)
  await expectWithin(100, measure)
  expect(given).toEqual([0, 1, 2])
})

test('six tries that do not keep it fail, with the times', async () => {
  const { measure } = taking(900, 300.4, 200, 400, 500, 600, 1)
  const all = '900 ms, 300 ms, 200 ms, 400 ms, 500 ms, 600 ms'
  await expect(expectWithin(100, measure)).rejects.toThrow(`the best of ${all}`)
})

test('what is timed has happened, and its failure is one', async () => {
  let happened = false
  const ms = await timed(async () => {
    happened = true
  })
  expect([happened, ms >= 0]).toEqual([true, true])
  await expect(timed(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
})
