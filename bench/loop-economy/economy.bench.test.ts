// The table of node bench/loop-economy/run.ts with fewer seeds.
import { expect, test } from 'vitest'
import { measureAll, missed } from './economy.ts'
import { printTable } from './table.ts'

const SEEDS = 200

test('model calls of the test loop of seed 004 and of ours', async () => {
  const sections = await measureAll(SEEDS)
  process.stdout.write(printTable(sections))
  expect(missed(sections)).toEqual([])
})
