import { expect, test } from 'vitest'
import { makeFaults } from './faults.ts'
import { measureLayout } from './measure.ts'
import { figuresOf, printTable } from './table.ts'

// The harder of the two layouts; run.ts measures both, with every fault.
test('with one entry for all modules no failing test is missed, with fewer tests than vitest --changed', async () => {
  const faults = makeFaults().filter((_, index) => index % 26 === 0)
  const result = await measureLayout('entry', faults, () => undefined)
  const figures = figuresOf(result)
  expect(figures.faults).toBeGreaterThanOrEqual(4)
  expect(result.rows.flatMap((row) => row.ours.missed)).toEqual([])
  expect(figures.ours.tests).toBeLessThan(figures.changed.tests)
  expect(figures.changed.tests).toBeLessThanOrEqual(figures.full.tests)
  expect(printTable([figures])).toContain('vitest --changed')
})
