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
  const item = { ...sampleItem(), number: 7, reason: null, ...given }
  return explain({ item, run }, { attempt: null })?.text ?? ''
}

test.each<[string, Partial<Item>, string[]]>([
  [
    'merged',
    { state: 'done', mergeCommit: COMMIT },
    ['It is merged as ', 'treadle revert 7', 'treadle verify '],
  ],
  ['waiting', { state: 'in_review', needsHuman: true }, ['waits for a person', 'treadle review approve 7']],
  ['at work', { state: 'building', claimedByAgentId: 'agent-1' }, ['agent-1 works on it', 'treadle show 7']],
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
