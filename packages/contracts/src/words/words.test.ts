// The words that every surface shares, as the feed, the board and the crew show them.

import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { type EventType, StoredEvent, TreadleEvent } from '../event.ts'
import type { GateResult, TestReport } from '../gate.ts'
import { ItemState } from '../item.ts'
import { EngineOutcome, phaseRecord } from '../run.ts'
import { sentence, shortCommit } from './event.ts'
import { gateSummary, gatesWords } from './gates.ts'
import { STATE_WORDS } from './state.ts'
import { duration, timeAgo } from './time.ts'

const commit = '0123456789abcdef0123456789abcdef01234567'
const at = '2026-11-15T12:00:00.000Z'
const runId = '00000000-1111-4111-8111-000000000001'
const evidence = {
  command: 'npm test',
  exitCode: 0,
  signal: null,
  timedOut: false,
  durationMs: 900,
  output: 'a'.repeat(64),
  outputBytes: 10,
  tail: '',
  report: null,
}
const report: TestReport = {
  format: 'tap',
  total: 5,
  passed: 5,
  failed: 0,
  skipped: 0,
  failures: [],
  warnings: [],
}
const failure = { id: 'a', file: null, line: null, message: 'no', stack: null }
const passed: GateResult = { is: 'passed', gate: 'tests_pass', evidence: { ...evidence, report } }

function tell(event: TreadleEvent, more: Partial<StoredEvent> = {}) {
  const stored = { cursor: '1.1', id: 'event-1-id', at, agentId: 'agent-1', runId: null, state: null, event }
  // Parsed, so that a sample that could not occur fails here.
  return sentence(StoredEvent.parse({ ...stored, item: { projectNumber: 1, number: 4 }, ...more }))
}

const SAMPLES: { [T in EventType]: [Extract<TreadleEvent, { type: T }>, string, string | null] } = {
  'item.added': [{ type: 'item.added', title: 'Fix it' }, '#4 was added', 'Fix it'],
  'item.escalated': [{ type: 'item.escalated', why: 'Gave up' }, '#4 needs you', 'Gave up'],
  'item.withdrawn': [{ type: 'item.withdrawn', by: 'owner' }, 'owner withdrew #4', null],
  'item.reopened': [{ type: 'item.reopened', by: 'owner' }, 'owner put #4 back in the queue', null],
  'item.assigned': [{ type: 'item.assigned', by: 'ada', to: 'agent-2' }, 'ada gave #4 to agent-2', null],
  'claim.taken': [{ type: 'claim.taken', agentId: 'agent-2', runId }, 'agent-2 claimed #4', null],
  'claim.released': [{ type: 'claim.released', why: 'Asked to' }, 'agent-1 gave #4 back', 'Asked to'],
  'claim.expired': [{ type: 'claim.expired', why: 'Silent' }, 'The claim on #4 expired', 'Silent'],
  'claim.extended': [
    { type: 'claim.extended', byMs: 60_000, why: 'agent-1 was paused' },
    'The claim on #4 stands 1 min 0 s longer',
    'agent-1 was paused',
  ],
  'build.started': [
    { type: 'build.started', branch: 'agent-1/project-4', base: commit, from: 'origin/main' },
    'agent-1 started building #4',
    'on agent-1/project-4 from origin/main',
  ],
  'build.finished': [
    { type: 'build.finished', summary: '', checkpoint: commit },
    'agent-1 finished building #4',
    null,
  ],
  'build.failed': [
    { type: 'build.failed', outcome: 'stalled', why: 'No output for 15 min' },
    'Building #4 failed: the engine went silent',
    'No output for 15 min',
  ],
  'verify.passed': [
    {
      type: 'verify.passed',
      branch: 'agent-1/project-4',
      head: commit,
      gates: [passed],
      pushed: false,
      pushNote: 'no remote',
    },
    '#4 passed its checks',
    'tests passed (5 of 5); not pushed: no remote',
  ],
  'verify.failed': [
    { type: 'verify.failed', gates: [passed], why: '1 test fails' },
    '#4 failed its checks',
    '1 test fails',
  ],
  'review.approved': [
    { type: 'review.approved', approval: { kind: 'human', by: 'owner', at } },
    'owner approved #4',
    null,
  ],
  'review.rejected': [
    { type: 'review.rejected', by: 'owner', feedback: 'Add a test' },
    'owner sent #4 back',
    'Add a test',
  ],
  'review.referred': [
    { type: 'review.referred', why: 'it has no criteria' },
    'The review of #4 needs you',
    'it has no criteria',
  ],
  'review.claimed': [
    { type: 'review.claimed', reviewId: 7, cycle: 2 },
    'agent-1 began to review #4',
    'delivery 2',
  ],
  'review.escalated': [
    { type: 'review.escalated', reviewId: 7, why: 'nobody took it' },
    'The review of #4 takes too long',
    'nobody took it',
  ],
  'merge.landed': [
    { type: 'merge.landed', commit, target: 'main', note: null },
    '#4 was merged into main',
    'as 01234567',
  ],
  'merge.conflicted': [
    { type: 'merge.conflicted', files: ['a.ts', 'b.ts'], why: 'Both changed' },
    '#4 conflicts in 2 files',
    'a.ts, b.ts',
  ],
  'merge.failed': [
    { type: 'merge.failed', gates: [], why: 'Red after the merge' },
    '#4 could not be merged',
    'Red after the merge',
  ],
  'merge.auto_resolved': [
    { type: 'merge.auto_resolved', head: commit, onto: commit, how: 'rebase', files: ['a.ts'] },
    "#4 was adapted to the target by a rebase; where both changed the same, the target's side was kept",
    'a.ts',
  ],
  'merge.resumed': [
    { type: 'merge.resumed', by: 'ada', head: commit },
    'ada resolved the conflict of #4',
    null,
  ],
  'merge.delivered': [
    {
      type: 'merge.delivered',
      branch: 'agent-1/project-4',
      head: commit,
      pushed: false,
      note: 'no remote',
    },
    '#4 is done on agent-1/project-4',
    'not pushed: no remote',
  ],
  'item.commented': [
    { type: 'item.commented', by: 'treadle', text: 'It conflicts' },
    'treadle commented on #4',
    'It conflicts',
  ],
  'owner.notified': [
    { type: 'owner.notified', about: 'push', text: 'origin is away' },
    '#4 needs your attention',
    'origin is away',
  ],
  'conflict.predicted': [
    {
      type: 'conflict.predicted',
      branch: 'agent-1/project-4',
      other: 'agent-2/project-5',
      otherItem: { projectNumber: 1, number: 5 },
      files: ['a.ts', 'b.ts'],
      committed: false,
    },
    '#4 will conflict with #5 in 2 files',
    'a.ts, b.ts (not committed yet)',
  ],
  'deadline.passed': [
    { type: 'deadline.passed', state: 'in_review' },
    '#4 took too long',
    'in the state in review',
  ],
  'run.observed': [
    {
      type: 'run.observed',
      observation: { tool: 'bash', input: 'npm test\nmore', output: '', durationMs: 5, success: true },
    },
    'agent-1 used bash',
    'npm test',
  ],
  'run.phase': [
    {
      type: 'run.phase',
      record: phaseRecord({
        phase: 'build',
        iteration: 1,
        startedAt: at,
        durationMs: 27_400,
        outcome: 'max_turns',
        summary: 'Half done',
      }),
    },
    'agent-1 ended the phase build of #4: max turns after 27 s',
    'Half done',
  ],
  'run.baseline': [
    { type: 'run.baseline', base: commit, gates: [passed] },
    'agent-1 ran the checks before its change for #4',
    'tests passed (5 of 5)',
  ],
  'run.used': [
    { type: 'run.used', usage: { model: 'large', inputTokens: 1_200, outputTokens: 340, usd: 0.0123 } },
    'agent-1 used 1,540 tokens of large',
    '$0.0123',
  ],
  'run.resumed': [
    { type: 'run.resumed', from: 'build', why: 'Restarted' },
    'agent-1 resumed #4 from build',
    'Restarted',
  ],
  'agent.started': [{ type: 'agent.started', pid: 42 }, 'agent-1 started', 'process 42'],
  'agent.status_changed': [
    { type: 'agent.status_changed', from: 'idle', to: 'working' },
    'agent-1 is now working',
    null,
  ],
  'agent.status_refused': [
    { type: 'agent.status_refused', from: 'stopped', to: 'working', why: 'It was stopped' },
    'agent-1 said it was working and was not believed',
    'It was stopped',
  ],
  'agent.crashed': [{ type: 'agent.crashed', why: 'SIGKILL' }, 'agent-1 crashed', 'SIGKILL'],
  'agent.stopped': [{ type: 'agent.stopped', why: 'Asked to' }, 'agent-1 stopped', 'Asked to'],
  'recovery.acted': [
    { type: 'recovery.acted', action: 'release_claim', why: 'Gone' },
    'Recovery: release claim',
    'Gone',
  ],
  'cost.logged': [
    {
      type: 'cost.logged',
      model: 'claude-sonnet-4-5',
      tokens: { input: 10, output: 20 },
      costUSD: 0.5,
      assumed: true,
    },
    'agent-1 spent an assumed $0.50',
    'on claude-sonnet-4-5',
  ],
  'budget.crossed': [
    { type: 'budget.crossed', period: 'daily', percent: 90, level: 'error', spentUSD: 45, limitUSD: 50 },
    '90% of the daily budget is spent',
    '$45.00 / $50.00 (90.0%); no new item is claimed',
  ],
  'order.given': [
    {
      type: 'order.given',
      order: 'emergency_stop',
      by: 'ada',
      target: null,
      impact: 'This will stop 1 active agent working on project #4',
      outcome: 'stopped agent-1',
    },
    'ada ordered: emergency stop',
    'stopped agent-1',
  ],
  'daemon.crashed': [
    { type: 'daemon.crashed', why: 'Error: the disk is full' },
    'The daemon crashed',
    'Error: the disk is full',
  ],
  'daemon.started': [
    { type: 'daemon.started', version: '0.1.0', store: 'embedded' },
    'The daemon started',
    'version 0.1.0, embedded database',
  ],
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

test('a standing order is named as what it is', () => {
  const approval = { kind: 'standing_order', by: 'merge.approval=checks', at } as const
  expect(tell({ type: 'review.approved', approval })).toMatchObject({
    text: '#4 was approved by standing order',
    detail: 'of merge.approval=checks',
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
  expect(gateSummary([])).toBe('No gate has run.')
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
