// What each survey finds in a small repository, and what it leaves alone.
import { expect, test } from 'vitest'
import { keysIn, one, reportOf } from './testing/sample.ts'

test('a dependency that nothing imports or names is found, and one that is used in any way is not', async () => {
  const manifest = {
    scripts: { lint: 'eslint .', build: 'rimraf dist && node build.mjs' },
    dependencies: {
      'left-pad': '1.0.0',
      imported: '1.0.0',
      required: '1.0.0',
      loaded: '1.0.0',
      wanted: '1.0.0',
    },
    devDependencies: {
      eslint: '9.0.0',
      'eslint-plugin-unicorn': '1.0.0',
      rimraf: '6.0.0',
      '@types/imported': '1.0.0',
      '@types/gone': '1.0.0',
      'not-installed': '1.0.0',
      idle: '1.0.0',
    },
  }
  const files = {
    'package.json': manifest,
    'package-lock.json': '{"left-pad":1,"idle":1}',
    'README.md': 'We like left-pad and idle.',
    '.eslintrc.json': '{"plugins":["unicorn"]}',
    'a.mjs': one(
      "import x from 'imported'",
      "const y = require('required')",
      "await import('loaded')",
      'x(y)',
    ),
  }
  const none = {}
  const installed = {
    ...Object.fromEntries(Object.keys(manifest.dependencies).map((name) => [name, none])),
    imported: { peerDependencies: { wanted: '1' } },
    eslint: { bin: { eslint: 'x' } },
    rimraf: { bin: './x' },
    'eslint-plugin-unicorn': none,
    idle: { bin: { 'idle-cli': 'x' } },
  }
  const found = (await keysIn({ files, installed }, 'dependency-management')).toSorted()
  expect(found).toEqual([
    'unused-dependency:@types/gone',
    'unused-dependency:idle',
    'unused-dependency:left-pad',
  ])
})

test('a package of a monorepo answers for itself, and its files may use what stands at the top', async () => {
  const files = {
    'package.json': { workspaces: ['packages/*'], devDependencies: { shared: '1.0.0' } },
    'packages/a/package.json': { name: 'a', dependencies: { b: '1.0.0', lib: '1.0.0' } },
    'packages/a/src/index.js': one("import { two } from 'b'", "import 'shared'", 'export const one = two'),
    'packages/b/package.json': { name: 'b', dependencies: { lib: '1.0.0' } },
    'packages/b/src/index.js': one(
      "import lib from 'lib'",
      "import late from 'late'",
      'export const two = lib + late',
    ),
  }
  const installed = { shared: {}, lib: {}, b: {} }
  expect(await keysIn({ files, installed }, 'dependency-management')).toEqual([
    'unused-dependency:packages/a:lib',
    'undeclared-dependency:late',
  ])
})

test('what is imported by an alias, from Node or for its types alone is no undeclared dependency', async () => {
  const files = {
    'package.json': { name: 'self' },
    'tsconfig.json': '{"compilerOptions":{"paths":{"@lib/*":["./src/lib/*"],"~util":["./src/util.ts"]}}}',
    'a.ts': one(
      "import fs from 'fs'",
      "import { readFile } from 'node:fs/promises'",
      "import '@lib/x'",
      "import '~util'",
      "import 'self/y'",
      "import type { Z } from 'types-only'",
      "import 'virtual:pwa'",
      "const text = `require('in-a-text')` // require('in-a-comment')",
      'export const a = [fs, readFile, text] as Z[]',
    ),
  }
  expect(await keysIn({ files }, 'dependency-management')).toEqual([])
})

test('files that import each other in a circle are found, by values and not by types', async () => {
  const files = {
    'a.ts': one("import { b } from './b'", 'export const a = () => b'),
    'b.ts': one("import { c } from './c.js'", 'export const b = () => c'),
    'c.ts': one("import { a } from './a'", 'export const c = () => a'),
    'd.ts': one("import type { E } from './e'", 'export interface D { e: E }'),
    'e.ts': one("import { type D } from './d'", 'export interface E { d: D }'),
  }
  const { findings } = await reportOf({ files }, 'architecture')
  expect(findings).toMatchObject([
    {
      files: ['a.ts', 'b.ts', 'c.ts'],
      evidence: 'a.ts imports b.ts imports c.ts imports a.ts',
      mendable: false,
    },
  ])
})

test('an error that is dropped is found with the function around it, and one with a reason is not', async () => {
  const files = {
    'a.js': one(
      'export function load() { try { work() } catch {} }',
      'export function save() { try { work() } catch (e) { /* it is only a cache */ } }',
      'export const send = () => work().catch(() => {})',
      'export const tell = () => work().catch((e) => log(e))',
    ),
    'a.test.js': 'try { work() } catch {}',
  }
  const { findings } = await reportOf({ files }, 'error-handling-resilience')
  expect(findings).toMatchObject([
    {
      key: 'empty-catch:a.js',
      title: 'a.js drops errors in 2 places',
      evidence: 'a.js:1 in load: an empty catch\na.js:3 in send: an empty catch',
    },
  ])
})

test('a command of a document that cannot work is found, and one that only a build makes work is not', async () => {
  const files = {
    'package.json': { scripts: { 'test:unit': 'node --test', dev: 'node server.mjs' } },
    'server.mjs': '',
    'tools/seed.sh': '',
    'README.md': one(
      '```sh',
      '$ npm run unit',
      'npm run dev && npm run absent',
      'node dist/main.js',
      'node server.mjs --port 80',
      'node missing.mjs',
      './tools/seed.sh',
      'npm run <name>',
      'npm install',
      '```',
      'Say `npm run prose`.',
      '```js',
      'npm run code',
      '```',
    ),
  }
  const { findings } = await reportOf({ files }, 'documentation')
  expect(findings.map(({ key, mendable }) => [key, mendable])).toEqual([
    ['document-command:README.md:npm run unit', true],
    ['document-command:README.md:npm run absent', false],
    ['document-command:README.md:node missing.mjs', false],
  ])
})

test('a script that starts what is not there is found', async () => {
  const scripts = {
    ok: 'node a.mjs && npm run other',
    other: 'cd sub && node x.js',
    made: 'node dist/a.js',
    broken: 'node -r ./dist/env.js scripts/gone.js',
    lost: 'npm run nothing',
  }
  const files = { 'package.json': { scripts }, 'a.mjs': '' }
  expect(await keysIn({ files }, 'developer-experience')).toEqual([
    'broken-script:broken',
    'broken-script:lost',
  ])
})

test('code that nothing uses is found, and what is named, started or offered is not', async () => {
  const files = {
    'package.json': { main: 'index.js', scripts: { job: 'node src/job.js' } },
    'index.js': one("export { used } from './src/used.js'"),
    'src/used.js': one(
      'export const used = 1',
      'export const idle = 2 // idle',
      'export const own = 3',
      'export const sum = used + own',
      'export default used + sum',
    ),
    'src/left.js': 'export const left = 1',
    'src/job.js': 'work()',
    'src/page.js': 'work()',
    'page.html': '<script src="/src/page.js"></script>',
    'a.test.js': "import { used } from './src/used.js'",
  }
  expect(await keysIn({ files }, 'code-quality')).toEqual([
    'unused-file:src/left.js',
    'unused-export:src/used.js:idle',
    'unused-export:src/left.js:left',
  ])
})

test('a file that no test loads is found, the largest first, and one that is loaded through others is not', async () => {
  const files = {
    'a.test.ts': "import { a } from './a'",
    'a.ts': "import { b } from './b'\nexport const a = b",
    'b.ts': 'export const b = 1',
    'c.ts': 'export const c = 1',
    'd.ts': 'export const d = 1\nexport const e = 2\n',
    'vite.config.ts': 'export default {}',
  }
  const { findings } = await reportOf({ files }, 'testing')
  expect(findings.map(({ key }) => key)).toEqual(['untested-file:d.ts', 'untested-file:c.ts'])
  expect(findings[0]?.evidence).toContain('It exports d, e.')
})

test('markup that breaks a rule by itself is found in HTML and JSX', async () => {
  const files = {
    'index.html': one(
      '<html><body>',
      '<!-- <img src="x"> -->',
      '<img src="a.png">',
      '<img src="b.png" alt="">',
      "<div tabindex='2'></div>",
      '<iframe src="x"></iframe>',
      '</body></html>',
    ),
    'a.tsx': 'export const A = (p) => <><img src="a" /><img {...p} /><img alt={p.x} /><p tabIndex={3} /></>',
  }
  expect((await keysIn({ files }, 'accessibility')).toSorted()).toEqual([
    'markup:a.tsx:image-alt',
    'markup:a.tsx:tab-order',
    'markup:index.html:frame-title',
    'markup:index.html:html-lang',
    'markup:index.html:image-alt',
    'markup:index.html:tab-order',
  ])
})

test('a note that is older than half a year is found, the oldest first; what is new, unsaved or no comment is not', async () => {
  const files = {
    'a.js': one('// TODO: second', 'const TODO = 1', '// FIXME first', '// TODO(me): new', '// TODO unsaved'),
  }
  const lineTimes = {
    'a.js': [
      '2025-01-02T00:00:00Z',
      '2020-01-01T00:00:00Z',
      '2024-01-02T00:00:00Z',
      '2026-05-01T00:00:00Z',
      null,
    ],
  }
  const { findings } = await reportOf({ files, lineTimes }, 'technical-debt')
  expect(findings.map(({ title }) => title)).toEqual([
    'FIXME in a.js since 2024-01-02: first',
    'TODO in a.js since 2025-01-02: second',
  ])
})

test('a package for others without a licence is found, and so is a dependency of that kind', async () => {
  const files = {
    'package.json': { name: 'mine', main: 'index.js', dependencies: { open: '1', closed: '1', absent: '1' } },
    'index.js': '',
  }
  const installed = { open: { license: 'MIT' }, closed: {} }
  expect(await keysIn({ files, installed }, 'compliance-governance')).toEqual([
    'missing-licence:package.json',
    'missing-licence:package.json:closed',
  ])
})

test('a secret is found without being repeated', async () => {
  const key = `AKIA${'IOSFODNN7EXAMPLF'}`
  const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzzKEY'
  const files = {
    'settings.js': one(`const AWS_ACCESS_KEY_ID = '${key}'`, `const AWS_SECRET_ACCESS_KEY = '${secret}'`),
  }
  const report = await reportOf({ files }, 'security')
  expect(report.findings[0]).toMatchObject({ category: 'security', files: ['settings.js'] })
  expect(JSON.stringify(report)).not.toContain(secret)
})

test('every category is looked at or says why not; what is too much is left out by number', async () => {
  const files = {
    'package.json': '{ this is no JSON',
    'deep.js': `${'('.repeat(5_000)}1${')'.repeat(5_000)}`,
    'broken.js': 'export const = ',
    ...Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}.js`, `export const name${n} = 1`])),
  }
  const report = await reportOf({ files }, null, 20)
  expect(report.skipped.filter(({ survey }) => survey === null).length).toBe(10)
  expect(report.findings.filter(({ key }) => key.startsWith('unused-export:'))).toHaveLength(20)
  expect(report.skipped).toContainEqual({
    category: 'code-quality',
    survey: 'unused-export',
    part: true,
    why: 'unused-export: 10 more are not shown; with --all they are',
  })
})

test('tests of types are tests: nobody takes them for files that nothing uses', async () => {
  const files = {
    'package.json': { name: 'slug', main: 'index.js', scripts: { test: 'tsd && node test.js' } },
    'index.js': 'module.exports = 1\n',
    'index.test-d.ts': "import slug from './index.js'\nexpectType<number>(slug)\n",
    'left.js': 'module.exports = 2\n',
    'test.js': "require('./index.js')\n",
  }
  expect(await keysIn({ files }, 'code-quality')).toEqual(['unused-file:left.js'])
})
