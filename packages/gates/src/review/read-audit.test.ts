import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { type Advisory, countBySeverity, judgeAudit, readAudit } from './read-audit.ts'

const advisory = (name: string, severity: Advisory['severity'], url = `https://x/${name}`): Advisory => {
  return { name, severity, title: 'weak', url, range: '<2' }
}

const via = (name: string, severity: string) => ({
  source: 1,
  name,
  dependency: name,
  title: 'weak',
  url: `https://x/${name}`,
  severity,
  range: '<2',
})
const npm = (names: Record<string, unknown[]>) =>
  JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: Object.fromEntries(
      Object.entries(names).map(([name, each]) => [name, { name, via: each }]),
    ),
    metadata: {},
  })
const old = {
  module_name: 'b',
  severity: 'critical',
  title: 'weak',
  url: 'https://x/b',
  vulnerable_versions: '<2',
}

const layouts: [string, string, string[]][] = [
  ['npm without findings', npm({}), []],
  [
    'npm, the gravest first, and a package that only depends on one',
    npm({ a: [via('a', 'low')], c: [via('c', 'critical')], d: ['a'] }),
    ['critical c', 'low a'],
  ],
  ['npm, the same finding by two ways', npm({ a: [via('a', 'high')], d: [via('a', 'high')] }), ['high a']],
  ['npm with words around it', `npm warn old\n${npm({ a: [via('a', 'high')] })}\nnpm notice`, ['high a']],
  ['pnpm', JSON.stringify({ advisories: { 7: old }, metadata: {} }), ['critical b']],
  [
    'yarn',
    [
      JSON.stringify({ type: 'auditAdvisory', data: { resolution: {}, advisory: old } }),
      JSON.stringify({ type: 'auditSummary', data: { vulnerabilities: {} } }),
    ].join('\n'),
    ['critical b'],
  ],
]

test.each(layouts)('an audit of %s', (_, text, expected) => {
  const read = readAudit(text)
  expect(read.is).toBe('read')
  if (read.is === 'read')
    expect(read.advisories.map(({ severity, name }) => `${severity} ${name}`)).toEqual(expected)
})

test.each([
  ['an error', JSON.stringify({ error: { code: 'ENOLOCK', summary: 'no lock file' } }), 'no lock file'],
  ['a registry that is not there', JSON.stringify({ message: 'getaddrinfo ENOTFOUND x' }), 'ENOTFOUND'],
  ['a list that broke off', '{ "vulnerabilities": {', 'vulnerabilities'],
  ['another document', '{ "ok": true }', 'ok'],
  ['nothing', '', 'said nothing'],
])('%s is no audit', (_, text, why) => {
  expect(readAudit(text)).toEqual({ is: 'unreadable', why: expect.stringContaining(why) })
})

verifies('AC-3.4.c', 'findings are counted by severity', () => {
  const found = [
    advisory('a', 'low'),
    advisory('b', 'high'),
    advisory('c', 'high'),
    advisory('d', 'critical'),
  ]
  expect(countBySeverity([...found, advisory('e', 'moderate'), advisory('f', 'info')])).toEqual({
    low: 1,
    moderate: 1,
    high: 2,
    critical: 1,
  })
})

const cases: [string, Advisory[], Advisory[] | null, { blocking: string[]; told: string[] }][] = [
  ['a new high one blocks', [advisory('a', 'high')], [], { blocking: ['a'], told: [] }],
  ['a new critical one blocks', [advisory('a', 'critical')], [], { blocking: ['a'], told: [] }],
  [
    'one that the base has is told',
    [advisory('a', 'high')],
    [advisory('a', 'high')],
    { blocking: [], told: ['a'] },
  ],
  ['a moderate one is told', [advisory('a', 'moderate')], [], { blocking: [], told: ['a'] }],
  ['a low one is only counted', [advisory('a', 'low')], [], { blocking: [], told: [] }],
  ['without a base all are new', [advisory('a', 'high')], null, { blocking: ['a'], told: [] }],
  [
    'another weakness of the same package is new',
    [advisory('a', 'high', 'https://x/2')],
    [advisory('a', 'high')],
    { blocking: ['a'], told: [] },
  ],
]

test.each(cases)('%s', (_, now, before, expected) => {
  const { blocking, told } = judgeAudit(now, before)
  expect({
    blocking: blocking.map(({ name }) => name),
    told: told.map((each) => each.advisory.name),
  }).toEqual(expected)
})
