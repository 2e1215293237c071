import { phaseRecord } from '@treadle/contracts/run'
import { expect, test } from 'vitest'
import { RUN } from '../work/testing/sample.ts'
import { disagreementText } from './disagreement.ts'

test('both views are there, delivery by delivery', () => {
  const text = disagreementText({
    item: { number: 7, title: 'Mend the pump' },
    reviews: [
      {
        cycle: 1,
        runId: RUN,
        completedByAgentId: 'agent-1',
        feedback: 'It leaks',
        decidedBy: 'review-agent',
      },
      { cycle: 2, runId: 'none', completedByAgentId: 'agent-2', feedback: null, decidedBy: null },
    ],
    runs: [
      {
        id: RUN,
        history: [
          phaseRecord({
            phase: 'build',
            iteration: 0,
            startedAt: '2026-01-02T03:04:05.000Z',
            durationMs: 1,
            outcome: 'done',
            summary: 'Sealed the valve',
            changes: ['pump.ts'],
          }),
        ],
      },
    ],
  })
  expect(text).toMatch(/^@review-escalation #7 Mend the pump was rejected 2 times/)
  expect(text).toContain('### Delivery 1, by review-agent\n\n> It leaks')
  expect(text).toContain('### Delivery 1, by agent-1\n\n- build: Sealed the valve (changed pump.ts)')
  expect(text).toContain('### Delivery 2, by agent-2\n\nIt left no words.')
})
