import type { StoredEvent, TreadleEvent } from '@treadle/contracts/event'
import { expect, test } from 'vitest'
import { tileCost, tileNow } from './agent-tile.model.ts'

const RUN = '00000000-1111-4111-8111-000000000001'
const newestFirst = (...all: readonly TreadleEvent[]): StoredEvent[] =>
  all.map((event, n) => ({
    cursor: `1.${all.length - n}`,
    id: `event-${n}`,
    at: '2026-11-15T12:00:00.000Z',
    item: { projectNumber: 1, number: 4 },
    agentId: 'agent-1',
    runId: RUN,
    state: null,
    event,
  }))

test('the tile shows the newest call and the last line said, of this run alone', () => {
  const events = newestFirst(
    { type: 'run.began', callId: 'c', tool: 'bash', input: 'npm test\n--all' },
    { type: 'run.said', text: 'First\nNow the tests \u202e\n' },
    { type: 'run.said', text: 'older' },
  )
  expect(tileNow('agent-1', RUN, events)).toMatchObject({
    call: { tool: 'bash', input: 'npm test --all', isRunning: true },
    line: 'Now the tests [U+202E]',
  })
  expect(tileNow('agent-2', RUN, events)).toEqual({ call: null, line: null, used: null })
  expect(tileNow('agent-1', null, events)).toEqual({ call: null, line: null, used: null })
})

test('whoever reads the delivery of a run shows what it says of it', () => {
  const thought = '00000000-1111-4111-8111-000000000009'
  const said = {
    thought,
    kind: 'review_judge',
    subject: 'review-7',
    text: 'I look at it.\nC1 is met',
  } as const
  const events = newestFirst({ type: 'thought.said', ...said })
  expect(tileNow('agent-1', RUN, events)).toMatchObject({ line: 'C1 is met', call: null })
})

test('tokens and money are those of the run', () => {
  const used = { model: 'm', inputTokens: 10, outputTokens: 5 }
  expect(
    tileCost({
      usage: [
        { ...used, usd: 0.25 },
        { ...used, usd: null },
      ],
    }),
  ).toEqual({ tokens: 30, usd: 0.25 })
  expect(tileCost({ usage: [] })).toEqual({ tokens: 0, usd: null })
})
