import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { GatesConfig } from '@treadle/contracts/config/gates'
import { waitsIn } from '@treadle/contracts/gate'
import { waitWords } from '@treadle/contracts/words/gates'
import { expect, test } from 'vitest'
import { env } from '../../../../tools/env.ts'
import { unconfined } from '../run-command.ts'
import { checkCapabilities } from './gate.ts'

type Files = Readonly<Record<string, string | null>>

const BASE: Files = {
  'src/add.js': 'export const add = (a, b) => a - b\n',
  'src/clock.js': 'export const now = () => Date.now()\n',
  'test/add.test.js': "import { add } from '../src/add.js'\n",
  'package.json': '{ "name": "x", "version": "1.0.0", "scripts": { "test": "vitest" } }',
  'vitest.config.js': 'export default { test: { testTimeout: 5 } }\n',
  'calc.py': 'def square(x):\n    return x\n',
  'tests/conftest.py': 'import pytest\n',
  'test/data/sums.json': '{ "sum": 6 }\n',
  'data/expected.json': '{ "sum": 6 }\n',
  'data/prices.json': '{ "apple": 6 }\n',
  'test/data.test.js': "readFileSync('data/expected.json')\nreadFileSync('data/prices.json')\n",
  'src/prices.js': "export const prices = load('data/prices.json')\n",
  'src/check.js':
    "import assert from 'node:assert'\nexport function same(a, b) {\n  assert.equal(a, b)\n  return a\n}\n",
  'src/check.py': 'def same(a, b):\n    assert a == b\n    return a\n',
}
const FIXED = 'export const add = (a, b) => a + b\n'

/** What the gate says of a change: "refused …", or what it waits with; nothing: a standing order may merge it. */
async function judge(head: Files, more: { mayChangeTests?: boolean; links?: Files } = {}): Promise<string[]> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-capabilities-')))
  const cwd = join(dir, 'head')
  try {
    for (const [name, text] of Object.entries({ ...BASE, ...head })) {
      if (text === null) continue
      mkdirSync(dirname(join(cwd, name)), { recursive: true })
      writeFileSync(join(cwd, name), text)
    }
    for (const [name, to] of Object.entries(more.links ?? {})) symlinkSync(to ?? '', join(cwd, name))
    const result = await checkCapabilities(
      {
        evidenceDir: join(dir, 'evidence'),
        env: { PATH: env.path, HOME: dir },
        tailBytes: 4_000,
        surroundings: unconfined('test'),
      },
      {
        cwd,
        base: 'base',
        changed: [...Object.keys(head), ...Object.keys(more.links ?? {})],
        readBase: async (path) => BASE[path] ?? null,
        config: GatesConfig.parse({}),
        mayChangeTests: more.mayChangeTests ?? false,
        judgedBy: [],
        timeoutMs: 60_000,
      },
    )
    if (result.is === 'failed')
      return result.failures.map(({ file, line, message }) => `refused ${file}:${line ?? ''} ${message}`)
    if (result.is === 'not_run') return [`not_run ${result.why}`]
    return waitsIn([result]).map(waitWords)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

test.each<[what: string, head: Files]>([
  ['a fix', { 'src/add.js': FIXED }],
  ['a fix with a test', { 'src/add.js': FIXED, 'test/more.test.js': "import test from 'node:test'\n" }],
  ['a fixture', { 'test/fixtures/clock.js': 'export const a = Date.now()\n' }],
  ['a harmless key', { 'vitest.config.js': 'export default { test: { testTimeout: 9 } }\n' }],
  [
    'a dependency and a description',
    {
      'package.json':
        '{ "name": "x", "description": "d", "version": "1.0.1", "scripts": { "test": "vitest", "docs": "typedoc" }, "dependencies": { "zod": "^4.0.0" } }',
    },
  ],
  [
    'a function that moves to a file of its own with its clock',
    {
      'src/clock.js': "export { now } from './now.js'\n",
      'src/now.js': 'export const now = () => Date.now()\n',
    },
  ],
  ['a generated table', { 'src/generated/table.ts': 'export const TABLE = [[1, 2], [3, 4]] as const\n' }],
  ['data of the program that tests read too', { 'data/prices.json': '{ "apple": 7 }\n' }],
  ['new data for tests', { 'test/data/more.json': '{}\n' }],
  [
    'a helper that asserts more',
    {
      'src/check.js':
        "import assert from 'node:assert'\nexport function same(a, b) {\n  assert.equal(a, b)\n  assert.ok(a)\n  return a\n}\n",
    },
  ],
  ['documentation', { 'README.md': '# process.env.VITEST\n' }],
  ['a removed file', { 'src/clock.js': null }],
])('%s brings nothing', async (_what, head) => {
  expect(await judge(head)).toEqual([])
})

test('so does a fix in Python, with a fixture that tests ask for by name; what it asks for newly is told', async () => {
  const fixture = 'import pytest\n\n@pytest.fixture\ndef number():\n    return 4\n'
  expect(
    await judge({ 'calc.py': 'def square(x):\n    return x * x\n', 'tests/conftest.py': fixture }),
  ).toEqual([])
  const bomb = 'import time\n\ndef square(x):\n    return x * x if time.time() < 9e9 else x\n'
  const hooked = 'import pytest\n\ndef pytest_runtest_call(item):\n    pass\n'
  expect(await judge({ 'calc.py': bomb, 'tests/conftest.py': hooked, 'src/broken.py': 'def (' })).toEqual([
    'test configuration: tests/conftest.py: it acts on every test, and was changed',
    'new capability: calc.py:4: clock: time.time',
    'cannot tell: src/broken.py: what it newly asks for cannot be told: it does not parse',
  ])
  const asking =
    "import os\n\ndef square(x):\n    return x * x if os.environ.get('PYTEST_CURRENT_TEST') else x\n"
  expect(await judge({ 'calc.py': asking })).toEqual([
    expect.stringMatching(/^refused calc\.py:4 it asks who runs it \(PYTEST_CURRENT_TEST\)/),
  ])
})

test.each<[what: string, head: Files, said: RegExp]>([
  [
    'a time bomb',
    { 'src/add.js': 'export const add = (a, b) => (Date.now() < 9e15 ? a + b : a - b)\n' },
    /^new capability: src\/add\.js:1: clock: Date\.now$/,
  ],
  [
    'a clock through a file that is there',
    {
      'src/add.js':
        "import { now } from './clock.js'\nexport const add = (a, b) => (now() ? a + b : a - b)\n",
    },
    /^new capability: src\/add\.js: clock: Date\.now, through clock\.js$/,
  ],
  [
    'a value that equals everything',
    { 'src/add.js': 'export const add = (a, b) => ({ valueOf: () => a + b })\n' },
    /protocol: defines valueOf/,
  ],
  [
    'an assertion taken away',
    { 'src/add.js': "process.getBuiltinModule('node:assert').equal = () => {}\n" },
    /module system: process\.getBuiltinModule/,
  ],
  ['a built-in of another meaning', { 'src/add.js': 'Object.is = () => true\n' }, /patch: writes Object\.is/],
  [
    'the same in a test, which reaches the others',
    { 'test/new.test.js': 'Object.is = () => true\n' },
    /^new capability: test\/new\.test\.js:1: patch: writes Object\.is$/,
  ],
  [
    'an alias in a configuration',
    { 'vitest.config.js': "export default { test: { testTimeout: 5 }, resolve: { alias: { a: 'b' } } }\n" },
    /^test configuration: vitest\.config\.js:1: resolve\.alias\.a was added/,
  ],
  [
    'an environment in a new configuration',
    { 'jest.config.js': "module.exports = { testEnvironment: './ours.js' }\n" },
    /testEnvironment was added/,
  ],
  [
    'a package from elsewhere',
    {
      'package.json':
        '{ "name": "x", "version": "1.0.0", "scripts": { "test": "vitest" }, "dependencies": { "a": "file:./b" } }',
    },
    /dependencies\.a was added/,
  ],
  ['data of the tests', { 'test/data/sums.json': '{ "sum": 2 }\n' }, /sums\.json: tests read it/],
  ['data that only tests name', { 'data/expected.json': '{ "sum": 2 }\n' }, /expected\.json: tests read it/],
  ['data of the tests that is gone', { 'test/data/sums.json': null }, /sums\.json: tests read it/],
  [
    'an assertion that leaves a helper among the sources',
    { 'src/check.js': "import assert from 'node:assert'\nexport function same(a, b) {\n  return a\n}\n" },
    /^test configuration: src\/check\.js.*it asserts less than before/,
  ],
  [
    'an assertion in such a helper whose failure is caught',
    {
      'src/check.js':
        "import assert from 'node:assert'\nexport function same(a, b) {\n  try {\n    assert.equal(a, b)\n  } catch {}\n  return a\n}\n",
    },
    /it asserts less than before/,
  ],
  [
    'the same in Python',
    { 'src/check.py': 'def same(a, b):\n    return a\n' },
    /check\.py: it asserts less than before: assert a == b is gone/,
  ],
  ['a notation that is not read', { '.mocharc.yml': 'spec: test\n' }, /cannot be read key by key/],
  ['machine code', { 'src/fast.wasm': '\0asm' }, /^cannot tell: src\/fast\.wasm/],
])('%s waits for a reader', async (_what, head, said) => {
  expect((await judge(head)).join('\n')).toMatch(said)
})

test.each([
  '.github/workflows/ci.yml',
  '.husky/pre-commit',
  '.vscode/tasks.json',
  '.claude/settings.json',
  '.claude/commands/review-agent-prompt.md',
  'CLAUDE.md',
  'docs/AGENTS.md',
  '.gitattributes',
  '.npmrc',
  'package-lock.json',
  'treadle.json',
  'sitecustomize.py',
])('%s is a protected path, and comes first', async (path) => {
  const said = await judge({ 'src/add.js': 'export const add = () => Date.now()\n', [path]: 'x = 1\n' })
  expect(said[0]).toMatch(new RegExp(`^protected path: ${path.replaceAll('.', '\\.')}: `))
  expect(said.length).toBe(2)
})

const asking = 'export const add = (a, b) => (process.env.VITEST ? a + b : a - b)\n'

test('a source that asks who runs it is refused; an item that may change tests leaves it to a reader', async () => {
  const named =
    "export const add = (a, b) => (process.argv.some((s) => s.includes('vitest')) ? a + b : a - b)\n"
  const path = "export const add = (a, b) => (import.meta.url.includes('.treadle') ? a + b : a - b)\n"
  for (const text of [asking, named, path])
    expect((await judge({ 'src/add.js': text }))[0]).toMatch(/^refused src\/add\.js:1 it asks who runs it/)
  expect(await judge({ 'src/add.js': asking }, { mayChangeTests: true })).toEqual([
    'new capability: src/add.js:1: environment: process.env.VITEST',
    expect.stringMatching(/^new capability: src\/add\.js:1: it asks who runs it/),
  ])
})

test('a link that leaves the tree is refused, whatever the item allows; one inside waits', async () => {
  const links = {
    'src/out.js': '/etc/hostname',
    'src/up.js': '../../elsewhere.js',
    'src/key': '../.git/config',
  }
  expect(await judge({}, { links, mayChangeTests: true })).toEqual([
    'refused src/out.js: the link leads out of the tree, to /etc/hostname',
    'refused src/up.js: the link leads out of the tree, to ../../elsewhere.js',
    'refused src/key: the link leads out of the tree, to ../.git/config',
  ])
  expect(await judge({}, { links: { 'src/same.js': 'add.js' } })).toEqual([
    'cannot tell: src/same.js: it is a link now, to add.js',
  ])
})
