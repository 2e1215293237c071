import { Config } from '@treadle/contracts/config'
import type { AuditEntry, KeptWork } from '@treadle/contracts/order'
import type { Orphan } from '@treadle/contracts/orphan'
import { idleSession } from '@treadle/contracts/session-file'
import { expect, test } from 'vitest'
import {
  channelWords,
  isRecoverable,
  keptFiles,
  matching,
  mergeAudit,
  orphanFacts,
  outcomeTone,
  phasesOf,
  readRestore,
  settingsOf,
  shortRef,
} from './maintenance.model.ts'

function entry(n: number, more: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: `order-${n}`,
    cursor: `${n}.${n}`,
    at: '2026-11-15T12:00:00.000Z',
    order: 'purge',
    by: 'owner',
    target: null,
    impact: 'i',
    is: 'done',
    outcome: 'o',
    ...more,
  }
}

test('the log is newest first, without holes or doubles, whatever is read again', () => {
  const known = mergeAudit([], [entry(12), entry(11), entry(3, { outcome: 'begun' })])
  const read = mergeAudit(known, [entry(13), entry(12), entry(3, { cursor: '14.14', outcome: 'done' })])
  expect(read.map(({ id }) => id)).toEqual(['order-3', 'order-13', 'order-12', 'order-11'])
  expect(read[0]?.outcome).toBe('done')
  expect(mergeAudit(read, [entry(2)]).at(-1)?.id).toBe('order-2')
})

test.each([
  ['failed', 'bad'],
  ['begun', 'attention'],
  ['done', 'plain'],
] as const)('an order that is %s is shown as %s', (is, tone) => {
  expect(outcomeTone({ is })).toBe(tone)
})

test('a phase that was rolled back is off, what nobody spoke of is not', () => {
  const off = phasesOf(Config.parse({ flags: { enable_review_agent: false, enable_multi_agent: true } }))
  expect(off.map(({ phase, isOff }) => [phase, isOff])).toEqual([
    [2, false],
    [3, true],
    [4, false],
    [5, false],
  ])
})

const orphan: Orphan = { agentId: 'agent-1', process: null, session: null, problem: null, item: null }

test.each<[Partial<Orphan>, string[], boolean]>([
  [{}, ['no process'], false],
  [{ process: { pid: 7, started: 's' } }, ['process 7 still runs'], true],
  [
    { session: idleSession('agent-1', '2026-11-15T12:00:00.000Z'), item: { projectNumber: 1, number: 4 } },
    ['no process', 'last status: idle', 'holds #4'],
    true,
  ],
  [{ problem: 'not JSON' }, ['no process', 'its session file cannot be read: not JSON'], false],
])('an orphan %j', (more, facts, recoverable) => {
  expect(orphanFacts({ ...orphan, ...more })).toEqual(facts)
  expect(isRecoverable({ ...orphan, ...more })).toBe(recoverable)
})

test.each<[string[], number, string]>([
  [[], 0, 'changes nothing'],
  [['a'], 1, 'a'],
  [['a', 'b'], 2, 'a, b'],
  [['a', 'b', 'c'], 60, 'a, b and 58 more'],
])('kept work with %j', (files, fileCount, words) => {
  expect(keptFiles({ files, fileCount } satisfies Pick<KeptWork, 'files' | 'fileCount'>)).toBe(words)
})

test('a reference is shown without what all of them begin with', () => {
  expect(shortRef('refs/treadle/runs/x/last')).toBe('runs/x/last')
})

test.each([
  ['', '', { is: 'ready', value: {} }],
  [' undelete/x ', '', { is: 'ready', value: { branch: 'undelete/x' } }],
  ['', ' /tmp/x ', { is: 'ready', value: { worktree: '/tmp/x' } }],
  ['', 'C:\\x', { is: 'ready', value: { worktree: 'C:\\x' } }],
  ['', '../x', { is: 'wrong', why: expect.stringContaining('from the root on') }],
  ['two words', '', { is: 'wrong', why: expect.stringContaining('no spaces') }],
])('branch "%s" in "%s"', (branch, worktree, read) => {
  expect(readRestore({ branch, worktree })).toEqual(read)
})

test('every setting is a line, and what somebody has set is marked', () => {
  const config = Config.parse({
    agents: { maxConcurrent: 3, enabledCategories: [] },
    merge: { target: 'trunk' },
    engines: { prices: { m: { inputUSD: 1, outputUSD: 2 } } },
  })
  const settings = settingsOf(config, Config.parse({}))
  const find = (name: string) => settings.find((each) => each.name === name)
  expect(find('agents.maxConcurrent')).toEqual({ name: 'agents.maxConcurrent', value: '3', isSet: true })
  expect(find('agents.enabledCategories')).toMatchObject({ value: 'none', isSet: true })
  expect(find('merge.target')).toMatchObject({ value: 'trunk', isSet: true })
  expect(find('merge.batch')).toMatchObject({ value: '1', isSet: false })
  expect(find('tests.command')).toMatchObject({ value: 'not set', isSet: false })
  expect(find('engines.prices.m.inputUSD')).toMatchObject({ value: '1', isSet: true })
  expect(find('gates.coverage.threshold')).toMatchObject({ isSet: false })
  expect(new Set(settings.map(({ name }) => name)).size).toBe(settings.length)
  expect(matching(settings, 'TRUNK', false).map(({ name }) => name)).toEqual(['merge.target'])
  expect(matching(settings, 'agents.', true).map(({ name }) => name)).toEqual([
    'agents.maxConcurrent',
    'agents.enabledCategories',
  ])
})

test.each([
  [{ channel: 'desktop', is: 'sent', why: null }, 'desktop: sent'],
  [{ channel: 'webhook', is: 'failed', why: 'no answer' }, 'webhook: failed, no answer'],
  [{ channel: 'telegram', is: 'off', why: null }, 'telegram: off'],
] as const)('%j is "%s"', (tried, words) => {
  expect(channelWords(tried)).toBe(words)
})
