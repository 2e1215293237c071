// The words that every surface shares, as the feed, the board and the crew show them.

import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { sentence } from '../event/sentence.ts'
import { StoredEvent, TreadleEvent } from '../event.ts'
import type { GateResult } from '../gate.ts'
import { ItemState } from '../item.ts'
import { EngineOutcome } from '../run.ts'
import { shortCommit } from './commit.ts'
import { cutWords, gateSummary, gatesWords } from './gates.ts'
import { at, evidence, failure, passed, runId, SAMPLES } from './samples.ts'
import { STATE_WORDS } from './state.ts'
import { duration, timeAgo } from './time.ts'

function tell(event: TreadleEvent, more: Partial<StoredEvent> = {}) {
  const stored = { cursor: '1.1', id: 'event-1-id', at, agentId: 'agent-1', runId: null, state: null, event }
  // Parsed, so that a sample that could not occur fails here.
  return sentence(StoredEvent.parse({ ...stored, item: { projectNumber: 1, number: 4 }, ...more }))
}

const types = TreadleEvent.options.map((option) => option.shape.type.value)

test.each(types)('%s is told as a sentence', (type) => {
  const [event, text, detail] = SAMPLES[type]
  expect(event.type).toBe(type)
  expect(tell(event)).toMatchObject({ text, detail })
})

test.each([
  [{ state: 'in_review' }, '#4 passed its checks and is in review'],
  [{ state: 'merging' }, '#4 passed its checks'],
])('a change that passed with %o', (more, text) => {
  expect(tell(SAMPLES['verify.passed'][0], more).text).toBe(text)
})

test('a conversation that goes on from an earlier run is told as that', () => {
  const event = { type: 'run.session', engine: 'native', session: 's1', from: runId } as const
  expect(tell(event).text).toBe('agent-1 goes on talking with native about #4')
})

test('a standing order is named as what it is', () => {
  const approval = { kind: 'standing_order', by: 'merge.approval=checks', at } as const
  expect(tell({ type: 'review.approved', approval })).toMatchObject({
    text: '#4 was approved automatically',
    detail: 'by merge.approval=checks',
  })
})

test.each([
  ['merge.landed', 'good'],
  ['item.escalated', 'attention'],
  ['agent.crashed', 'bad'],
  ['claim.taken', 'busy'],
  ['item.added', 'plain'],
] as const)('%s looks %s', (type, tone) => {
  expect(tell(SAMPLES[type][0]).tone).toBe(tone)
})

test.each(EngineOutcome.options.map((outcome) => ({ outcome })))('$outcome has words', ({ outcome }) => {
  expect(tell({ type: 'build.failed', outcome, why: 'x' }).text).toMatch(/^Building #4 failed: [a-z ]+$/)
})

test('a failed tool is told as failed', () => {
  const observation = { tool: 'bash', input: 'x'.repeat(500), output: '', durationMs: 5, success: false }
  const line = tell({ type: 'run.observed', observation })
  expect(line.text).toBe('agent-1: bash failed')
  expect(line.detail).toHaveLength(160)
})

test.each<[GateResult, string]>([
  [passed, 'tests passed (5 of 5)'],
  [{ is: 'passed', gate: 'secrets', evidence }, 'secrets passed'],
  [
    { is: 'passed_with_warnings', gate: 'linter_pass', evidence, warnings: ['w'] },
    'lint passed with warnings',
  ],
  [{ is: 'failed', gate: 'coverage_pass', evidence, failures: [failure] }, 'coverage failed (1)'],
  [{ is: 'skipped', gate: 'test_integrity', why: 'off' }, 'test integrity skipped'],
  [{ is: 'not_run', gate: 'no_regression', why: 'crash' }, 'no regression not run'],
])('a gate in words: %#', (gate, words) => {
  expect(gatesWords([gate])).toBe(words)
})

verifies('META-GATE-10', 'the state of every gate is told in a summary: verdict, result, reason', () => {
  const failed: GateResult = {
    is: 'failed',
    gate: 'linter_pass',
    evidence: { ...evidence, durationMs: 1_234 },
    failures: [1, 2, 3, 4].map((line) => ({
      ...failure,
      id: `a.ts > line ${line}`,
      message: 'no var\nmore',
    })),
  }
  const missing: GateResult = { is: 'not_run', gate: 'coverage_pass', why: 'there is no report' }
  const warned: GateResult = { is: 'passed_with_warnings', gate: 'secrets', evidence, warnings: ['old key'] }
  const lines = gateSummary([passed, failed, missing, warned]).split('\n')
  expect(lines[0]).toBe('Blocked by lint, coverage.')
  expect(lines[1]).toMatch(/^- tests passed \(\d+ of \d+\), /)
  expect(lines.slice(2, 8)).toEqual([
    '- lint failed (4), 1.2 s',
    '  a.ts > line 1: no var',
    '  a.ts > line 2: no var',
    '  a.ts > line 3: no var',
    '  and 1 more',
    '- coverage not run: there is no report',
  ])
  expect(lines.at(-1)).toBe('  old key')
  expect(gateSummary([passed, warned])).toMatch(/^Every configured gate holds\.\n- tests passed/)
  const untested: GateResult = { is: 'skipped', gate: 'tests_pass', why: 'no tests: no command' }
  expect(gateSummary([untested, warned])).toMatch(/^Every configured gate holds, but no test has run\.\n/)
  expect(gateSummary([])).toBe('No gate has run.')
})

test('an output that was not kept whole is told with how much of how much', () => {
  const cut = { ...evidence, outputBytes: 104_857_600, printedBytes: 1_073_741_824 }
  const words = '100.0 MB of 1024.0 MB of its output are kept: the beginning and the end'
  expect(cutWords(evidence)).toBeNull()
  expect(cutWords(cut)).toBe(words)
  expect(gateSummary([{ is: 'passed', gate: 'tests_pass', evidence: cut }])).toContain(words)
})

test.each(ItemState.options.map((state) => ({ state })))('$state has words', ({ state }) => {
  expect(STATE_WORDS[state].words).toMatch(/^[A-Z][a-z ]+$/)
})

test('a commit is shown by its first eight digits', () => {
  expect(shortCommit('0123456789abcdef0123456789abcdef01234567')).toBe('01234567')
})

const NOW = Date.parse('2026-11-15T12:00:00.000Z')

test.each([
  ['2026-11-15T12:00:03.000Z', 'just now'],
  ['2026-11-15T11:59:56.000Z', 'just now'],
  ['2026-11-15T11:59:55.000Z', '5 s ago'],
  ['2026-11-15T11:59:00.001Z', '59 s ago'],
  ['2026-11-15T11:59:00.000Z', '1 min ago'],
  ['2026-11-15T11:00:01.000Z', '59 min ago'],
  ['2026-11-15T11:00:00.000Z', '1 h ago'],
  ['2026-11-14T12:00:01.000Z', '23 h ago'],
  ['2026-11-14T12:00:00.000Z', '1 day ago'],
  ['2026-11-08T12:00:00.000Z', '7 days ago'],
])('%s is %s', (at, words) => {
  expect(timeAgo(at, NOW)).toBe(words)
})

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_000, '1.0 s'],
  [10_000, '10 s'],
  [59_999, '59 s'],
  [61_000, '1 min 1 s'],
  [3_720_000, '1 h 2 min'],
])('%d ms is %s', (ms, words) => {
  expect(duration(ms)).toBe(words)
})
