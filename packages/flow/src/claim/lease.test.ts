import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { decideLease } from './lease.ts'

verifies('AC-2.1.d', 'a claim falls only when it is older than 8 h and its holder is not well', () => {
  const claimMs = 8 * 3_600_000
  const table = [
    [claimMs - 1, 'unresponsive', 'keep'],
    [claimMs, 'unresponsive', 'keep'],
    [claimMs + 1, 'unresponsive', 'release'],
    [claimMs + 1, 'degraded', 'release'],
    [claimMs + 1, null, 'release'],
    [claimMs + 1, 'healthy', 'keep'],
    [claimMs * 10, 'healthy', 'keep'],
  ] as const
  for (const [age, holder, is] of table) {
    expect([age, holder, decideLease({ now: 1e12, claimedAt: 1e12 - age, holder, claimMs }).is]).toEqual([
      age,
      holder,
      is,
    ])
  }
})
