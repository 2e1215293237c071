// A finding that is only put where no survey reads it, or written so that no survey knows it, was not put right.
import type { Category } from '@treadle/contracts/categories'
import { judgeFinding } from '@treadle/gates/review/decide-finding'
import { Project } from '@treadle/survey/project'
import { surveyCommit } from '@treadle/survey/survey-commit'
import { expect, test } from 'vitest'

/** Null: it is not there; 'unread': it is no text, or too large to be read. */
type Files = Readonly<Record<string, string | null | Unread>>
interface Unread {
  readonly is: 'unread'
}
const UNREAD: Unread = { is: 'unread' }

const NOW = new Date('2026-06-01T00:00:00Z')
const LONG_AGO = new Date('2025-01-01T00:00:00Z')

function treeOf(files: Files, touched: Files): Project {
  const there = new Map(Object.entries(files).filter(([, text]) => text !== null))
  const textAt = (path: string) => {
    const text = there.get(path)
    return typeof text === 'string' ? text : null
  }
  const tree = {
    files: async () => [...there.keys()],
    read: async (path: string) => textAt(path),
    lineTimes: async (path: string) =>
      (textAt(path) ?? '').split('\n').map(() => (path in touched ? NOW : LONG_AGO)),
  }
  return new Project(tree, () => NOW)
}

type Named = readonly [Category, string]

async function found([category, key]: Named, base: Files, change: Files) {
  const finding = { category, key }
  const judged = judgeFinding(finding, {
    base: await surveyCommit(treeOf(base, {}), finding),
    head: await surveyCommit(treeOf({ ...base, ...change }, change), finding),
  })
  return judged.found
}

const turned = { is: 'improved', before: 1, after: 0, better: null }
const notTurned = { is: 'not_improved', before: 1, after: 1, better: null }
const manifest = (more: object = {}) =>
  `${JSON.stringify({ name: 'shop', private: true, ...more }, null, 2)}\n`

const CAUGHT: Named = ['error-handling-resilience', 'empty-catch:a.js']
const CATCH = 'try { open() } catch {}\n'
const CATCHES: Files = {
  'package.json': manifest(),
  'a.js': `export const a = () => 1\n${CATCH}`,
  'fixtures/old.js': 'shut()\n',
  'test/old.js': 'shut()\n',
}
const moved = `export const a = () => 1\n${CATCH}`

test('an error that is told turns the measure of an empty catch, with a test of it and a note', async () => {
  const change = {
    'a.js': 'export const a = () => 1\ntry { open() } catch (error) { log(error) }\n',
    'test/a.test.js': "import '../a.js'\n",
    'NOTES.md': 'Errors are told.\n',
  }
  expect(await found(CAUGHT, CATCHES, change)).toEqual(turned)
})

test.each<[string, Files]>([
  ['in samples', { 'a.js': "export * from './fixtures/b.js'\n", 'fixtures/b.js': moved }],
  ['in samples that are there', { 'a.js': "export * from './fixtures/old.js'\n", 'fixtures/old.js': moved }],
  ['in what others wrote', { 'a.js': "export * from './vendor/b.js'\n", 'vendor/b.js': moved }],
  ['in a folder of tests', { 'a.js': "export * from './test/b.js'\n", 'test/b.js': moved }],
  ['in a test that is there', { 'a.js': "export * from './test/old.js'\n", 'test/old.js': moved }],
  ['in what a build makes', { 'a.js': "export * from './dist/b.js'\n", 'dist/b.js': moved }],
  ['in a file of another name', { 'a.js': "module.exports = require('./b.es6')\n", 'b.es6': moved }],
  ['in a text', { 'a.js': "module.exports = require('./b.md')\n", 'b.md': moved }],
  ['in a file that is called otherwise', { 'a.js': null, 'a.es6': moved }],
  ['in a file that is too large', { 'a.js': "export * from './b.js'\n", 'b.js': UNREAD }],
  ['in a file that cannot be parsed', { 'a.js': "export * from './b.js'\n", 'b.js': `${moved}(` }],
  ['in an address', { 'a.js': "export * from 'data:text/javascript,try{open()}catch{}'\n" }],
  ['behind an alias', { 'a.js': "export * from '#b'\n" }],
  ['in another repository', { 'a.js': "export * from './module/b.js'\n" }],
  ['behind what is computed', { 'a.js': "await import(['./fixtures', 'old.js'].join('/'))\n" }],
  ['behind another loader', { 'a.js': "createRequire(import.meta.url)('./fixtures/old.js')\n" }],
  ['behind another name of a loader', { 'a.js': "const load = require\nload('./fixtures/old.js')\n" }],
  ['in a text that is run', { 'a.js': "eval('try { open() } catch {}')\n" }],
  ['with an empty statement', { 'a.js': 'try { open() } catch { ; }\n' }],
  ['with a value that nobody uses', { 'a.js': 'try { open() } catch (error) { void error }\n' }],
  ['with an empty comment', { 'a.js': 'try { open() } catch { /* */ }\n' }],
])('an empty catch %s is still there', async (_, change) => {
  expect(await found(CAUGHT, CATCHES, change)).toEqual(notTurned)
})

const SECRET = `token = "${['ghp_', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('')}"\n`
const KEPT: Named = ['security', 'committed-secret:config.ini:github/GITHUB_TOKEN']
const SECRETS: Files = { 'package.json': manifest(), 'config.ini': SECRET }

test('a secret that is taken away turns its measure', async () => {
  expect(await found(KEPT, SECRETS, { 'config.ini': 'token = $KEY\n' })).toEqual(turned)
})

test.each<[string, Files]>([
  ['moved to samples', { 'config.ini': '', 'fixtures/config.ini': SECRET }],
  ['moved to tests', { 'config.ini': '', 'test/config.ini': SECRET }],
  ['with a word to the scanner', { 'config.ini': `# secretlint-disable\n${SECRET}` }],
  ['moved to a lock file', { 'config.ini': '', 'yarn.lock': SECRET }],
  ['in a file that is no text', { 'config.ini': UNREAD }],
  ['moved to a file that is no text', { 'config.ini': '', 'config.bin': UNREAD }],
  [
    'behind more files than are looked at',
    Object.fromEntries(Array.from({ length: 3_000 }, (_, nth) => [`a${nth}.txt`, ''])),
  ],
])('a secret %s is still there', async (_, change) => {
  expect(await found(KEPT, SECRETS, change)).toEqual(notTurned)
})

const PICTURE: Named = ['accessibility', 'markup:index.html:image-alt']
const PAGE = '<html lang="en"><img src="a.png"></html>\n'
const PAGES: Files = {
  'package.json': manifest(),
  'index.html': PAGE,
  'other.html': '<html lang="en"></html>',
}

test('a text for a picture turns the measure of its page', async () => {
  expect(await found(PICTURE, PAGES, { 'index.html': PAGE.replace('<img', '<img alt="a"') })).toEqual(turned)
})

test.each<[string, Files]>([
  ['moved to samples', { 'index.html': null, 'fixtures/index.html': PAGE }],
  ['in a file of another name', { 'index.html': null, 'index.ejs': PAGE }],
  ['in a file that is no text', { 'index.html': UNREAD }],
])('a picture without a text %s is still there', async (_, change) => {
  expect(await found(PICTURE, PAGES, change)).toEqual(notTurned)
})

const CIRCLE: Named = ['architecture', 'import-cycle:c.js:2']
const CIRCLES: Files = {
  'a.js': "import './b.js'\n",
  'b.js': "import './a.js'\n",
  'c.js': "import './d.js'\n",
  'd.js': "import './c.js'\n",
  'index.js': "import './a.js'\nimport './c.js'\nimport './d.js'\n",
}

test('a circle that is opened turns its measure', async () => {
  expect(await found(CIRCLE, CIRCLES, { 'd.js': 'go()\n' })).toEqual(turned)
})

test('a circle that is lost in a larger tangle is still there', async () => {
  const change = {
    'a.js': "import './b.js'\nimport './c.js'\nimport './d.js'\n",
    'c.js': "import './a.js'\nimport './d.js'\n",
    'd.js': "import './a.js'\nimport './c.js'\n",
  }
  expect(await found(CIRCLE, CIRCLES, change)).toEqual(notTurned)
})

const NOTE: Named = ['technical-debt', 'old-todo:a.css:TODO:take this away']
const NOTES: Files = { 'a.css': '/* TODO: take this away */\na { color: red }\n', 'b.css': '' }

test('a note whose work is done turns its measure', async () => {
  expect(await found(NOTE, NOTES, { 'a.css': '' })).toEqual(turned)
})

test.each<[string, Files]>([
  ['in small letters', { 'a.css': '/* todo: take this away */\n' }],
  ['with another sign behind it', { 'a.css': '/* TODO- take this away */\n' }],
  ['called otherwise', { 'a.css': '/* Later: take  this away */\n' }],
  ['moved to samples', { 'a.css': '', 'fixtures/a.css': NOTES['a.css'] ?? null }],
  ['moved to a text', { 'a.css': '', 'NOTES.md': 'take this away\n' }],
  ['in a file that is no text', { 'a.css': UNREAD }],
])('a note %s is still there', async (_, change) => {
  expect(await found(NOTE, NOTES, change)).toEqual(notTurned)
})

const LICENCE: Named = ['compliance-governance', 'missing-licence:package.json']
const OFFERED: Files = { 'package.json': manifest({ private: false, main: 'a.js' }), 'a.js': 'go()\n' }

test('a licence turns the measure of a package without one', async () => {
  const change = { 'package.json': manifest({ private: false, main: 'a.js', license: 'MIT' }) }
  expect(await found(LICENCE, OFFERED, change)).toEqual(turned)
})

test.each([null, {}, [], ' '])('%j is no licence', async (license) => {
  const change = { 'package.json': manifest({ private: false, main: 'a.js', license }) }
  expect(await found(LICENCE, OFFERED, change)).toEqual(notTurned)
})

const UNLICENSED: Named = ['compliance-governance', 'missing-licence:package.json:pad']
const WITH_PAD: Files = {
  'package.json': manifest({ dependencies: { pad: '1.0.0' } }),
  'node_modules/pad/package.json': '{"name":"pad"}',
  'a.js': "import 'pad'\n",
}

test('a package without a licence that is not asked for any more turns its measure', async () => {
  expect(await found(UNLICENSED, WITH_PAD, { 'package.json': manifest(), 'a.js': 'go()\n' })).toEqual(turned)
})

test.each<[string, Files]>([
  ['in another list', { 'package.json': manifest({ devDependencies: { pad: '1.0.0' } }) }],
  ['that is not installed', { 'node_modules/pad/package.json': null }],
])('a package without a licence %s has none', async (_, change) => {
  expect(await found(UNLICENSED, WITH_PAD, change)).toEqual(notTurned)
})

const SCRIPT: Named = ['developer-experience', 'broken-script:go']
const withScript = (go: string) => manifest({ scripts: { go, test: 'node --test' } })
const SCRIPTS: Files = { 'package.json': withScript('node gone.js'), 'here.js': 'go()\n' }

test('a script that starts what is there turns its measure', async () => {
  expect(await found(SCRIPT, SCRIPTS, { 'package.json': withScript('node "here.js"') })).toEqual(turned)
})

test.each([
  'node "gone.js"',
  'node  gone.js',
  'node -- gone.js',
  'node ./dist/gone.js',
  "sh -c 'node gone.js'",
  'npm  run gone',
  'npm run "gone"',
  'npm --silent run gone',
])('the script %s is still broken', async (go) => {
  expect(await found(SCRIPT, SCRIPTS, { 'package.json': withScript(go) })).toEqual(notTurned)
})

const COMMAND: Named = ['documentation', 'document-command:README.md:npm run tset']
const DOCUMENTED: Files = {
  'package.json': manifest({ scripts: { test: 'node --test' } }),
  'README.md': '# Shop\n\n```sh\nnpm run tset\n```\n',
}

test.each<[string, Files]>([
  ['with two spaces', { 'README.md': '```sh\nnpm  run tset\n```\n' }],
  ['in quotes', { 'README.md': "```sh\nnpm run 'tset'\n```\n" }],
  ['with a sign that nobody sees', { 'README.md': '```sh\nnpm run ts\u200bet\n```\n' }],
  ['with an option', { 'README.md': '```sh\nnpm --loud run tset\n```\n' }],
  ['in another text', { 'README.md': '# Shop\n', 'GUIDE.txt': 'npm run tset\n' }],
])('a broken command %s is still there', async (_, change) => {
  expect(await found(COMMAND, DOCUMENTED, change)).toEqual(notTurned)
})

const UNDECLARED: Named = ['dependency-management', 'undeclared-dependency:pad']
const IMPORTING: Files = { 'package.json': manifest(), 'index.js': "import 'pad'\n" }

test('a package that is asked for turns the measure of one that was not', async () => {
  const change = { 'package.json': manifest({ dependencies: { pad: '1.0.0' } }) }
  expect(await found(UNDECLARED, IMPORTING, change)).toEqual(turned)
})

test.each<[string, Files]>([
  ['that the package itself is called', { 'package.json': manifest({ name: 'pad' }) }],
  ['in samples', { 'index.js': "import './fixtures/a.js'\n", 'fixtures/a.js': "import 'pad'\n" }],
])('a package %s is not asked for', async (_, change) => {
  expect(await found(UNDECLARED, IMPORTING, change)).toEqual(notTurned)
})

test('a dead file that is kept under another name has not gone', async () => {
  const base = { 'package.json': manifest(), 'index.js': 'go()\n', 'src/dead.js': 'go()\n' }
  const change = { 'src/dead.js': null, 'src/dead.js.bak': 'go()\n' }
  expect(await found(['code-quality', 'unused-file:src/dead.js'], base, change)).toEqual(notTurned)
})
