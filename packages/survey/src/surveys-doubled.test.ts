// What is there twice, what its authors gave up, and what nobody waits for.
import { expect, test } from 'vitest'
import { keysIn, one, reportOf } from './testing/sample.ts'
import { isWithin } from './version-range.ts'

test.each<[string, string, boolean | null]>([
  ['1.2.3', '^1.0.0', true],
  ['2.0.0', '^1.0.0', false],
  ['0.3.0', '^0.2.1', false],
  ['0.2.9', '^0.2.1', true],
  ['0.0.4', '^0.0.3', false],
  ['1.2.9', '~1.2.3', true],
  ['1.3.0', '~1.2.3', false],
  ['1.9.0', '~1', true],
  ['1.4.2', '1.x', true],
  ['2.0.0', '1', false],
  ['1.5.0', '>=1.2.0 <2.0.0', true],
  ['1.5.0', '> 1.5.0', false],
  ['3.0.0', '1 || ^3.0.0', true],
  ['1.2.0', '<=1.2', true],
  ['1.0.0', '*', true],
  ['1.0.0', 'latest', null],
  ['1.0.0', '1.0.0 - 2.0.0', null],
  ['1.0.0-beta.1', '^1.0.0', null],
])('%s within %s: %s', (version, range, is) => {
  expect(isWithin(version, range)).toBe(is)
})

const asks = { a: '^1.0.0', b: '^2.0.0' }
const lockOf = (packages: object) => ({
  lockfileVersion: 3,
  packages: { '': { dependencies: asks }, ...packages },
})
const installed = { resolved: 'https://packages.example/x.tgz' }

test('a package in two lists is found, and so is a second version that nobody needs', async () => {
  const files = {
    'package.json': { dependencies: asks, devDependencies: { a: '^1.0.0' } },
    'package-lock.json': lockOf({
      'node_modules/a': { ...installed, version: '1.0.0', dependencies: { b: '^2.1.0', c: '~1.0.0' } },
      'node_modules/b': { ...installed, version: '2.3.0' },
      'node_modules/c': { ...installed, version: '1.1.0' },
      'node_modules/a/node_modules/b': { ...installed, version: '2.1.0' },
      // Wanted as it is: the one above is too new.
      'node_modules/a/node_modules/c': { ...installed, version: '1.0.5' },
      // By a tag: nobody can say.
      'node_modules/b/node_modules/c': { ...installed, version: '1.0.1' },
    }),
  }
  const found = (await keysIn({ files }, 'dependency-management')).filter((key) =>
    key.startsWith('duplicate'),
  )
  expect(found).toEqual(['duplicate-dependency:a', 'duplicate-dependency:package-lock.json:b@2.1.0'])
})

test('what its authors gave up is found where a manifest asks for it, and not below another package', async () => {
  const files = {
    'package.json': { dependencies: asks },
    'package-lock.json': lockOf({
      'node_modules/a': { ...installed, version: '1.0.0', dependencies: { c: '1' }, deprecated: 'use d' },
      'node_modules/b': { ...installed, version: '2.0.0' },
      'node_modules/c': { ...installed, version: '1.0.0', deprecated: 'use e' },
    }),
  }
  const { findings } = await reportOf({ files }, 'dependency-management')
  expect(findings.filter(({ key }) => key.startsWith('deprecated'))).toMatchObject([
    { key: 'deprecated-dependency:a@1.0.0', title: 'a 1.0.0 is deprecated', files: ['package.json'] },
  ])
})

test('a call of an own async function that nobody waits for is found, where it is certain which is meant', async () => {
  const files = {
    'save.js': one(
      'export async function save() { await write() }',
      'export async function careful() { try { await write() } catch (e) { log(e) } }',
      'export function quick() {}',
    ),
    'a.js': one(
      "import { save, careful, quick } from './save.js'",
      'const load = async () => read()',
      'export function all() {',
      '  save()',
      '  load()',
      '  careful()',
      '  quick()',
      '  void save()',
      '  save().catch(log)',
      '  return save()',
      '}',
      'export async function waits() { await save() }',
      'load()',
    ),
    'b.js': one("import { save } from './save.js'", 'export const go = (save) => { save() }'),
    'a.test.js': one("import { save } from './save.js'", 'const go = () => { save() }'),
  }
  const { findings } = await reportOf({ files }, 'error-handling-resilience')
  expect(findings).toMatchObject([
    {
      key: 'floating-promise:a.js',
      evidence: one(
        'a.js:4 in all: save() is async, and its result is dropped',
        'a.js:5 in all: load() is async, and its result is dropped',
      ).trim(),
    },
  ])
})

const body = (name: string, label = 'x') =>
  one(
    `export function ${name}(items) {`,
    ...Array.from(
      { length: 14 },
      (_, n) => `  const part${n} = items.find((each) => each.number === ${n}) // ${name}`,
    ),
    `  return log(part0, '${label}')`,
    '}',
  )

test('the same code in two files is found, and a table, imports or a few lines are not', async () => {
  const few = one(...body('c').split('\n').slice(0, 6), '}')
  const table = one(
    'export const table = [',
    ...Array.from({ length: 60 }, (_, n) => `  [${n}, '${n}', ${n}.5, { n: ${n} }],`),
    ']',
  )
  const files = {
    'a.js': body('first'),
    'b.js': one("import './a.js'", body('second')),
    'c.js': few,
    'd.js': few,
    'e.js': table,
    'f.js': table,
    'a.test.js': body('third'),
  }
  const { findings } = await reportOf({ files }, 'code-quality')
  expect(findings.filter(({ key }) => key.startsWith('duplicated'))).toMatchObject([
    { key: 'duplicated-code:a.js:b.js', files: ['a.js', 'b.js'], evidence: 'a.js:2-17 is b.js:3-18' },
  ])
})

test('a circle that only types close is none, though the import does not say so', async () => {
  const files = {
    'a.ts': one(
      "import { B } from './b'",
      "import { go } from './b'",
      'export interface A { b: B; go: typeof go }',
    ),
    'b.ts': one("import { A } from './a'", 'export interface B { a: A }', 'export const go = (a: A) => a'),
    'c.ts': one("import { D } from './d'", 'export class C extends D {}'),
    'd.ts': one("import { C } from './c'", 'export class D { make() { return new C() } }'),
  }
  expect(await keysIn({ files }, 'architecture')).toEqual(['import-cycle:c.ts:2'])
})

test('tests of types and tests called test-something are no code that nothing uses', async () => {
  const files = {
    'package.json': { name: 'p', main: 'index.js', types: 'index.d.ts' },
    'index.js': 'export const offered = 1',
    'index.d.ts': '/** Offered. */\nexport const offered: number',
    'index.test-d.ts': "import { offered } from './index.js'",
    'test-all.js': "import { offered } from './index.js'",
  }
  const { findings } = await reportOf({ files }, null)
  expect(findings.map(({ key }) => key)).toEqual(['missing-licence:package.json'])
})
