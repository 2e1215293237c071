// What the tests load with a change and without it, with the runners as they are installed here. The check looks at
// the record alone: what other gates would have said of these changes is not asked.
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { waitsIn } from '@treadle/contracts/gate'
import { notRun } from '@treadle/requirements/not-run'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { type Files, makeChange } from '../testing/change.ts'
import { runTests } from '../tests.ts'
import { checkLoads } from './loads.ts'

const packages = fileURLToPath(new URL('../../../../node_modules', import.meta.url))

interface Sample {
  readonly command: string
  readonly base: Files
  readonly head: Files
  /** Packages that lie above the trees. */
  readonly installed?: Readonly<Record<string, string>>
}

async function look({ command, base, head, installed }: Sample) {
  const made = makeChange({ '.gitignore': 'node_modules\n__pycache__\n', ...base }, head)
  onTestFinished(made.remove)
  if (installed === undefined) symlinkSync(packages, join(made.dir, 'node_modules'))
  for (const [name, code] of Object.entries(installed ?? {})) {
    const folder = join(made.dir, 'node_modules', name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version: '1.2.3', main: 'index.js' }))
    writeFileSync(join(folder, 'index.js'), code)
  }
  const request = await made.request({ command })
  expect(request.earlier[0]?.is, JSON.stringify(request.earlier[0])).toBe('passed')
  const result = await checkLoads(made.options, request)
  const waits = waitsIn([result]).map(({ file, words }) => `${file}: ${words}`)
  return { result, waits, output: made.output(result) }
}

const esm = '{ "name": "pump", "type": "module" }\n'
const nodeTest = (from: string, more = '') =>
  `import assert from 'node:assert'\nimport test from 'node:test'\nimport { half } from '${from}'\n${more}\ntest('halves', () => {\n  assert.equal(half(4), 2)\n})\n`
const half = 'export const half = (n) => n / 2\n'
const liar = 'export const half = () => 2\n'
const commonTest = (from: string) =>
  `const assert = require('node:assert')\nconst { half } = require('${from}')\nrequire('node:test')('halves', () => {\n  assert.equal(half(4), 2)\n})\n`
const commonHalf = 'exports.half = (n) => n / 2\n'

const node = { command: 'node --test' }
const nodeBase = { 'package.json': esm, 'src/half.js': half, 'test/half.test.js': nodeTest('../src/half.js') }
const common = {
  'package.json': '{}\n',
  'src/half/index.js': commonHalf,
  'test/half.test.js': commonTest('../src/half'),
}

const vitest = { command: 'npx vitest run' }
const vitestTest = (from: string) =>
  `import { expect, test } from 'vitest'\nimport { half } from '${from}'\n\ntest('halves', () => {\n  expect(half(4)).toBe(2)\n})\n`
const vitestBase = {
  'package.json': esm,
  'src/half/index.ts': 'export const half = (n: number) => n / 2\n',
  'test/half.test.ts': vitestTest('../src/half'),
}

const pytest = { command: 'python3 -m pytest -p no:cacheprovider' }
const pytestBase = {
  'calc/__init__.py': '',
  'calc/half.py': 'def half(n):\n    return n / 2\n',
  'tests/test_half.py': 'from calc.half import half\n\n\ndef test_half():\n    assert half(4) == 2\n',
}

function needPytest(context: TestContext): void {
  try {
    execFileSync('python3', ['-m', 'pytest', '--version'], { stdio: 'ignore' })
  } catch {
    notRun(context, 'pytest', 'pip install pytest')
  }
}

const LIES: readonly (readonly [name: string, sample: Sample, words: string])[] = [
  [
    'node: a file before a folder',
    { ...node, base: common, head: { 'src/half.js': 'exports.half = () => 2\n' } },
    'test/half.test.js: its import "../src/half" comes to src/half.js, and came to src/half/index.js before: what it came to is still there',
  ],
  [
    'node: a condition of the imports in package.json',
    {
      ...node,
      base: {
        'package.json': '{ "type": "module", "imports": { "#half": { "default": "./src/half.js" } } }\n',
        'src/half.js': half,
        'src/other.js': liar,
        'test/half.test.js': nodeTest('#half'),
      },
      head: {
        'package.json':
          '{ "type": "module", "imports": { "#half": { "node": "./src/other.js", "default": "./src/half.js" } } }\n',
      },
    },
    'test/half.test.js: its import "#half" comes to src/other.js, and came to src/half.js before: what it came to is still there',
  ],
  [
    'node: a package of the same name in the tree',
    {
      ...node,
      installed: { halves: commonHalf },
      base: { 'package.json': '{ "name": "pump" }\n', 'test/half.test.js': commonTest('halves') },
      head: {
        'package.json': '{ "name": "halves", "exports": "./other.js" }\n',
        'other.js': commonHalf,
      },
    },
    'test/half.test.js: its import "halves" comes to other.js, and came to package halves before: what it came to is still there',
  ],
  [
    'node: a folder in NODE_PATH',
    {
      command: 'npm test',
      base: {
        'package.json': '{ "scripts": { "test": "NODE_PATH=lib node --test" } }\n',
        'lib/halves/index.js': commonHalf,
        'test/half.test.js': commonTest('halves'),
      },
      head: {
        'package.json': '{ "scripts": { "test": "NODE_PATH=other:lib node --test" } }\n',
        'other/halves.js': commonHalf,
      },
    },
    'test/half.test.js: its import "halves" comes to other/halves.js, and came to lib/halves/index.js before: what it came to is still there',
  ],
  [
    'node: a condition on the command line',
    {
      command: 'npm test',
      base: {
        'package.json':
          '{ "type": "module", "imports": { "#half": { "liar": "./src/liar.js", "default": "./src/half.js" } }, "scripts": { "test": "node --test" } }\n',
        'src/half.js': half,
        'src/liar.js': liar,
        'test/half.test.js': nodeTest('#half'),
      },
      head: {
        'package.json':
          '{ "type": "module", "imports": { "#half": { "liar": "./src/liar.js", "default": "./src/half.js" } }, "scripts": { "test": "node --conditions=liar --test" } }\n',
      },
    },
    'test/half.test.js is run by node',
  ],
  [
    'vitest: an alias',
    {
      ...vitest,
      base: {
        ...vitestBase,
        'vitest.config.mjs': 'export default { test: { testTimeout: 5000 } }\n',
        'src/other.ts': 'export const half = (n: number) => n / 2\n',
      },
      head: {
        'vitest.config.mjs':
          "import { fileURLToPath } from 'node:url'\nexport default { test: { alias: { '../src/half': fileURLToPath(new URL('./src/other.ts', import.meta.url)) } } }\n",
      },
    },
    'test/half.test.ts: what it imports comes to src/other.ts, and came to src/half/index.ts before: what it came to is still there',
  ],
  [
    'vitest: a file by another ending',
    {
      ...vitest,
      base: { ...vitestBase },
      head: { 'src/half.mts': 'export const half = (_: number) => 2\n' },
    },
    'test/half.test.ts: what it imports comes to src/half.mts, and came to src/half/index.ts before: what it came to is still there',
  ],
  [
    'vitest: a new set-up file',
    {
      ...vitest,
      base: { ...vitestBase, 'vitest.config.mjs': 'export default { test: { testTimeout: 5000 } }\n' },
      head: {
        'vitest.config.mjs': "export default { test: { setupFiles: ['./test/setup.ts'] } }\n",
        'test/setup.ts': 'export const nothing = 0\n',
      },
    },
    'test/setup.ts: the runner loads test/setup.ts, and did not before: it is no test, and may act on all of them',
  ],
  [
    'vitest: a mock that a set-up file hands out',
    {
      ...vitest,
      base: { ...vitestBase, 'vitest.config.mjs': 'export default { test: { testTimeout: 5000 } }\n' },
      head: {
        'vitest.config.mjs': "export default { test: { setupFiles: ['./setup.ts'] } }\n",
        'setup.ts': "import { vi } from 'vitest'\nvi.mock('./src/half')\n",
        'src/half/__mocks__/index.ts': 'export const half = () => 2\n',
      },
    },
    'setup.ts',
  ],
  [
    'pytest: a module with the name of a standard one',
    {
      ...pytest,
      base: {
        ...pytestBase,
        'conftest.py': '',
        'tests/test_half.py': 'import colorsys\n\n\ndef test_half():\n    assert colorsys.ONE_THIRD\n',
      },
      head: { 'tests/colorsys.py': 'ONE_THIRD = 1\n' },
    },
    'tests/colorsys.py: the module colorsys comes to tests/colorsys.py, and came to outside before',
  ],
  [
    'pytest: a package before a module',
    {
      ...pytest,
      base: pytestBase,
      head: { 'calc/half/__init__.py': 'def half(n):\n    return 2\n' },
    },
    'calc/half/__init__.py: the module calc.half comes to calc/half/__init__.py, and came to calc/half.py before: what it came to is still there',
  ],
]

for (const [name, sample, words] of LIES)
  test(`the record shows it: ${name}`, async (context) => {
    if (name.startsWith('pytest')) needPytest(context)
    const { waits, output } = await look(sample)
    expect(waits.join('\n'), output).toContain(words)
  })

const HONEST: readonly (readonly [name: string, sample: Sample])[] = [
  [
    'node: a new source that an existing one imports, and a new test',
    {
      ...node,
      base: nodeBase,
      head: {
        'src/half.js': "import { two } from './two.js'\nexport const half = (n) => n / two\n",
        'src/two.js': 'export const two = 2\n',
        'test/two.test.js': nodeTest('../src/half.js', "import '../src/two.js'\n"),
      },
    },
  ],
  [
    'node: a file that became a folder',
    {
      ...node,
      base: {
        'package.json': '{}\n',
        'src/half.js': commonHalf,
        'test/half.test.js': commonTest('../src/half'),
      },
      head: {
        'src/half.js': null,
        'src/half/index.js': "exports.half = require('./by.js')(2)\n",
        'src/half/by.js': 'module.exports = (by) => (n) => n / by\n',
      },
    },
  ],
  [
    'node: what an existing test waited for',
    {
      ...node,
      base: { 'package.json': esm, 'test/half.test.js': nodeTest('../src/half.js') },
      head: { 'src/half.js': half },
    },
  ],
  [
    'vitest: a moved source',
    {
      ...vitest,
      base: { ...vitestBase, 'src/main.ts': "export { half } from './half'\n" },
      head: {
        'src/half/index.ts': null,
        'src/half.ts': 'export const half = (n: number) => n / 2\n',
      },
    },
  ],
  [
    'vitest: a new source, test and harmless setting',
    {
      ...vitest,
      base: { ...vitestBase, 'vitest.config.mjs': 'export default { test: { testTimeout: 5000 } }\n' },
      head: {
        'vitest.config.mjs': 'export default { test: { testTimeout: 6000 } }\n',
        'src/half/index.ts': "import { two } from '../two'\nexport const half = (n: number) => n / two\n",
        'src/two.ts': 'export const two = 2\n',
        'test/two.test.ts': vitestTest('../src/half'),
      },
    },
  ],
  [
    'vitest: another plug-in of a glob',
    {
      ...vitest,
      base: {
        ...vitestBase,
        'src/half/index.ts':
          "const all = import.meta.glob('../parts/*.ts', { eager: true })\nexport const half = (n: number) => n / Object.keys(all).length\n",
        'src/parts/a.ts': 'export const a = 1\n',
        'test/half.test.ts': vitestTest('../src/half').replace('toBe(2)', 'toBeGreaterThan(0)'),
      },
      head: {
        'src/parts/b.ts': 'export const b = 1\n',
        'tsconfig.json': '{ "compilerOptions": { "paths": {} } }\n',
      },
    },
  ],
  [
    'pytest: a new module, test and helper',
    {
      ...pytest,
      base: pytestBase,
      head: {
        'calc/half.py': 'from calc.two import two\n\n\ndef half(n):\n    return n / two\n',
        'calc/two.py': 'two = 2\n',
        'tests/helpers.py': 'four = 4\n',
        'tests/test_more.py':
          'from helpers import four\nfrom calc.half import half\n\n\ndef test_more():\n    assert half(four) == 2\n',
        'conftest.py': 'import pytest\n\n\n@pytest.fixture\ndef five():\n    return 5\n',
      },
    },
  ],
]

for (const [name, sample] of HONEST)
  test(`nothing waits: ${name}`, async (context) => {
    if (name.startsWith('pytest')) needPytest(context)
    const { result, waits, output } = await look(sample)
    expect(waits, output).toEqual([])
    expect(result.is === 'skipped' ? result.why : 'recorded').toBe('recorded')
  })

test('an ordinary fix does not run the base', async () => {
  const { result, output } = await look({
    ...node,
    base: nodeBase,
    head: { 'src/half.js': 'export const half = (n) => n * 0.5\n' },
  })
  expect(result.is).toBe('passed')
  expect(output).toContain('the base was not run')
  expect(output).toMatch(
    /recorded on the head: 2 file\(s\) of the tree, \d+ package\(s\); record [0-9a-f]{64}/,
  )
})

test('a command that tells nothing is not recorded, and fails nothing', async () => {
  const { result } = await look({
    command: 'sh check.sh',
    base: { 'check.sh': 'echo "1..1"; echo "ok 1 - all"\n', 'a.txt': 'a' },
    head: { 'a.txt': 'b' },
  })
  expect(result).toMatchObject({ is: 'skipped', gate: 'loads', why: expect.stringContaining('not recorded') })
})

const tables = (file: string, from: string) =>
  `import assert from 'node:assert'\nimport test from 'node:test'\nimport { cases } from '${from}'\nfor (const name of cases) test(name, () => assert.ok(${file !== ''}))\n`

test.each([
  ['gives its place to another', "['adds', 'accepts what is cold']", /refuses what is hot/],
  ['has company', "['adds', 'refuses what is hot', 'accepts what is cold']", null],
])('a test of a file that nobody touched %s: it is known by its name', async (_, after, said) => {
  const cases = (list: string) => `export const cases = ${list}\n`
  const made = makeChange(
    {
      '.gitignore': 'node_modules\n',
      'package.json': esm,
      'src/cases.js': cases("['adds', 'refuses what is hot']"),
      'test/cases.test.js': tables('cases', '../src/cases.js'),
    },
    { 'src/cases.js': cases(after) },
  )
  onTestFinished(made.remove)
  const request = await made.request({ command: 'node --test' })
  const used = await request.withBase((cwd) =>
    runTests(made.options, { cwd, command: 'node --test', timeoutMs: 60_000 }),
  )
  const before = used.is === 'used' ? [{ ...used.value, gate: 'no_regression' as const }] : []
  const result = await checkLoads(made.options, { ...request, before })
  const words = waitsIn([result]).map((wait) => wait.words)
  expect(words).toEqual(said === null ? [] : [expect.stringMatching(said)])
  expect(made.output(result)).toContain('2 tests passed before the change')
})
