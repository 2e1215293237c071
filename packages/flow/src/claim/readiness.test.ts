// Agents that meet trouble where a look at the target finds none are believed after three such looks, not after three
// agents.
import type { ReadinessFound, Trouble } from '@treadle/contracts/readiness'
import { expect, test } from 'vitest'
import { afterDoubt, isLookDue, type ReadinessRecord, type VainLooks } from './readiness.ts'

const met: Trouble = {
  kind: 'timed_out',
  text: 'It did not end.',
  setting: 'tests.timeoutMs',
  value: null,
  lines: '',
}
const baseline = { command: 'npm test', tookMs: 1, passed: 1, failed: 0, failing: [] }
const ready: ReadinessFound = { is: 'ready', baseline, setupMs: 1 }
const MINUTE = 60_000

interface Turn {
  readonly minute: number
  readonly doubts?: number
  readonly found?: ReadinessFound
  readonly key?: string
  readonly commit?: string
}

function looks(turns: readonly Turn[]): string[] {
  let vain: VainLooks | null = null
  return turns.map(({ minute, doubts = 1, found = ready, key = 'k', commit = 'c' }) => {
    const look: ReadinessRecord = { key, commit, at: new Date(minute * MINUTE).toISOString(), found }
    const after = afterDoubt(
      look,
      Array.from({ length: doubts }, () => met),
      vain,
    )
    vain = after.vain
    return after.found.is
  })
}

test.for<[string, Turn[], boolean]>([
  ['many agents at once, and one look', [{ minute: 0, doubts: 9 }], false],
  [
    'two looks',
    [
      { minute: 0, doubts: 4 },
      { minute: 5, doubts: 4 },
    ],
    false,
  ],
  ['three looks', [{ minute: 0 }, { minute: 5 }, { minute: 10 }], true],
  [
    'a look that nobody doubted',
    [{ minute: 0 }, { minute: 1 }, { minute: 2, doubts: 0 }, { minute: 3 }],
    false,
  ],
  ['another target', [{ minute: 0 }, { minute: 1 }, { minute: 2, commit: 'd' }], false],
  ['other settings', [{ minute: 0 }, { minute: 1 }, { minute: 2, key: 'l' }], false],
  ['hours between them', [{ minute: 0 }, { minute: 90 }, { minute: 300 }], false],
  ['two together, and one hours later', [{ minute: 0 }, { minute: 5 }, { minute: 200 }], false],
  [
    'a look that found it, in between',
    [{ minute: 0 }, { minute: 1 }, { minute: 2, found: { is: 'not_ready', trouble: met } }, { minute: 3 }],
    false,
  ],
])('%s', ([, turns, isBelieved]) => {
  expect(looks(turns).at(-1)).toBe(isBelieved ? 'not_ready' : 'ready')
})

test('a look that broke off is tried again, and not at once', () => {
  const at = new Date(0).toISOString()
  const record = { key: 'k', commit: 'c', at, found: ready, isBroken: true as const }
  const facts = { record, key: 'k', commit: 'c', isAsked: false }
  expect(isLookDue({ ...facts, now: 2 * MINUTE })).toBe(false)
  expect(isLookDue({ ...facts, now: 20 * MINUTE })).toBe(true)
  expect(isLookDue({ ...facts, now: 2 * MINUTE, isAsked: true })).toBe(true)
})
