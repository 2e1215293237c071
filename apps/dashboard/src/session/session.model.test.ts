import type { StoredEvent, TreadleEvent } from '@treadle/contracts/event'
import { phaseRecord } from '@treadle/contracts/run'
import { expect, test } from 'vitest'
import { changeAt, countDiff, oneLine, plain, replayPauseMs, sessionOf } from './session.model.ts'

const START = Date.parse('2026-11-15T12:00:00.000Z')
const events = (...all: readonly TreadleEvent[]): StoredEvent[] =>
  all.map((event, n) => ({
    cursor: `1.${n + 1}`,
    id: `event-${n}`,
    at: new Date(START + n * 1_000).toISOString(),
    item: { projectNumber: 1, number: 4 },
    agentId: 'agent-1',
    runId: '00000000-1111-4111-8111-000000000001',
    state: null,
    event,
  }))
const observation = { tool: 'bash', input: 'ls', output: 'a\n', durationMs: 5, success: true }
const began = { type: 'run.began', callId: 'c', tool: 'bash', input: 'ls' } as const

test('what is said in a row is one paragraph, and a call shows its output where it began', () => {
  const shown = sessionOf(
    events(
      { type: 'run.said', text: 'one' },
      { type: 'run.said', text: 'two', leftOut: 7 },
      began,
      { type: 'run.said', text: 'meanwhile' },
      { type: 'run.observed', observation },
      began,
    ),
  )
  expect(shown).toMatchObject([
    { is: 'said', text: 'one\ntwo', leftOut: 7 },
    { is: 'call', state: 'worked', output: 'a\n', durationMs: 5 },
    { is: 'said', text: 'meanwhile' },
    { is: 'call', state: 'running', output: '' },
  ])
})

test('a call without a beginning stands where it ended; one that its turn has outlived is cut off', () => {
  const shown = sessionOf(
    events({ type: 'run.observed', observation: { ...observation, success: false } }, began, {
      type: 'build.failed',
      why: 'crashed',
    } as TreadleEvent),
  )
  expect(shown).toMatchObject([
    { is: 'call', state: 'failed' },
    { is: 'call', state: 'cut off' },
    { is: 'mark' },
  ])
})

test('terminal codes go, and what turns the direction of text is shown', () => {
  expect(plain('\u001b[31mred\u001b[0m\u001b]0;title\u0007 \u0000x\r\ny')).toBe('red x\ny')
  expect(plain('a\u202eb')).toBe('a[U+202E]b')
  expect(oneLine(`a\n  ${'b'.repeat(300)}`)).toHaveLength(160)
  expect(sessionOf(events({ type: 'run.said', text: '<img src=x>' }))).toMatchObject([
    { text: '<img src=x>' },
  ])
})

test('megabytes of escape codes are read in no time', () => {
  expect(plain('\u001b['.repeat(500_000)).length).toBeLessThan(1_000_000)
})

test('a replay shows the changes of the attempts that were over, and waits as the run did within bounds', () => {
  const record = phaseRecord({
    phase: 'build',
    iteration: 0,
    startedAt: new Date(START).toISOString(),
    durationMs: 5_000,
    outcome: 'done',
    diff: 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a\n+b\n+c\n',
  })
  expect(changeAt([record], START + 1_000)).toBe('')
  expect(countDiff(changeAt([record], START + 6_000))).toEqual({ files: 1, added: 2, removed: 1 })
  const some = events(began, began)
  expect(replayPauseMs(some, 1, 1)).toBe(1_000)
  expect(replayPauseMs(some, 1, 4)).toBe(250)
  expect(replayPauseMs(some, 2, 1)).toBe(120)
})
