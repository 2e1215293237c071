// What each mend plans for a small repository, and what it leaves to somebody who reads.
import { Project } from '@treadle/survey/project'
import { expect, test } from 'vitest'
import { planMend } from './mends.ts'

type Files = Readonly<Record<string, string>>

async function planned(files: Files, key: string) {
  const tree = {
    files: async () => Object.keys(files),
    read: async (path: string) => files[path] ?? null,
    lineTimes: async () => [],
  }
  return planMend(new Project(tree, () => new Date(0)), key)
}

/** The files that the plan changes; why there is none, if it cannot. */
async function edited(files: Files, key: string): Promise<object> {
  const plan = await planned(files, key)
  return plan.is === 'edits' ? Object.fromEntries(plan.edits) : { why: plan.why }
}

const cannot = (why: string) => ({ why: expect.stringContaining(why) })
const one = (...lines: string[]) => `${lines.join('\n')}\n`
const dead = (text: string) => edited({ 'a.ts': text }, 'unused-export:a.ts:dead')

test.each<[string, string, string]>([
  [
    'a function with what is said of it',
    one(
      '// A file.',
      '',
      'export const used = 1',
      '',
      '/** Dead. */',
      '// Really.',
      'export function dead() {',
      '  return 1',
      '}',
      '',
      'export const other = 2',
    ),
    one('// A file.', '', 'export const used = 1', '', 'export const other = 2'),
  ],
  ['a constant', one('export const dead = () => 1;', 'export const used = 1'), one('export const used = 1')],
  [
    'the last one',
    one('export const used = 1', '', 'export type dead = string'),
    one('export const used = 1'),
  ],
  [
    'a class',
    one('const used = 1', 'export class dead {', '  static a = 1', '}', 'use(used)'),
    one('const used = 1', 'use(used)'),
  ],
  [
    'a name of several',
    one('const a = 1', 'use(a)', 'export { a as dead, a as b }'),
    one('const a = 1', 'use(a)', 'export { a as b }'),
  ],
  ['the only name', one('const a = 1', 'use(a)', 'export { a as dead }'), one('const a = 1', 'use(a)')],
  [
    'with the import that only it used',
    one(
      "import { join } from 'node:path'",
      "import { x, y } from './x.ts'",
      '',
      'export const dead = () => join(x)',
      'use(y)',
    ),
    one("import { y } from './x.ts'", '', 'use(y)'),
  ],
])('an export that nothing uses goes: %s', async (_, before, after) => {
  expect(await dead(before)).toEqual({ 'a.ts': after })
})

test.each<[string, string]>([
  ['export const dead = register()', 'may do something when it is loaded'],
  ['export const { dead } = all', 'no statement'],
  ['export const dead = 1, other = 2', 'declared together with others'],
  ['export class dead extends other() {}', 'does something when it is loaded'],
  [
    "import { x } from './x.ts'\nexport const dead = () => x",
    'nothing else uses what it imports from ./x.ts',
  ],
  ['const helper = () => 1\nexport const dead = () => helper()', 'helper would be left without any use'],
  ['const a = 1\nexport { a as dead }', 'a would be left without any use'],
  ["export * as dead from './x.ts'", 'no statement'],
])('%j is left to somebody who reads', async (text, why) => {
  expect(await dead(one(text))).toEqual(cannot(why))
})

test('a file that nothing uses goes', async () => {
  expect(await edited({ 'src/a:b.js': '1\n' }, 'unused-file:src/a:b.js')).toEqual({ 'src/a:b.js': null })
  expect(await edited({}, 'unused-file:src/a.js')).toEqual(cannot('there is no file src/a.js'))
})

const manifest = (data: object) => `${JSON.stringify(data, null, 2)}\n`

test('a package goes from its manifest and from the lock file above', async () => {
  const files = {
    'package.json': manifest({ workspaces: ['packages/*'] }),
    'package-lock.json': manifest({
      lockfileVersion: 3,
      packages: {
        '': { workspaces: ['packages/*'] },
        'node_modules/idle': { version: '1.0.0' },
        'packages/a': { dependencies: { idle: '1' } },
      },
    }),
    'packages/a/package.json': manifest({ name: 'a', dependencies: { idle: '1' } }),
  }
  expect(await edited(files, 'unused-dependency:packages/a:idle')).toEqual({
    'packages/a/package.json': manifest({ name: 'a' }),
    'package-lock.json': manifest({
      lockfileVersion: 3,
      packages: { '': { workspaces: ['packages/*'] }, 'packages/a': {} },
    }),
  })
})

const IDLE = { dependencies: { idle: '1' } }

test.each<[string, Files, string]>([
  [
    'a lock file of yarn',
    { 'package.json': manifest(IDLE), 'yarn.lock': '' },
    'yarn.lock is written by another',
  ],
  [
    'a lock file that is none',
    { 'package.json': manifest(IDLE), 'package-lock.json': '' },
    'package-lock.json is no JSON',
  ],
  [
    'a peer as well',
    { 'package.json': manifest({ ...IDLE, peerDependencies: { idle: '1' } }) },
    'in peerDependencies, too',
  ],
  [
    'a bundled one',
    { 'package.json': manifest({ ...IDLE, bundleDependencies: ['idle'] }) },
    'in bundleDependencies, too',
  ],
  ['said twice', { 'package.json': '{"dependencies":{"idle":"1","idle":"2"}}' }, 'says the same twice'],
  ['not asked for', { 'package.json': manifest({}) }, 'no package.json asks for such a package'],
])('a package is left alone: %s', async (_, files, why) => {
  expect(await edited(files, 'unused-dependency:idle')).toEqual(cannot(why))
})

const spare = (more: object = {}) =>
  manifest({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { a: '^1.0.0', b: '^2.0.0' } },
      'node_modules/a': { version: '1.0.0', resolved: 'x', dependencies: { b: '^2.1.0' } },
      ...more,
      'node_modules/b': { version: '2.3.0', resolved: 'x' },
    },
  })

test('a package that is installed twice without need goes where it is spare, with what only it needed', async () => {
  const twice = spare({
    'node_modules/a/node_modules/b': { version: '2.1.0', resolved: 'x', dependencies: { c: '1' } },
    'node_modules/c': { version: '1.0.0', resolved: 'x' },
  })
  const files = { 'package.json': manifest({}), 'package-lock.json': twice }
  expect(await edited(files, 'duplicate-dependency:package-lock.json:b@2.1.0')).toEqual({
    'package-lock.json': spare(),
  })
})

test('a package in two lists stays in dependencies', async () => {
  const both = { dependencies: { a: '1' }, devDependencies: { a: '1' } }
  const locked = (asked: object, mark: object = {}) =>
    manifest({ lockfileVersion: 3, packages: { '': asked, 'node_modules/a': { version: '1.0.0', ...mark } } })
  const files = { 'package.json': manifest(both), 'package-lock.json': locked(both) }
  expect(await edited(files, 'duplicate-dependency:a')).toEqual({
    'package.json': manifest({ dependencies: { a: '1' } }),
    'package-lock.json': locked({ dependencies: { a: '1' } }),
  })
  const marked = { ...files, 'package-lock.json': locked(both, { dev: true }) }
  expect(await edited(marked, 'duplicate-dependency:a')).toEqual(
    cannot('takes a for a package of development'),
  )
  const other = { 'package.json': manifest({ ...both, devDependencies: { a: '2' } }) }
  expect(await edited(other, 'duplicate-dependency:a')).toEqual(cannot('by two ranges, 1 and 2'))
})

test('a command gets the name of the one script that is near, wherever it stands', async () => {
  const files = {
    'package.json': manifest({ scripts: { test: 'node --test', lint: 'x' } }),
    'README.md': one(
      'Run `npm run tests`.',
      '```sh',
      'npm run tests -- --watch',
      'npm run tests',
      'npm run tests:all',
      '```',
    ),
  }
  expect(await edited(files, 'document-command:README.md:npm run tests')).toEqual({
    'README.md': one(
      'Run `npm run test`.',
      '```sh',
      'npm run test -- --watch',
      'npm run test',
      'npm run tests:all',
      '```',
    ),
  })
  expect(await edited(files, 'document-command:README.md:npm run deploy')).toEqual(cannot('no program knows'))
  expect(await edited(files, 'document-command:README.md:node gone.js')).toEqual(cannot('no program knows'))
})

test('what no mend is for is said at once', async () => {
  expect(await edited({}, 'import-cycle:a.js:2')).toEqual(
    cannot('no program puts right what import-cycle finds'),
  )
})
