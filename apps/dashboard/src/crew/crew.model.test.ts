import type { Agent } from '@treadle/contracts/agent'
import type { StoredEvent } from '@treadle/contracts/event'
import { blankItem, type Item } from '@treadle/contracts/item'
import type { Review } from '@treadle/contracts/review'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { oneMore } from '../parts/agents.model.ts'
import {
  canStop,
  countCrew,
  countWords,
  elapsedOf,
  healthWords,
  ideatingWords,
  progressOf,
  switchOf,
  workOf,
} from './crew.model.ts'

const NOW = Date.parse('2026-11-15T12:00:00.000Z')

function agent(id: string, more: Partial<Agent> = {}): Agent {
  return {
    id,
    status: 'idle',
    wanted: 'running',
    substate: null,
    health: 'healthy',
    pid: 1,
    pidStarted: null,
    workspace: null,
    frozenAt: null,
    runStatus: 'idle',
    engine: 'scripted',
    item: null,
    runId: null,
    phase: null,
    tasksCompleted: 0,
    errorCount: 0,
    lastError: null,
    memoryMb: null,
    cpuPercent: null,
    restarts: 0,
    startedAt: null,
    lastHeartbeatAt: '2026-11-15T11:59:50.000Z',
    metricsSince: null,
    ...more,
  }
}

test.each([
  [{}, ['Healthy', 'seen 10 s ago']],
  [{ health: 'degraded' }, ['Degraded', 'seen 10 s ago']],
  [{ health: 'unresponsive' }, ['Unresponsive', 'seen 10 s ago']],
  [{ lastHeartbeatAt: null }, ['Healthy', 'not seen yet']],
  [{ status: 'working', wanted: 'stopped' }, ['Healthy', 'stopping', 'seen 10 s ago']],
  [{ status: 'working', wanted: 'paused' }, ['Healthy', 'pauses at the next checkpoint', 'seen 10 s ago']],
  [{ status: 'paused', wanted: 'paused' }, ['Healthy', 'seen 10 s ago']],
  [{ status: 'paused', wanted: 'running' }, ['Healthy', 'resuming', 'seen 10 s ago']],
  [{ status: 'stopped', wanted: 'stopped' }, ['seen 10 s ago']],
  [{ status: 'crashed', wanted: 'running', health: 'unresponsive' }, ['starting', 'seen 10 s ago']],
  [{ status: 'failed', wanted: 'running' }, ['seen 10 s ago']],
] as const)('%o shows %j', (more, signs) => {
  expect(healthWords(agent('agent-1', more), NOW)).toEqual(signs)
})

test('what an agent works on is the item it holds, or the one it reviews', () => {
  const items = [
    { projectNumber: 1, number: 7, title: 'Other' },
    { projectNumber: 2, number: 7, title: 'Mine' },
  ] as Item[]
  const ref = { projectNumber: 2, number: 7 }
  const review = {
    projectNumber: 1,
    issueNumber: 7,
    claimedByAgentId: 'review-agent',
    status: 'in_review',
  } as Review
  expect(workOf(agent('agent-1', { item: ref }), items, [review])).toEqual({
    ref,
    item: items[1],
    review: null,
  })
  expect(workOf(agent('agent-1', { item: ref }), [], [])).toEqual({ ref, item: null, review: null })
  expect(workOf(agent('agent-1'), items, [review])).toBeNull()
  expect(workOf(agent('review-agent'), items, [review])).toEqual({
    ref: { projectNumber: 1, number: 7 },
    item: items[0],
    review,
  })
})

const ALL = ['working', 'reviewing', 'ideating', 'idle', 'paused', 'stopped', 'crashed', 'failed'] as const
verifies('ORCH-1.5-2', 'a crew is counted by who is active, paused and stopped', () => {
  const crew = ALL.map((status, index) => agent(`agent-${index + 1}`, { status }))
  expect(countWords(countCrew(crew))).toBe('8 agents: 4 active, 1 paused, 3 stopped')
  expect(countWords(countCrew(crew.slice(0, 1)))).toBe('1 agent: 1 active, 0 paused, 0 stopped')
})

test.each([
  [['running'], 4, 2],
  [['running', 'stopped', 'paused'], 4, 3],
  [['running', 'running'], 2, null],
  [[], 1, 1],
] as const)('of %j with room for %s, the next is number %s', (wanted, max, count) => {
  const crew = wanted.map((each, index) => agent(`agent-${index + 1}`, { wanted: each }))
  expect(oneMore([...crew, agent('review-agent')], max)).toBe(count)
})

test.each([
  ['working', 'running', 'pause', true],
  ['working', 'paused', 'resume', true],
  ['paused', 'paused', 'resume', true],
  ['stopped', 'stopped', 'start', false],
  ['crashed', 'running', 'start', true],
  ['failed', 'stopped', 'start', false],
  ['working', 'stopped', 'start', false],
] as const)('%s and wanted %s: the button says %s, and stop is there: %s', (status, wanted, order, stop) => {
  expect(switchOf({ status, wanted })).toBe(order)
  expect(canStop({ status, wanted })).toBe(stop)
})

verifies('ORCH-5.1-3', 'progress says which phase of how many, and how much that is', () => {
  const at = (state: Item['state'], attempts = 1) =>
    progressOf(
      blankItem({ number: 1, title: 'x', createdAt: '2026-11-15T12:00:00.000Z', state, attempts }),
      null,
    )
  expect(at('building')).toEqual({ text: 'Phase 2 of 4, building · 50% complete', percent: 50 })
  expect(at('verifying')).toEqual({ text: 'Phase 3 of 4, verifying · 75% complete', percent: 75 })
  expect(at('improving', 3)?.text).toBe('Phase 2 of 4, improving, attempt 3 · 50% complete')
  expect(at('todo')).toBeNull()
  expect(progressOf(null, null)).toBeNull()
})

verifies('ORCH-5.1-4', 'progress of a review is told in criteria', () => {
  const criteria = ['met', 'not_met', 'met', 'pending', 'pending'].map((status) => ({ status }))
  expect(progressOf(null, { criteria } as Review)).toEqual({ text: '3 of 5 criteria validated', percent: 60 })
  expect(progressOf(null, { criteria: [] as unknown } as Review)?.percent).toBe(0)
})

verifies(
  'ORCH-5.1-5',
  'an agent that looks for an improvement says where it looks, and that it writes',
  () => {
    const thought = (type: 'thought.claimed' | 'thought.said', agentId = 'agent-1', kind = 'category_idea') =>
      ({ agentId, event: { type, kind, subject: 'security' } }) as unknown as StoredEvent
    const looks = agent('agent-1', { status: 'ideating' })
    expect(ideatingWords(looks, [thought('thought.claimed')])).toBe('Analyzing repository: Security…')
    const said = [thought('thought.said'), thought('thought.claimed')]
    expect(ideatingWords(looks, said)).toBe('Writing up an improvement: Security…')
    const others = [
      thought('thought.claimed', 'agent-2'),
      thought('thought.claimed', 'agent-1', 'idea_reply'),
    ]
    expect(ideatingWords(looks, others)).toBe('Analyzing repository…')
    expect(ideatingWords(agent('agent-1', { status: 'idle' }), said)).toBeNull()
  },
)

test('time runs from the claim', () => {
  const item = blankItem({ number: 1, title: 'x', createdAt: '2026-11-15T11:00:00.000Z' })
  const now = Date.parse('2026-11-15T12:05:00.000Z')
  expect(elapsedOf({ ...item, claimedAt: '2026-11-15T12:00:00.000Z' }, now)).toBe('5 min 0 s')
  expect(elapsedOf(item, now)).toBeNull()
})
