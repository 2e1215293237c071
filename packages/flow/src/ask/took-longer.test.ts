import { blankItem } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { tookLonger } from './took-longer.ts'

const HOUR = 3_600_000
const NOW = new Date('2026-11-16T12:00:00.000Z')
const item = (
  hoursAgo: number,
  estimateHours: number | null,
  state: 'building' | 'in_review' = 'building',
) => ({
  ...blankItem({ number: 4, title: 'A table', createdAt: NOW.toISOString(), state }),
  runId: '00000000-1111-4111-8111-000000000001',
  claimedAt: new Date(NOW.getTime() - hoursAgo * HOUR).toISOString(),
  estimateHours,
})

test.each([
  ['less than three times its estimate', item(2.99, 1), false],
  ['exactly three times its estimate', item(3, 1), false],
  ['more than three times its estimate', item(3.01, 1), true],
  ['a long time without an estimate', item(100, null), false],
  ['a long time, and is delivered', item(100, 1, 'in_review'), false],
])('work that took %s', (_, given, told) => {
  expect(tookLonger(given, NOW) !== null).toBe(told)
})
