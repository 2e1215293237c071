import type { StoredEvent, TreadleEvent } from '@treadle/contracts/event'
import { blankItem, type Item } from '@treadle/contracts/item'
import type { GoalEnd } from '@treadle/contracts/paor'
import { blankRun } from '@treadle/contracts/run'
import { expect, test } from 'vitest'
import { AT_FIRST, goalAfter, keptLines, statusLine, stepsWords } from './goal-progress.ts'
import { type GoalFacts, type GoalReport, goalReport, reportLines } from './goal-report.ts'

const AT = '2026-01-01T00:00:00.000Z'
const RUN = '00000000-0000-4000-8000-000000000001'
const ref = { projectNumber: 1, number: 3 }

const stored = (event: TreadleEvent): StoredEvent => ({
  cursor: '1.1',
  id: 'event-000',
  at: AT,
  item: ref,
  agentId: 'agent-1',
  runId: RUN,
  state: 'building',
  event,
})
const plan: TreadleEvent = {
  type: 'run.planned',
  plan: {
    iteration: 2,
    tasks: [{ id: 'a', text: 'Search\nand more', dependsOn: [], by: 'self' }],
    scope: ['src/utils'],
    guidance: ['Search only in /src/utils'],
    why: '',
  },
}
const observed: TreadleEvent = {
  type: 'run.observed',
  observation: { tool: 'run', input: 'grep x', output: 'a lot of output', durationMs: 5, success: true },
}
const asked: TreadleEvent = {
  type: 'run.asked',
  question: { id: 'q', kind: 'choice', title: 'Which?', options: ['red', 'blue'] },
}
const guided = (answers: string | null): TreadleEvent => ({
  type: 'run.guided',
  guidance: { id: RUN, by: 'ann', text: 'blue', answers },
})

test('the line at the bottom follows the goal', () => {
  const events: TreadleEvent[] = [{ type: 'claim.taken', agentId: 'agent-1', runId: RUN }, plan]
  const moved: TreadleEvent = { type: 'run.moved', to: 'acting' }
  const acting = [...events, moved, observed].map(stored).reduce(goalAfter, AT_FIRST)
  expect(statusLine(acting, 61_000)).toBe('iteration 2 · acting · 1 min 1 s · run grep x')
  const waiting = goalAfter(acting, stored(asked))
  expect(statusLine(waiting, 0)).toContain('waiting for you')
  expect(goalAfter(waiting, stored(guided(null))).question).not.toBeNull()
  expect(goalAfter(waiting, stored(guided('q'))).question).toBeNull()
  expect(statusLine(AT_FIRST, 500)).toBe('waiting for an agent · 500 ms')
})

test('what stays on the screen is what matters; outputs of tools only where they are asked for', () => {
  expect(keptLines(stored(plan), false)).toEqual(['Plan 2 (only in src/utils): Search'])
  expect(keptLines(stored(asked), false)).toEqual(['? Which?', '    1. red', '    2. blue'])
  expect(keptLines(stored(guided(null)), false)).toEqual(['> ann: blue'])
  expect(keptLines(stored(observed), false)).toEqual([])
  expect(keptLines(stored(observed), true)).toEqual(['    run grep x'])
  expect(stepsWords([plan, observed].map(stored))).toContain('a lot of output')
})

const end = (outcome: GoalEnd['outcome']): GoalEnd => ({ outcome, iterations: 1, summary: 'As it went.' })
const item = (changes: Partial<Item>): Item =>
  blankItem({ number: 3, title: 'Goal', createdAt: AT, ...changes })

test.each([
  [{ state: 'done' }, 'goal_achieved', null, 0],
  [{ state: 'in_review', needsHuman: true }, 'goal_achieved', null, 0],
  [{ state: 'escalated', needsHuman: true }, 'goal_achieved', null, 1],
  [{ state: 'escalated', needsHuman: true }, 'max_iterations', null, 1],
  [{ state: 'withdrawn' }, null, null, 1],
  [{ state: 'building' }, null, 'Which?', 3],
  [{ state: 'conflicted', needsHuman: true }, 'goal_achieved', null, 3],
] as const)('%j after %s, asked %j, ends with exit code %i', (state, outcome, question, code) => {
  expect(reportOf(state, { end: outcome === null ? null : end(outcome), question }).exitCode).toBe(code)
})

function reportOf(state: Partial<Item>, facts: Partial<GoalFacts>): GoalReport {
  return goalReport({ item: item(state), run: null, end: null, question: null, idle: null, ...facts })
}

test('what the engine held for achieved and the checks refused is not told as achieved', () => {
  const reason = 'the engine changed nothing'
  const refused = reportOf({ state: 'escalated', needsHuman: true, reason }, { end: end('goal_achieved') })
  expect(refused).toMatchObject({ outcome: 'not_delivered', exitCode: 1 })
  expect(refused.summary).toContain('Goal not achieved: the engine changed nothing')
  const failed = reportOf({ state: 'escalated', needsHuman: true, reason }, { end: end('max_iterations') })
  expect(failed).toMatchObject({ outcome: 'max_iterations', summary: 'As it went.' })
  const held = reportOf({ state: 'conflicted', reason: 'a.ts' }, { end: end('goal_achieved') })
  expect(held).toMatchObject({ outcome: 'goal_achieved', summary: 'Achieved, but not merged: a.ts' })
})

test('a goal that nobody can work on says why, and waits for a person', () => {
  const report = reportOf({ state: 'backlog' }, { idle: 'native rests until 10:00:00: no credit' })
  expect(report).toMatchObject({ exitCode: 3, next: ['treadle doctor', 'treadle run --attach 3'] })
  expect(report.summary).toContain('native rests until 10:00:00: no credit')
})

test('the report says what changed, what it cost and what comes next', () => {
  const usage = [0.02, 0.03].map((usd) => ({ model: 'm', inputTokens: 1, outputTokens: 1, usd }))
  const run = blankRun({ id: RUN, item: ref, agentId: 'agent-1', startedAt: AT, usage })
  const facts = { item: item({ state: 'in_review', needsHuman: true }), run, end: end('goal_achieved') }
  const report = goalReport({ ...facts, question: null, idle: null })
  expect(report.costUSD).toBeCloseTo(0.05)
  const lines = reportLines({ ...report, changed: ['a.ts'] })
  expect(lines).toEqual([
    'As it went.',
    'Changed: a.ts',
    'Cost: $0.05',
    'Next: treadle approve 3   or   treadle request-changes 3 --feedback "…"',
  ])
})
