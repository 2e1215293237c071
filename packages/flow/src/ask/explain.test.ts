import type { Item } from '@treadle/contracts/item'
import { blankRun, phaseRecord } from '@treadle/contracts/run'
import { expect, test } from 'vitest'
import { COMMIT, green, NOW, RUN, sampleItem } from '../work/testing/sample.ts'
import { explain } from './explain.ts'

const at = { startedAt: NOW.toISOString(), durationMs: 1_500 }
const run = blankRun({
  id: RUN,
  item: { projectNumber: 1, number: 7 },
  agentId: 'agent-1',
  startedAt: NOW.toISOString(),
  gates: [green('tests_pass')],
  history: [
    phaseRecord({ ...at, phase: 'build', iteration: 0, outcome: 'done', changes: ['src/pump.ts'] }),
    phaseRecord({ ...at, phase: 'test', iteration: 0, outcome: 'passed' }),
  ],
})

function told(given: Partial<Item>): string {
  const item = { ...sampleItem(), number: 7, runId: RUN, reason: null, ...given }
  return explain({ item, run }, { attempt: null, now: new Date(NOW.getTime() + 90_000) })?.text ?? ''
}

test.each<[string, Partial<Item>, string[]]>([
  [
    'merged',
    { state: 'done', mergeCommit: COMMIT },
    ['It is merged as ', 'treadle revert 7', 'treadle verify '],
  ],
  ['waiting', { state: 'in_review', needsHuman: true }, ['waits for a person', 'treadle approve 7']],
  [
    'at work',
    { state: 'building', claimedByAgentId: 'agent-1', claimedAt: NOW.toISOString() },
    ['agent-1 works on it', 'for 1 min 30 s', 'treadle show 7'],
  ],
  ['conflicted', { state: 'conflicted' }, ['It conflicts with', 'treadle conflicts show 7']],
  ['sent back', { state: 'rework' }, ['It was sent back']],
  ['withdrawn', { state: 'withdrawn' }, ['It was withdrawn', 'treadle reopen 7']],
])('an item that is %s is explained as that', (_, given, words) => {
  const text = told(given)
  for (const word of words) expect(text).toContain(word)
  expect(text).not.toMatch(/no reason was given|did not help|What still fails/)
})

test('a merged item is not told to be done by hand, an escalated one is', () => {
  expect(told({ state: 'done', mergeCommit: COMMIT })).not.toContain('do it by hand')
  const text = told({ state: 'escalated', reason: 'three attempts failed' })
  expect(text).toContain('three attempts failed')
  expect(text).toContain('## What still fails')
  expect(text).toContain('Or do it by hand')
})

test('a run before the one that was merged is told as what it was', () => {
  const later = '00000000-0000-4000-8000-000000000002'
  const text = told({ state: 'done', mergeCommit: COMMIT, runId: later })
  expect(text).not.toContain('It is merged')
  expect(text).toContain('## What was tried')
})

test('commands that are named can be given as they stand', () => {
  expect(told({ state: 'in_review', needsHuman: true })).toContain('treadle request-changes 7 --feedback "')
  expect(told({ state: 'done', mergeCommit: null })).not.toContain('treadle revert')
  expect(told({ state: 'withdrawn' })).toContain(`treadle explain ${RUN} 1`)
})
