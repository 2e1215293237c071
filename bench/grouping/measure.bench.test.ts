// A small part of the benchmark, really run: our groups beat the two simple ways and keep causes apart.
import { expect, test } from 'vitest'
import { measure } from './measure.ts'

test('few scenarios: few wrong pairs, most right ones, about one job for a fault', async () => {
  const [all] = await measure({ sides: ['tuning'], perCount: 2, seed: '' })
  const scoreOf = (method: string) => all?.rows.find((row) => row.method === method)?.score
  const ours = scoreOf('ours')
  expect(all?.rows[0]?.score).toMatchObject({ scenarios: 8, faults: 20, recall: 0 })
  expect(ours?.precision).toBeGreaterThanOrEqual(0.9)
  expect(ours?.recall).toBeGreaterThan((scoreOf('exact message')?.recall ?? 1) + 0.3)
  expect(ours?.jobsPerFault).toBeLessThanOrEqual(1.3)
  expect(ours?.jobs).toBeLessThan(scoreOf('one job per test')?.jobs ?? 0)
})
