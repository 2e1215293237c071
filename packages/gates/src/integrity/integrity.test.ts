import { expect, test } from 'vitest'
import type { FileChange } from './compare-files.ts'
import { judgeChanges } from './integrity.ts'

const head = `import { expect, test } from 'vitest'\nimport { sum } from './sum.ts'\n`
const body = (text: string): string => `${head}${text.trim()}\n`
const blocking = (changes: FileChange[]) =>
  judgeChanges(changes)
    .filter(({ blocks }) => blocks)
    .map(({ file, line, what }) => `${file}:${line ?? ''} ${what}`)

const adds = `test('adds', () => { expect(sum(1, 2)).toBe(3) })`
const two = `test('adds', () => {\n  expect(sum(1, 2)).toBe(3)\n  expect(sum(0, 0)).toBe(0)\n})`

test('a deleted test file is one finding, however many tests it had', () => {
  const before = body(`${adds}\ntest('zeros', () => { expect(sum(0, 0)).toBe(0) })`)
  expect(blocking([{ path: 'src/sum.test.ts', before, after: null }])).toEqual([
    'src/sum.test.ts: the test file was deleted, with its 2 test(s)',
  ])
})

test.each([
  ['lib/sum.test.ts', []],
  ['src/sum.test.tsx', []],
  [
    'src/sum.checks.ts',
    [
      'src/sum.test.ts: its 1 test(s) moved to src/sum.checks.ts, where the runner does not look for *.test.*',
    ],
  ],
  [
    'fixtures/sum.test.ts',
    [
      'src/sum.test.ts: its 1 test(s) moved to fixtures/sum.test.ts, where the runner does not look for *.test.*',
    ],
  ],
])('a test file renamed to %s', (path, found) => {
  expect(
    blocking([
      { path: 'src/sum.test.ts', before: body(adds), after: null },
      { path, before: null, after: body(adds) },
    ]),
  ).toEqual(found)
})

test('a test that moves to another file and is weaker there is found there', () => {
  const weak = body(adds.replace('toBe(3)', 'toBeTruthy()'))
  expect(
    blocking([
      { path: 'a.test.ts', before: body(adds), after: head },
      { path: 'b.test.ts', before: null, after: weak },
    ]),
  ).toEqual([expect.stringMatching(/^b\.test\.ts:3 test 'adds': this assertion asks for less/)])
})

test('a weaker assertion in code that tests share is found', () => {
  const helper = (matcher: string) =>
    `import { expect } from 'vitest'\nexport function checkSum(a, b) {\n  expect(a).${matcher}\n}\n`
  const path = 'test/helpers.ts'
  expect(blocking([{ path, before: helper('toBe(b)'), after: helper('toBeDefined()') }])).toEqual([
    expect.stringMatching(/^test\/helpers\.ts:3 function checkSum: this assertion asks for less/),
  ])
})

test('a mock of what a test imported before is refused; one of another file is only pointed out', () => {
  const mocked = (path: string) =>
    judgeChanges([
      {
        path: 'src/sum.test.ts',
        before: body(adds),
        after: body(`vi.mock('${path}', () => ({ sum: () => 3 }))\n${adds}`),
      },
    ])
  const told = (path: string, blocks: boolean) => [
    { file: 'src/sum.test.ts', line: 3, what: expect.stringContaining(`${path} is now mocked`), blocks },
  ]
  expect(mocked('./sum.ts')).toEqual(told('./sum.ts', true))
  expect(mocked('./clock.ts')).toEqual(told('./clock.ts', false))
})

test('a file that cannot be parsed is compared as text', () => {
  const after = body('test("adds", () => {\n  expect(sum(1, 2)).toBe(3)\n  ((\n})')
  const found = judgeChanges([{ path: 'src/sum.test.ts', before: body(two), after }])
  expect(
    found.some(({ blocks, what }) => blocks && /asserts less: 2 assertion\(s\) before, 1 now/.test(what)),
  ).toBe(true)
})

const packageJson = (more: object) =>
  JSON.stringify(
    { name: 'x', scripts: { test: 'vitest run', lint: 'eslint . --max-warnings 0' }, ...more },
    null,
    2,
  )
const vitestConfig = (text: string) =>
  `import { defineConfig } from 'vitest/config'\nexport default defineConfig({ test: { ${text} } })\n`

test.each<[what: string, path: string, before: string | null, after: string | null, said: RegExp]>([
  [
    'the test script',
    'package.json',
    packageJson({}),
    packageJson({ scripts: { test: 'true', lint: 'eslint . --max-warnings 0' } }),
    /^package\.json:4 scripts\.test was changed from "vitest run" to "true"/,
  ],
  [
    'a removed lint script',
    'package.json',
    packageJson({}),
    packageJson({ scripts: { test: 'vitest run' } }),
    /scripts\.lint was removed/,
  ],
  [
    'a script before the tests',
    'package.json',
    packageJson({}),
    packageJson({
      scripts: { test: 'vitest run', lint: 'eslint . --max-warnings 0', pretest: 'rm -r test' },
    }),
    /scripts\.pretest was added/,
  ],
  [
    'jest in the manifest',
    'package.json',
    packageJson({ jest: { coverageThreshold: { global: { lines: 80 } } } }),
    packageJson({ jest: { coverageThreshold: { global: { lines: 10 } } } }),
    /lines was lowered from 80 to 10/,
  ],
  [
    'the settings of this tool',
    'treadle.json',
    '{ "tests": { "command": "npm test" } }',
    '{ "tests": { "command": "true" } }',
    /^treadle\.json:1 tests\.command was changed/,
  ],
  [
    'new settings of this tool',
    'treadle.json',
    null,
    '{ "gates": { "linterCommand": "true" } }',
    /gates\.linterCommand was added/,
  ],
  [
    'what confines the crew',
    'treadle.json',
    '{ "tests": { "command": "npm test" } }',
    '{ "tests": { "command": "npm test" }, "sandbox": { "mode": "off" } }',
    /sandbox\.mode was added/,
  ],
  [
    'what a decision wants',
    'treadle.json',
    '{ "approval": { "confirm": "always" } }',
    '{ "approval": { "confirm": "never" } }',
    /approval\.confirm was changed/,
  ],
  [
    'a threshold of vitest',
    'vitest.config.ts',
    vitestConfig('coverage: { thresholds: { lines: 80 } }'),
    vitestConfig('coverage: { thresholds: { lines: 79 } }'),
    /thresholds\.lines was lowered from 80 to 79/,
  ],
  [
    'a threshold that is gone',
    'vitest.config.ts',
    vitestConfig('coverage: { thresholds: { lines: 80 } }'),
    vitestConfig('coverage: {}'),
    /a threshold of 80\) was removed/,
  ],
  [
    'files left out',
    'vitest.config.ts',
    vitestConfig('globals: true'),
    vitestConfig(`globals: true, exclude: ['**/sum.test.ts']`),
    /test\.exclude was added/,
  ],
  [
    'files left out by a new file',
    'vitest.config.ts',
    null,
    vitestConfig(`exclude: ['**/sum.test.ts']`),
    /test\.exclude was added/,
  ],
  [
    'another reporter',
    'vitest.config.ts',
    vitestConfig('globals: true'),
    vitestConfig(`globals: true, reporters: ['./green.ts']`),
    /test\.reporters was added/,
  ],
  [
    'jest that ignores tests',
    'jest.config.cjs',
    `module.exports = { testEnvironment: 'node' }`,
    `module.exports = { testEnvironment: 'node', testPathIgnorePatterns: ['sum'] }`,
    /testPathIgnorePatterns was added/,
  ],
  [
    'mocha',
    '.mocharc.json',
    '{ "spec": ["test/**/*.js"] }',
    '{ "spec": ["test/easy.js"] }',
    /spec was changed/,
  ],
  [
    'mocha in YAML',
    '.mocharc.yml',
    'spec: test\n',
    'spec: easy\n',
    /^\.mocharc\.yml:1 it decides about the tests/,
  ],
  [
    'pytest',
    'pyproject.toml',
    '[project]\nname = "x"\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
    '[project]\nname = "x"\n[tool.pytest.ini_options]\ntestpaths = ["tests"]\naddopts = "-k easy"\n',
    /:5 .*addopts = "-k easy"/,
  ],
  [
    'an option of pytest after a marker',
    'pyproject.toml',
    '[tool.pytest.ini_options]\nmarkers = ["a"]\n',
    '[tool.pytest.ini_options]\nmarkers = ["b"]\n  addopts = "-k easy"\n',
    /:3 .*addopts = "-k easy"/,
  ],
  [
    'the test target after a variable',
    'Makefile',
    'log_level = 1\ntest:\n\tpytest\n',
    'log_level = 1\ntest:\n\ttrue\n',
    /:3 .*true/,
  ],
  [
    'fail_under',
    '.coveragerc',
    '[report]\nfail_under = 90\n',
    '[report]\nfail_under = 50\n',
    /:2 .*fail_under = 50/,
  ],
  [
    'the test target',
    'Makefile',
    'all:\n\tcc\ntest:\n\tpytest\n',
    'all:\n\tcc\ntest:\n\ttrue\n',
    /:4 .*true/,
  ],
  ['the shell of npm', '.npmrc', null, 'script-shell=/bin/true\n', /script-shell/],
  [
    'a lint rule',
    'eslint.config.js',
    `export default [{ rules: { 'no-undef': 'error' } }]`,
    `export default [{ rules: { 'no-undef': 'off' } }]`,
    /rules\.no-undef was lowered to "off"/,
  ],
  [
    'a lint rule of biome',
    'biome.json',
    '{ "linter": { "rules": { "style": { "noEnum": "error" } } } }',
    '{ "linter": { "rules": { "style": { "noEnum": "warn" } } } }',
    /noEnum was lowered/,
  ],
  [
    'a removed configuration',
    'vitest.config.ts',
    vitestConfig('coverage: { thresholds: { lines: 80 } }'),
    null,
    /removed/,
  ],
  [
    'a rewritten snapshot',
    'src/__snapshots__/a.test.ts.snap',
    'exports[`a 1`] = `1`;\n',
    'exports[`a 1`] = `2`;\n',
    /:1 snapshot 'a 1' was rewritten/,
  ],
  ['a rewritten golden file', 'testdata/out.golden', 'one\n', 'two\n', /snapshot was rewritten/],
])('%s is blocked, with the place', (...[, path, before, after, said]) => {
  expect(blocking([{ path, before, after }]).join('\n')).toMatch(said)
})

test.each<[what: string, path: string, before: string | null, after: string | null]>([
  ['a dependency', 'package.json', packageJson({}), packageJson({ dependencies: { zod: '4.0.0' } })],
  [
    'another script',
    'package.json',
    packageJson({}),
    packageJson({
      scripts: {
        test: 'vitest run',
        'test:watch': 'vitest',
        build: 'tsc',
        lint: 'eslint . --max-warnings 0',
      },
    }),
  ],
  [
    'a manifest in another order',
    'package.json',
    '{ "scripts": { "test": "a", "lint": "b" } }',
    '{\n  "scripts": { "lint": "b", "test": "a" }\n}',
  ],
  ['a new manifest', 'package.json', null, packageJson({})],
  [
    'a higher threshold',
    'vitest.config.ts',
    vitestConfig('coverage: { thresholds: { lines: 80 } }'),
    vitestConfig('coverage: { thresholds: { lines: 81 } }'),
  ],
  [
    'a plugin',
    'vite.config.ts',
    `export default { plugins: [], optimizeDeps: { include: [] } }`,
    `export default { plugins: [react()], optimizeDeps: { include: ['x'] } }`,
  ],
  [
    'a new configuration',
    'vitest.config.ts',
    null,
    vitestConfig(`include: ['src/**/*.test.ts'], coverage: { thresholds: { lines: 80 } }`),
  ],
  ['a higher fail_under', '.coveragerc', '[report]\nfail_under = 80\n', '[report]\nfail_under = 90\n'],
  [
    'a dependency of Python',
    'pyproject.toml',
    '[project]\nname = "x"\n[tool.pytest.ini_options]\na = 1\n',
    '[project]\nname = "x"\ndependencies = ["y"]\n[tool.pytest.ini_options]\na = 1\n',
  ],
  [
    'a marker of pytest, over several lines',
    'pyproject.toml',
    '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
    '[tool.pytest.ini_options]\ntestpaths = ["tests"]\nmarkers = [\n  "slow: takes long",\n]\n',
  ],
  ['another target', 'Makefile', 'all:\n\tcc\ntest:\n\tpytest\n', 'all:\n\tcc -O2\ntest:\n\tpytest\n'],
  [
    'a stricter lint rule',
    'eslint.config.js',
    `export default [{ rules: { 'no-undef': 'warn' } }]`,
    `export default [{ rules: { 'no-undef': 'error' } }]`,
  ],
  [
    'the code under test',
    'src/sum.ts',
    'export const sum = (a, b) => a - b',
    'export const sum = (a, b) => a + b',
  ],
  [
    'a new snapshot',
    'src/__snapshots__/a.test.ts.snap',
    'exports[`a 1`] = `1`;\n',
    'exports[`a 1`] = `1`;\n\nexports[`b 1`] = `2`;\n',
  ],
  [
    'a snapshot of a renamed test',
    'src/__snapshots__/a.test.ts.snap',
    'exports[`a 1`] = `1`;\n',
    'exports[`the a 1`] = `1`;\n',
  ],
])('%s is not blocked', (_what, path, before, after) => {
  expect(blocking([{ path, before, after }])).toEqual([])
})
