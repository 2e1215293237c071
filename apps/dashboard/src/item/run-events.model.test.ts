import type { StoredEvent, TreadleEvent } from '@treadle/contracts/event'
import { expect, test } from 'vitest'
import { runEventsOf, stepInput, stepTone } from './run-events.model.ts'

const AT = '2026-11-15T12:00:00.000Z'
const told = (...events: object[]) =>
  events.map(
    (event, index) => ({ at: AT, cursor: `1.${index}`, event: event as TreadleEvent }) as StoredEvent,
  )
const used = (usd: number | null) => ({
  type: 'run.used',
  usage: { model: 'm', inputTokens: 1, outputTokens: 1, usd },
})
const step = (tool: string) => ({
  type: 'run.observed',
  observation: { tool, input: '', output: '', durationMs: 1, success: true },
})
const planned = (iteration: number) => ({ type: 'run.planned', plan: { iteration, tasks: [] } })
const reflected = (iteration: number, verdict: string) => ({
  type: 'run.reflected',
  reflection: { iteration, verdict },
})

test('steps and costs belong to the attempt whose build ends after them', () => {
  const { attempts } = runEventsOf(
    told(
      step('read'),
      used(0.25),
      // An agent that was started again goes on with the same attempt.
      { type: 'run.resumed' },
      used(0.25),
      { type: 'build.finished' },
      { type: 'verify.failed' },
      step('edit'),
      used(0.5),
      used(null),
      { type: 'build.failed' },
      step('look'),
    ),
  )
  expect(attempts.map(({ attempt, usd, steps }) => [attempt, usd, steps.map(({ tool }) => tool)])).toEqual([
    [1, 0.5, ['read']],
    [2, 0.5, ['edit']],
    [3, null, ['look']],
  ])
})

test('the rounds of a goal hold their steps; what comes after the reflection is no part of the round', () => {
  const { attempts, end, at } = runEventsOf(
    told(
      planned(1),
      step('a'),
      reflected(1, 'not_yet'),
      step('between'),
      planned(2),
      step('b'),
      step('c'),
      reflected(2, 'achieved'),
      { type: 'run.moved', to: 'complete' },
      { type: 'run.concluded', end: { outcome: 'goal_achieved', iterations: 2, summary: 'x' } },
    ),
  )
  const [events] = attempts
  expect(events?.rounds.map(({ steps, reflection }) => [steps.length, reflection?.verdict])).toEqual([
    [1, 'not_yet'],
    [2, 'achieved'],
  ])
  expect(events?.steps.map(({ tool }) => tool)).toEqual(['between'])
  expect([end?.outcome, at]).toEqual(['goal_achieved', 'complete'])
})

test('a run of which nothing is told has no attempt', () => {
  expect(runEventsOf([])).toEqual({ attempts: [], end: null, at: null })
})

test('a step is one line, and says whether it was let happen', () => {
  expect(stepInput(`  a\n  b ${'x'.repeat(500)}`)).toHaveLength(160)
  const observation = { tool: 't', input: '', output: '', durationMs: 1 }
  expect(stepTone({ ...observation, success: false, denied: true }).words).toBe('not allowed')
  expect(stepTone({ ...observation, success: false }).tone).toBe('bad')
})
