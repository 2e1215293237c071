import { expect, test } from 'vitest'
import { hintWords, visibleFindings } from './doctor-engines.ts'

test.each([
  ['set ANTHROPIC_API_KEY, or a setting', 'Set ANTHROPIC_API_KEY, or a setting'],
  ['start it, or correct its address', 'Start it, or correct its address'],
  ['npm install -g opencode-ai', 'npm install -g opencode-ai'],
  ['apt-get install bubblewrap', 'apt-get install bubblewrap'],
])('the hint %j is told as %j', (hint, words) => {
  expect(hintWords(hint)).toBe(words)
})

test('what all can read is said once, then what each engine and each gate has besides', () => {
  const findings = visibleFindings([
    {
      of: 'claude-code',
      kind: 'engine',
      is: 'confined',
      read: ['/usr', '/etc'],
      write: ['/h/.claude'],
      network: true,
    },
    {
      of: 'tests',
      kind: 'gate',
      is: 'confined',
      read: ['/usr', '/etc', '/opt/x'],
      write: [],
      network: false,
    },
    { of: 'lint', kind: 'gate', is: 'everything', read: [], write: [], network: true },
    { of: 'setup', kind: 'gate', is: 'nothing', read: [], write: [], network: false },
  ])
  expect(findings.map(({ what, found }) => `${what}: ${found}`)).toEqual([
    'visible inside: /usr, /etc; the home and everything else is empty inside',
    'visible to engine claude-code: the worktree; to write /h/.claude; the network',
    'visible to gate tests: the worktree; to read /opt/x; no network',
    'visible to gate lint: everything that you can read, and the network',
    'visible to gate setup: nothing: it is not started',
  ])
})
