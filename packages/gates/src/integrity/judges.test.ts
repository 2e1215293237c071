import { expect, test } from 'vitest'
import { startedBy } from './command-words.ts'
import { changedJudges } from './judges.ts'

type Files = Readonly<Record<string, string>>

const told = (command: string, before: Files, after: Files) =>
  changedJudges({
    commands: [command],
    changed: Object.keys(after),
    readBase: async (path) => before[path] ?? null,
    readHead: async (path) => after[path] ?? before[path] ?? null,
  })

const npm = (scripts: Files) => JSON.stringify({ scripts })
const CHECK = { 'check.sh': 'grep -q right a.txt\n' }
const GREEN = { 'check.sh': 'exit 0\n' }

test.each<[command: string, before: Files, after: Files, file: string]>([
  ['sh check.sh', CHECK, GREEN, 'check.sh'],
  ['bash -eu ./check.sh a.txt', CHECK, GREEN, 'check.sh'],
  ['./check.sh', CHECK, GREEN, 'check.sh'],
  ['CI=1 timeout 60 sh check.sh', CHECK, GREEN, 'check.sh'],
  ["sh -c 'test -e a && sh check.sh'", CHECK, GREEN, 'check.sh'],
  ['cd tools && sh check.sh', { 'tools/check.sh': 'false' }, { 'tools/check.sh': 'true' }, 'tools/check.sh'],
  ['sh all.sh', { 'all.sh': 'set -e\nsh check.sh # the check\n', ...CHECK }, GREEN, 'check.sh'],
  ['npm test', { 'package.json': npm({ test: 'sh check.sh' }), ...CHECK }, GREEN, 'check.sh'],
  [
    'npm run verify',
    { 'package.json': npm({ verify: 'node --test' }) },
    { 'package.json': npm({ verify: 'true' }) },
    'package.json',
  ],
  [
    'npm run verify',
    { 'package.json': npm({ verify: 'node --test' }) },
    { 'package.json': npm({ verify: 'node --test', preverify: 'git checkout .' }) },
    'package.json',
  ],
  ['make verify', { Makefile: 'verify:\n\tsh check.sh\n' }, { Makefile: 'verify:\n\ttrue\n' }, 'Makefile'],
  ['make', { Makefile: 'all: own\n\nown:\n\t@sh check.sh\n', ...CHECK }, GREEN, 'check.sh'],
  ['node check.mjs', { 'check.mjs': 'assert(f())' }, { 'check.mjs': '' }, 'check.mjs'],
  ['node test.mjs', { 'test.mjs': 'assert(f())' }, { 'test.mjs': '' }, 'test.mjs'],
  ['node --import ./hook.mjs --test', { 'hook.mjs': 'a' }, { 'hook.mjs': 'b' }, 'hook.mjs'],
])('%s: what it runs must not be rewritten (%j → %j)', async (command, before, after, file) => {
  expect(await told(command, before, after)).toMatchObject([{ file, blocks: true }])
})

test.each<[command: string, before: Files, after: Files]>([
  ['sh check.sh src/a.txt', { 'src/a.txt': 'wrong', ...CHECK }, { 'src/a.txt': 'right' }],
  ['sh check.sh', { 'check.sh': 'node src/main.js | grep -q right\n' }, { 'src/main.js': 'b' }],
  ['node --test a.test.mjs', { 'a.test.mjs': "test('a')" }, { 'a.test.mjs': "test('a')\ntest('b')" }],
  ['node a.test.mjs', { 'a.test.mjs': "test('a')" }, { 'a.test.mjs': "test('a')\ntest('b')" }],
  ['npm test', { 'package.json': npm({ test: 'x' }) }, { 'package.json': npm({ test: 'x', build: 'y' }) }],
  ['make test', { Makefile: 'test:\n\tx\nb:\n\ty\n' }, { Makefile: 'test:\n\tx\nb:\n\tz\n' }],
  ['python -m pytest tests', { 'tests/a.py': 'a' }, { 'tests/a.py': 'b' }],
  ['vitest run src/a.ts', { 'src/a.ts': 'a' }, { 'src/a.ts': 'b' }],
])('%s: what it is only told about may change (%j → %j)', async (command, before, after) => {
  expect(await told(command, before, after)).toEqual([])
})

test('a script that the change brings with it is worth a look', async () => {
  expect(await told('sh check.sh', {}, GREEN)).toMatchObject([{ file: 'check.sh', blocks: false }])
})

test('what is outside of the project, or made from variables, is nobody’s script', () => {
  expect(startedBy('sh ../x.sh; sh /etc/x.sh; sh "$HOME/x.sh"; ./node_modules/.bin/x')).toEqual([
    { is: 'script', path: 'node_modules/.bin/x', isShell: true },
  ])
})

test('scripts that start each other are looked at once', async () => {
  expect(await told('sh a.sh', { 'a.sh': 'sh b.sh', 'b.sh': 'sh a.sh' }, { 'x.txt': '' })).toEqual([])
})
