import { expect, test } from 'vitest'
import { sentence } from './sentence.ts'

test('an engine that asks no model is not told to have used tokens of one', () => {
  const usage = { model: 'none', inputTokens: 0, outputTokens: 0, usd: 0 }
  const about = { cursor: '1', at: '2026-01-01T00:00:00.000Z', item: null, agentId: 'agent-1', runId: null }
  const told = sentence({ ...about, event: { type: 'run.used', usage } } as unknown as Parameters<
    typeof sentence
  >[0])
  expect(told).toMatchObject({ text: 'agent-1 asked no model', detail: null })
})
