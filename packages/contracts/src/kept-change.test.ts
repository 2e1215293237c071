import { expect, test } from 'vitest'
import { keptAttempt } from './kept-change.ts'
import { phaseRecord } from './run.ts'

const commit = 'a'.repeat(40)
const kept = { ref: 'refs/treadle/kept/1', commit, refusedBy: ['linter_pass'] as const }
const tested = phaseRecord({
  phase: 'test',
  iteration: 1,
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 1,
  outcome: 'failed',
  kept: { ...kept, refusedBy: [...kept.refusedBy] },
})
const run = (id: string, outcome: string, history = [tested]) => ({ id, base: commit, history, outcome })

test('a change that was kept counts until something is delivered', () => {
  const refused = run('refused', 'escalated')
  const delivered = run('delivered', 'success', [])
  expect(keptAttempt([refused, delivered])).toMatchObject({ runId: 'refused', attempt: 2 })
  expect(keptAttempt([run('empty', 'released', []), refused])).toMatchObject({ runId: 'refused' })
  expect(keptAttempt([delivered, refused])).toBeNull()
  expect(keptAttempt([run('both', 'success')])).toBeNull()
})
