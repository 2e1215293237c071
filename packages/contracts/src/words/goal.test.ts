import { verifies } from '@treadle/requirements/verifies'
import { expect } from 'vitest'
import { Plan, Reflection } from '../paor.ts'
import type { Observation } from '../run.ts'
import { type GoalHistory, goalSummary, roundWords } from './goal.ts'

const observed = (tool: string, input: string, given: Partial<Observation> = {}): Observation => ({
  tool,
  input,
  output: '',
  durationMs: 12.3,
  success: true,
  ...given,
})
const NOISE = Array.from({ length: 200 }, (_, at) => `ok ${at} - terminal output of the test run`).join('\n')
const diff = '--- a/src/sum.js\n+++ b/src/sum.js\n@@ -1 +1 @@\n-a - b\n+a + b\n'
const history: GoalHistory = {
  outcome: 'goal_achieved',
  said: 'The sum subtracted; it adds now.',
  why: '',
  rounds: [
    {
      plan: Plan.parse({ iteration: 1, tasks: [{ id: 'fix', text: 'Find and fix the sum' }] }),
      observations: [
        observed('grep', 'sum', { output: 'src/sum.js:1' }),
        observed('read', 'src/sum.js', { output: 'a - b' }),
        observed('edit', 'src/sum.js', { diff }),
        observed('bash', 'npm test', { output: NOISE }),
        observed('verify', 'npm test', { output: NOISE }),
      ],
      reflection: Reflection.parse({
        iteration: 1,
        verdict: 'achieved',
        why: 'All green',
        verified: { command: 'npm test', exitCode: 0, output: NOISE.slice(0, 8_000) },
      }),
    },
  ],
}

verifies(
  ['PAOR-AGG-1', 'PAOR-AGG-2', 'PAOR-AGG-3'],
  'a fix in five steps is summed up as its change and its confirmation, without the output of a tool',
  () => {
    expect(goalSummary(history)).toBe(
      [
        'Goal achieved in 1 iteration.',
        'The sum subtracted; it adds now.',
        'Changed 1 file: src/sum.js.',
        'Confirmed: npm test ended with exit code 0.',
      ].join('\n'),
    )
  },
)

verifies('PAOR-AGG-4', 'who asks for all of it gets each step and what was observed', () => {
  const steps = history.rounds.map(roundWords).join('\n\n')
  for (const part of [
    'plan fix: Find and fix the sum',
    'grep sum (worked, 12 ms)',
    'src/sum.js:1',
    'ok 3 - terminal output of the test run',
    'reflection: achieved. All green',
  ])
    expect(steps).toContain(part)
})

verifies('PAOR-LOOP-6', 'a goal that ran out of iterations says what was done and what is left', () => {
  const [round] = history.rounds
  const reflection = Reflection.parse({
    iteration: 1,
    verdict: 'not_yet',
    why: 'x',
    remaining: ['Rename it in b.js'],
  })
  const summary = goalSummary({
    ...history,
    outcome: 'max_iterations',
    why: 'The goal was not reached in 1 iterations',
    rounds: round === undefined ? [] : [{ ...round, reflection }],
  })
  expect(summary).toContain('Done so far: The sum subtracted')
  expect(summary).toContain('Still to do: Rename it in b.js')
})
