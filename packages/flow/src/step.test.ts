import type { ItemMove } from '@treadle/contracts/event'
import { type Item, ItemState } from '@treadle/contracts/item'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { transition } from 'xstate'
import { workItemMachine } from './item.machine.ts'
import { step } from './step.ts'
import { COMMIT, green, NOW, RUN, red, sampleConfig, sampleItem } from './work/testing/sample.ts'

const HOUR = 3_600_000
const held = {
  claimedByAgentId: 'agent-1',
  claimedAt: new Date(NOW.getTime() - HOUR).toISOString(),
  fence: 3,
  runId: RUN,
} as const
const claim: ItemMove = { type: 'claim.taken', agentId: 'agent-1', runId: RUN }
const started: ItemMove = { type: 'build.started', branch: 'agent-1/project-7', base: COMMIT }
const finished: Extract<ItemMove, { type: 'build.finished' }> = {
  type: 'build.finished',
  summary: 'done',
  checkpoint: COMMIT,
}
const passed: Extract<ItemMove, { type: 'verify.passed' }> = {
  type: 'verify.passed',
  branch: 'agent-1/project-7',
  head: COMMIT,
  gates: [green()],
  pushed: false,
  pushNote: null,
}
const failed: ItemMove = { type: 'verify.failed', gates: [red()], why: 'adds fails' }
const approved: ItemMove = {
  type: 'review.approved',
  approval: { kind: 'human', by: 'owner', at: NOW.toISOString() },
}
const rejected: ItemMove = { type: 'review.rejected', by: 'owner', feedback: 'too clever' }
const landed: ItemMove = { type: 'merge.landed', commit: COMMIT, target: 'main', note: null }
const late: ItemMove = { type: 'deadline.passed', state: 'building' }

function after(item: Item, move: ItemMove, config = sampleConfig()): Item | string {
  const next = step(item, move, { config, now: NOW })
  return next.is === 'moved' ? next.item : next.why
}

const moves: [Partial<Item>, ItemMove, Partial<Item>][] = [
  [{ state: 'todo' }, claim, { state: 'claimed', status: 'in_progress', runId: RUN }],
  [{ state: 'backlog' }, claim, { state: 'claimed' }],
  [
    { state: 'rework', needsRework: true, reason: 'too clever' },
    claim,
    { state: 'claimed', reason: 'too clever' },
  ],
  [{ state: 'claimed', ...held }, started, { state: 'building', branch: 'agent-1/project-7' }],
  [{ state: 'building', ...held }, started, { state: 'building' }],
  [
    { state: 'building', ...held },
    finished,
    { state: 'verifying', attempts: 1, claimedByAgentId: 'agent-1' },
  ],
  [
    { state: 'building', ...held },
    { type: 'build.failed', outcome: 'refused', why: 'cannot' },
    { state: 'escalated', needsHuman: true, reason: 'cannot', claimedByAgentId: null },
  ],
  [
    { state: 'verifying', ...held },
    passed,
    {
      state: 'in_review',
      status: 'in_review',
      needsHuman: true,
      headCommit: COMMIT,
      claimedByAgentId: null,
      claimedAt: null,
    },
  ],
  [
    { state: 'verifying', attempts: 1, ...held },
    failed,
    { state: 'improving', reason: 'adds fails', claimedByAgentId: 'agent-1' },
  ],
  [{ state: 'improving', attempts: 1, ...held }, finished, { state: 'verifying', attempts: 2 }],
  [
    { state: 'in_review' },
    approved,
    { state: 'merging', approval: { kind: 'human', by: 'owner', at: NOW.toISOString() } },
  ],
  [
    { state: 'in_review' },
    rejected,
    { state: 'rework', needsRework: true, reviewCycles: 1, reason: 'too clever', status: 'in_progress' },
  ],
  // Whatever the words say, the move tells who sent it back.
  [
    { state: 'in_review' },
    { ...rejected, feedback: 'push failed: so it seems to me' },
    { state: 'rework', sentBackBy: 'review' },
  ],
  [
    { state: 'merging' },
    { type: 'merge.failed', gates: [], why: 'origin is full', during: 'push' },
    { state: 'rework', needsRework: true, sentBackBy: 'push', reason: 'origin is full' },
  ],
  [
    { state: 'merging', reviewCycles: 2 },
    { type: 'merge.failed', gates: [], why: 'origin is full', during: 'push' },
    { state: 'escalated', needsRework: false, sentBackBy: null },
  ],
  [
    { state: 'rework', needsRework: true, sentBackBy: 'push', reason: 'origin is full' },
    claim,
    { state: 'claimed', sentBackBy: 'push', reason: 'origin is full' },
  ],
  [
    { state: 'building', ...held, needsRework: true, sentBackBy: 'push' },
    { type: 'claim.expired', why: 'silent' },
    { state: 'backlog', needsRework: true, sentBackBy: 'push', reason: 'silent' },
  ],
  [{ state: 'verifying', ...held, needsRework: true, sentBackBy: 'push' }, failed, { sentBackBy: null }],
  // What was asked for is what the next turn, or the next agent, has to read.
  ...(
    [
      { type: 'claim.released', why: 'The provider of the engine is overloaded', engine: 'native' },
      { type: 'claim.expired', why: 'silent' },
      late,
    ] satisfies ItemMove[]
  ).map((move): [Partial<Item>, ItemMove, Partial<Item>] => [
    { state: 'building', ...held, needsRework: true, sentBackBy: 'review', reason: 'too clever' },
    move,
    { state: 'backlog', needsRework: true, sentBackBy: 'review', reason: 'too clever' },
  ]),
  [
    { state: 'verifying', ...held, needsRework: true, sentBackBy: 'review', reason: 'too clever' },
    failed,
    { state: 'improving', sentBackBy: 'review', reason: 'too clever' },
  ],
  [
    {
      state: 'verifying',
      ...held,
      attempts: 99,
      needsRework: true,
      sentBackBy: 'review',
      reason: 'too clever',
    },
    failed,
    { state: 'escalated', sentBackBy: null, reason: 'adds fails' },
  ],
  [
    { state: 'verifying', ...held, needsRework: true, sentBackBy: 'push' },
    passed,
    { state: 'in_review', needsRework: false, sentBackBy: null },
  ],
  [
    { state: 'escalated', needsRework: true, sentBackBy: 'merge' },
    { type: 'item.reopened', by: 'owner' },
    { state: 'backlog', needsRework: false, sentBackBy: null },
  ],
  [{ state: 'merging' }, landed, { state: 'done', mergeCommit: COMMIT, deadlineAt: null }],
  [
    { state: 'merging' },
    { type: 'merge.conflicted', files: ['a.ts'], why: 'conflicts with main' },
    { state: 'conflicted', needsHuman: true, reason: 'conflicts with main: a.ts' },
  ],
  [
    { state: 'merging' },
    { type: 'merge.failed', gates: [red()], why: 'red when merged' },
    { state: 'rework', sentBackBy: 'merge', reason: 'red when merged' },
  ],
  [
    { state: 'escalated' },
    { type: 'item.reopened', by: 'owner' },
    { state: 'backlog', needsHuman: false, reason: null },
  ],
  [{ state: 'withdrawn' }, { type: 'item.reopened', by: 'owner' }, { state: 'backlog' }],
  [
    { state: 'conflicted' },
    { type: 'item.reopened', by: 'owner', words: 'Keep both' },
    { state: 'backlog', reason: 'Keep both', needsRework: true, sentBackBy: 'person', startsAnew: false },
  ],
  [
    { state: 'withdrawn', reviewCycles: 1, needsRework: true, reason: 'withdrawn by ada' },
    { type: 'item.reopened', by: 'ada', as: 'rework', reason: 'add a test' },
    { state: 'rework', reviewCycles: 1, needsRework: true, reason: 'add a test' },
  ],
  [{ state: 'withdrawn' }, { type: 'item.reopened', by: 'ada', as: 'todo' }, { state: 'todo', reason: null }],
  [
    { state: 'building', ...held },
    { type: 'item.assigned', by: 'ada', to: 'agent-2' },
    {
      state: 'backlog',
      claimedByAgentId: null,
      assignedAgentId: 'agent-2',
      reason: 'given to agent-2 by ada',
    },
  ],
  [
    { state: 'rework', needsRework: true, reason: 'add a test' },
    { type: 'item.assigned', by: 'ada', to: 'agent-2' },
    { state: 'rework', assignedAgentId: 'agent-2', reason: 'add a test' },
  ],
  [{ state: 'todo', assignedAgentId: 'agent-1' }, claim, { state: 'claimed', assignedAgentId: null }],
  [
    { state: 'building', ...held },
    { type: 'item.withdrawn', by: 'owner' },
    { state: 'withdrawn', claimedByAgentId: null },
  ],
]

for (const [from, move, to] of moves) {
  test(`${from.state} + ${move.type} → ${to.state}`, () => {
    expect(after(sampleItem(from), move)).toMatchObject(to)
  })
}

verifies('ORCH-2.2-11', 'an event out of order is refused in every state that does not know it', () => {
  const knows: Record<string, readonly ItemState[]> = {
    'claim.taken': ['todo', 'backlog', 'rework'],
    'build.started': ['claimed', 'building'],
    'build.finished': ['building', 'improving'],
    'verify.passed': ['verifying'],
    'verify.failed': ['verifying'],
    'review.approved': ['in_review'],
    'merge.landed': ['merging'],
  }
  for (const move of [claim, started, finished, passed, failed, approved, landed]) {
    const taken = ItemState.options.filter(
      (state) => typeof after(sampleItem({ state, ...held }), move) !== 'string',
    )
    expect([move.type, taken.sort()]).toEqual([move.type, [...(knows[move.type] ?? [])].sort()])
  }
})

test.each(['human', 'never'] as const)(
  'a delivery with a red gate is refused, also with merge.approval %s',
  (approval) => {
    const config = sampleConfig({ merge: { approval } })
    expect(
      after(
        sampleItem({ state: 'verifying', ...held }),
        { ...passed, gates: [green(), red('no_regression')] },
        config,
      ),
    ).toContain('does not go with that')
  },
)

// The build is attempt 1; each further one an improvement. The limit stops when reached.
test.each([
  [1, 'improving'],
  [2, 'improving'],
  [3, 'improving'],
  [4, 'escalated'],
  [5, 'escalated'],
])('a failure after attempt %i leads to %s with three improvements allowed', (attempts, state) => {
  expect(after(sampleItem({ state: 'verifying', attempts, ...held }), failed)).toMatchObject({ state })
})

test.each([
  [0, 'rework'],
  [1, 'rework'],
  [2, 'escalated'],
  [3, 'escalated'],
])('a rejection after %i earlier ones leads to %s with three cycles allowed', (reviewCycles, state) => {
  expect(after(sampleItem({ state: 'in_review', reviewCycles }), rejected)).toMatchObject({
    state,
    reviewCycles: reviewCycles + 1,
  })
})

test.each([
  ['human', 'in_review', true],
  ['reviewer', 'in_review', true],
  ['checks', 'in_review', false],
  ['never', 'merging', false],
] as const)('with merge.approval %s a delivery goes to %s', (approval, state, needsHuman) => {
  const config = sampleConfig({ merge: { approval } })
  expect(after(sampleItem({ state: 'verifying', ...held }), passed, config)).toMatchObject({
    state,
    needsHuman,
  })
})

test('a delivery that its own engine doubts waits for a person, also under the standing order', () => {
  const config = sampleConfig({ merge: { approval: 'checks' } })
  const doubted = after(
    sampleItem({ state: 'building', ...held }),
    { ...finished, confidence: { level: 'low', why: 'one of many' } },
    config,
  ) as Item
  expect(doubted.confidence).toEqual({ level: 'low', why: 'one of many' })
  expect(after(doubted, passed, config)).toMatchObject({
    state: 'in_review',
    needsHuman: true,
    reason: 'low confidence: one of many',
  })
})

test('whoever approves before the checks are done has merged something unproven; what was found stays', () => {
  const delivered = after(sampleItem({ state: 'in_review' }), approved)
  expect(delivered).toMatchObject({ evidence: { level: 'unproven', why: expect.stringContaining('before') } })
  const evidence = { level: 'supported', why: 'the suite is green' } as const
  expect(after(sampleItem({ state: 'in_review', evidence }), approved)).toMatchObject({ evidence })
})

test('the deadline of working states runs from the claim; moving between them buys no time', () => {
  const atClaim = after(sampleItem({ state: 'claimed', ...held }), started) as Item
  const later = after({ ...atClaim, state: 'building' }, finished) as Item
  expect(atClaim.deadlineAt).toBe(new Date(Date.parse(held.claimedAt) + 8 * HOUR).toISOString())
  expect(later.deadlineAt).toBe(atClaim.deadlineAt)
})

verifies('AC-2.2.f', 'an execution past its deadline frees the item to the backlog with the reason', () => {
  for (const state of ['claimed', 'building', 'verifying', 'improving'] as const) {
    expect(after(sampleItem({ state, ...held }), { ...late, state })).toMatchObject({
      state: 'backlog',
      status: 'backlog',
      claimedByAgentId: null,
      claimedAt: null,
      reason: `timeout: no result in ${state}`,
    })
  }
})

test('a deadline in a waiting state only counts a reminder and sets the next one', () => {
  const reminded = after(sampleItem({ state: 'escalated', reason: 'why', reminders: 1 }), {
    type: 'deadline.passed',
    state: 'escalated',
  }) as Item
  expect(reminded).toMatchObject({ state: 'escalated', reason: 'why', reminders: 2 })
  expect(Date.parse(reminded.deadlineAt ?? '')).toBe(NOW.getTime() + 24 * HOUR)
})

test('a step goes where the machine itself goes, from every state with every move', () => {
  const config = sampleConfig()
  for (const state of ItemState.options)
    for (const move of [claim, started, finished, passed, failed, approved, rejected, landed, late]) {
      const item = sampleItem({ state, ...held })
      const delivered = item.headCommit !== null
      const context = { ...item, limits: config.limits, approval: config.merge.approval, delivered }
      const snapshot = workItemMachine.resolveState({ value: state, context })
      const [next] = transition(workItemMachine, snapshot, move)
      const moved = step(item, move, { config, now: NOW })
      const to = moved.is === 'moved' ? moved.item.state : null
      expect([state, move.type, to]).toEqual([state, move.type, snapshot.can(move) ? next.value : null])
    }
})

test('what is left to a person stays so, however often it is reminded of; the reviewer is given nothing to build', () => {
  const config = sampleConfig({ merge: { approval: 'reviewer' }, engines: { reviewer: 'command' } })
  const waiting = after(sampleItem({ state: 'verifying', ...held }), passed, config)
  expect(waiting).toMatchObject({ state: 'in_review', needsHuman: false })
  const item = waiting as Item
  const referred = after(item, { type: 'review.referred', why: 'nonsense' }, config) as Item
  expect(referred).toMatchObject({ state: 'in_review', needsHuman: true, reason: 'nonsense', reminders: 0 })
  const reminded = after(referred, { type: 'deadline.passed', state: 'in_review' }, config)
  expect(reminded).toMatchObject({ needsHuman: true, reminders: 1 })
  expect(after(sampleItem(), { type: 'item.assigned', by: 'ada', to: 'review-agent' })).toContain(
    'builds nothing',
  )
})
