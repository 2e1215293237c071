import { expect, test } from 'vitest'
import { atSomePace } from './pace.ts'

test('a machine that keeps up is asked once, a slow one is given more time', async () => {
  const tried: number[] = []
  const needs = (ms: number) => async (unitMs: number) => {
    tried.push(unitMs)
    expect(unitMs).toBeGreaterThanOrEqual(ms)
  }
  await atSomePace(needs(10), [10, 20, 40])
  expect(tried.splice(0)).toEqual([10])
  await atSomePace(needs(40), [10, 20, 40])
  expect(tried).toEqual([10, 20, 40])
})

test('what is wrong at every pace fails, with the last failure', async () => {
  const wrong = (unitMs: number) => Promise.reject(new Error(`wrong at ${unitMs}`))
  await expect(atSomePace(wrong, [10, 20])).rejects.toThrow('wrong at 20')
})
