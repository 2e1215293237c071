// Which finding becomes the next item.
import type { Finding } from '@treadle/contracts/survey'
import { expect, test } from 'vitest'
import { chooseFinding } from './choose-finding.ts'

const finding = (key: string, more: Partial<Finding> = {}): Finding => ({
  category: 'code-quality',
  key,
  title: key,
  files: [`src/${key}.ts`],
  evidence: 'It is there.',
  estimateHours: 1,
  mendable: true,
  measure: { command: 'true', before: 1 },
  ...more,
})
const facts = { taken: [], busyFiles: [], hasEngine: false }
const keyOf = (given: Partial<Parameters<typeof chooseFinding>[0]> & { findings: Finding[] }) => {
  const chosen = chooseFinding({ ...facts, ...given })
  return chosen.is === 'finding' ? chosen.finding.key : chosen.is
}

test('what a program can put right comes first, and of that the quickest', () => {
  const findings = [
    finding('a', { mendable: false, estimateHours: 0.1 }),
    finding('b'),
    finding('c', { estimateHours: 0.5 }),
  ]
  expect(keyOf({ findings })).toBe('c')
  expect(keyOf({ findings, taken: ['c'] })).toBe('b')
})

test('what no program can put right is for an engine, and for nobody where there is none', () => {
  const findings = [finding('a', { mendable: false })]
  expect(keyOf({ findings })).toBe('none')
  expect(keyOf({ findings, hasEngine: true })).toBe('a')
})

test('a file is changed by one item at a time', () => {
  const findings = [finding('a', { files: ['package.json'] }), finding('b', { estimateHours: 3 })]
  expect(keyOf({ findings, busyFiles: ['package.json'] })).toBe('b')
  expect(keyOf({ findings, busyFiles: ['package.json'], taken: ['b'] })).toBe('busy')
})
