// What turns the measure of a finding and what only hides it: all surveys on two trees in memory.
import type { Category } from '@treadle/contracts/categories'
import { judgeFinding } from '@treadle/gates/review/decide-finding'
import { Project } from '@treadle/survey/project'
import { surveyCommit } from '@treadle/survey/survey-commit'
import { expect, test } from 'vitest'

type Files = Readonly<Record<string, string | null>>

const NOW = new Date('2026-06-01T00:00:00Z')
const LONG_AGO = new Date('2025-01-01T00:00:00Z')

function treeOf(files: Files, touched: Files): Project {
  const texts = new Map(Object.entries(files).filter((entry): entry is [string, string] => entry[1] !== null))
  const tree = {
    files: async () => [...texts.keys()],
    read: async (path: string) => texts.get(path) ?? null,
    lineTimes: async (path: string) => [path in touched ? NOW : LONG_AGO],
  }
  return new Project(tree, () => NOW)
}

async function judged([category, key]: readonly [Category, string], base: Files, change: Files) {
  const finding = { category, key }
  return judgeFinding(finding, {
    base: await surveyCommit(treeOf(base, {}), finding),
    head: await surveyCommit(treeOf({ ...base, ...change }, change), finding),
  })
}

async function found(...asked: Parameters<typeof judged>) {
  return (await judged(...asked)).found
}

const manifest = (more: object = {}) =>
  `${JSON.stringify({ name: 'shop', private: true, ...more }, null, 2)}\n`
const LEFT_PAD = ['dependency-management', 'unused-dependency:left-pad'] as const
const SHOP = {
  'package.json': manifest({ dependencies: { 'left-pad': '1.0.0' } }),
  'index.js': "console.log('open')\n",
}
const turned = { is: 'improved', before: 1, after: 0, better: null }
const notTurned = { is: 'not_improved', before: 1, after: 1, better: null }
const unknown = (why: string) => ({ is: 'unknown', why: expect.stringContaining(why) })

test.each<[string, Files]>([
  ['a comment that names the package', { 'index.js': "// left-pad\nconsole.log('open')\n" }],
  ['an import that nobody needs', { 'index.js': "import 'left-pad'\nconsole.log('open')\n" }],
  ['a setting that names the package', { 'tool.config.json': '{"uses":"left-pad"}' }],
  ['another list of the manifest', { 'package.json': manifest({ peerDependencies: { 'left-pad': '1' } }) }],
  ['a list that is none', { 'package.json': manifest({ dependencies: { 'left-pad': 1 } }) }],
  ['a manifest in another folder', { 'package.json': null, 'a/package.json': SHOP['package.json'] }],
  [
    'a manifest that is moved and hidden',
    { 'package.json': '{}', 'fixtures/package.json': SHOP['package.json'] },
  ],
  [
    'an installed package that wants it',
    {
      'package.json': manifest({ dependencies: { 'left-pad': '1.0.0', b: '1.0.0' } }),
      'node_modules/b/package.json': '{"peerDependencies":{"left-pad":"1"}}',
    },
  ],
])('%s does not put an unused dependency right', async (_, change) => {
  expect(await found(LEFT_PAD, SHOP, change)).toEqual(notTurned)
})

test('a manifest that cannot be read tells nobody anything', async () => {
  expect(await found(LEFT_PAD, SHOP, { 'package.json': '{' })).toEqual(
    unknown('nobody can tell on the head: there is no package.json'),
  )
})

const DEAD_FILE = ['code-quality', 'unused-file:src/dead.js'] as const
const WITH_DEAD = {
  'package.json': manifest(),
  'index.js': "import './src/used.js'\n",
  'src/used.js': "console.log('used')\n",
  'src/dead.js': 'console.log(1)\n',
}

test('a dead file that is taken away turns its measure', async () => {
  expect(await found(DEAD_FILE, WITH_DEAD, { 'src/dead.js': null })).toEqual(turned)
})

test.each<[string, Files]>([
  ['renamed', { 'src/dead.js': null, 'src/gone.js': WITH_DEAD['src/dead.js'] }],
  ['moved to where nobody looks', { 'src/dead.js': null, 'fixtures/dead.js': WITH_DEAD['src/dead.js'] }],
  ['called a test', { 'src/dead.js': null, 'src/dead.test.js': WITH_DEAD['src/dead.js'] }],
  ['named in a comment', { 'index.js': "// 'dead.js'\nimport './src/used.js'\n" }],
  ['offered by a manifest', { 'package.json': manifest({ main: 'src/dead.js' }) }],
  ['broken', { 'src/dead.js': 'console.log(\n' }],
  ['made a program', { 'src/dead.js': '#!/usr/bin/env node\nconsole.log(1)\n' }],
])('a dead file that is %s has not gone', async (_, change) => {
  expect(await found(DEAD_FILE, WITH_DEAD, change)).toEqual(notTurned)
})

test('a dead file that an import which nobody can follow may load has not gone', async () => {
  const change = { 'index.js': 'await import(process.argv[2])\n' }
  expect(await found(DEAD_FILE, WITH_DEAD, change)).toEqual(notTurned)
})

const DEAD_EXPORT = ['code-quality', 'unused-export:src/used.js:dead'] as const
const WITH_EXPORT = {
  'package.json': manifest(),
  'index.js': "import { used } from './src/used.js'\nused()\n",
  'src/used.js': 'export const used = () => 1\nexport const dead = () => 2\n',
}

test('a dead export that is taken away turns its measure', async () => {
  expect(await found(DEAD_EXPORT, WITH_EXPORT, { 'src/used.js': 'export const used = () => 1\n' })).toEqual(
    turned,
  )
})

test.each<[string, Files]>([
  ['mentioned in a comment', { 'index.js': `${WITH_EXPORT['index.js']}// dead\n` }],
  ['renamed', { 'src/used.js': 'export const used = () => 1\nexport const late = () => 2 // late late\n' }],
  [
    'exported under another name',
    { 'src/used.js': 'export const used = () => 1\nconst dead = () => 2\nexport { dead as default }\n' },
  ],
  [
    'moved to where nobody looks',
    {
      'src/used.js': 'export const used = () => 1\n',
      'fixtures/dead.js': 'export const dead = () => 2\n',
    },
  ],
])('a dead export that is %s has not gone', async (_, change) => {
  expect(await found(DEAD_EXPORT, WITH_EXPORT, change)).toEqual(notTurned)
})

const COMMAND = ['documentation', 'document-command:README.md:npm run tset'] as const
const DOCUMENTED = {
  'package.json': manifest({ scripts: { test: 'node --test' } }),
  'README.md': '# Shop\n\n```sh\nnpm run tset\n```\n',
}

test('a command of a document that is corrected turns its measure', async () => {
  const change = { 'README.md': '# Shop\n\n```sh\nnpm run test\n```\n' }
  expect(await found(COMMAND, DOCUMENTED, change)).toEqual(turned)
})

test.each<[string, Files]>([
  ['in a fence that nobody reads', { 'README.md': '# Shop\n\n```text\nnpm run tset\n```\n' }],
  ['with brackets behind it', { 'README.md': '# Shop\n\n```sh\nnpm run tset [now]\n```\n' }],
  ['in a document that is moved', { 'README.md': null, 'GUIDE.txt': DOCUMENTED['README.md'] }],
  [
    'with a script of that name',
    { 'package.json': manifest({ scripts: { test: 'node --test', tset: 'true' } }) },
  ],
])('a broken command %s is not corrected', async (_, change) => {
  const said = await found(COMMAND, DOCUMENTED, change)
  expect([notTurned, unknown('nobody can tell on the head')]).toContainEqual(said)
})

test('a note that was only touched is as old as before', async () => {
  const key = ['technical-debt', 'old-todo:a.js:TODO:later'] as const
  expect(await found(key, { 'a.js': '// TODO: later\n' }, { 'a.js': '// TODO:  later\n' })).toEqual(notTurned)
})

test('what is not there on the base cannot be put right', async () => {
  const change = { 'index.js': "console.log('shut')\n" }
  const key = ['dependency-management', 'unused-dependency:right-pad'] as const
  expect(await found(key, SHOP, change)).toEqual({ ...notTurned, before: 0, after: 0 })
})

test('a circle that is broken by making another one is still there', async () => {
  const base = { 'a.js': "import './b.js'\n", 'b.js': "import './a.js'\n", 'c.js': 'go()\n' }
  const change = { 'b.js': "import './c.js'\n", 'c.js': "import './a.js'\n" }
  expect(await found(['architecture', 'import-cycle:a.js:2'], base, change)).toEqual(notTurned)
})

const CAUGHT = ['error-handling-resilience', 'empty-catch:a.js'] as const
const CATCHES = { 'a.js': 'try { open() } catch {}\n', 'b.js': 'shut()\n' }

test.each<[string, Files]>([
  ['moved to a folder that is left out', { 'a.js': null, 'vendor/a.js': CATCHES['a.js'] }],
  ['made unreadable', { 'a.js': 'try { open() } catch {}\n(\n' }],
  ['moved to another file', { 'a.js': 'open()\n', 'b.js': CATCHES['a.js'] }],
])('what is found of a file that is %s is still there', async (_, change) => {
  expect(await found(CAUGHT, CATCHES, change)).toEqual(notTurned)
})

test('a survey that can no longer tell is something that the change brings', async () => {
  const base = { ...SHOP, 'a.test.js': "import './index.js'\n" }
  const change = { 'package.json': manifest(), 'a.test.js': null }
  expect(await found(LEFT_PAD, base, change)).toEqual({
    ...turned,
    brought: [expect.stringContaining('nobody can tell of untested-file')],
  })
})

test('a finding that is in more places than before is new, too', async () => {
  const caught = 'try { open() } catch {}\n'
  const base = { ...SHOP, 'a.js': caught }
  const change = { 'package.json': manifest(), 'a.js': caught.repeat(2) }
  expect(await found(LEFT_PAD, base, change)).toEqual({ ...turned, brought: ['empty-catch:a.js'] })
})

const LOCKED = (entry: object) => ({
  'package.json': manifest({ dependencies: { old: '^1.0.0' } }),
  'index.js': "import 'old'\n",
  'package-lock.json': JSON.stringify({
    lockfileVersion: 3,
    packages: { '': { dependencies: { old: '^1.0.0' } }, 'node_modules/old': entry },
  }),
})
const GIVEN_UP = ['dependency-management', 'deprecated-dependency:old@1.0.0'] as const
const OLD = LOCKED({ version: '1.0.0', deprecated: 'gone' })

test('a deprecated package that is updated turns its measure, and one whose lock file is quiet about it does not', async () => {
  expect(await found(GIVEN_UP, OLD, LOCKED({ version: '1.2.0' }))).toEqual(turned)
  expect(await found(GIVEN_UP, OLD, LOCKED({ version: '1.0.0' }))).toEqual(notTurned)
  const gone = await found(GIVEN_UP, OLD, { 'package-lock.json': null })
  expect(gone).toEqual(unknown('nobody can tell on the head: there is no lock file'))
})

const copied = (name: string) =>
  `export function work(${name}) {\n${Array.from({ length: 14 }, (_, n) => `  log(${name}.find((each) => each.at === ${n}))\n`).join('')}}\n`

test('a copy that is only written with other names has not gone', async () => {
  const key = ['code-quality', 'duplicated-code:a.js:b.js'] as const
  const base = { ...SHOP, 'a.js': copied('all'), 'b.js': copied('all') }
  expect(await found(key, base, { 'b.js': copied('every') })).toEqual(notTurned)
  expect(await found(key, base, { 'b.js': "export { work } from './a.js'\n" })).toEqual(turned)
})
