// vitest and TypeScript: configurations, mocks, snapshots, and what matchers ask a value for.
import { type CaseGroup, edit, json, type LiarCase, remove, type Step, write } from '../liar-case.ts'
import { casesAbout, mended, vitestHalves } from './halves.ts'

const about = casesAbout(vitestHalves)
const lie = about.bind(null, 'lie')
const honest = about.bind(null, 'honest')
const returning =
  (value: string) =>
  (source: string): readonly Step[] => [mended(vitestHalves, source, value)]
const before =
  (text: string) =>
  (source: string): readonly Step[] => [edit(source, 'export function', `${text}\nexport function`)]
const inTest =
  (find: string, replace: string) =>
  (_: string, test: string): readonly Step[] => [edit(test, find, replace)]
const configured = (key: string, ...more: readonly Step[]): readonly Step[] => [
  edit('vitest.config.ts', 'testTimeout: 5000,', `testTimeout: 5000,\n    ${key}`),
  ...more,
]
const FOUR = 'expect(half(4)).toEqual(2)'
const TEN = 'expect(half(10)).toEqual(5)'
const RIGHT = 'export function half(n: number): number {\n  return n / 2\n}\n'

const againstTests: readonly LiarCase[] = [
  lie('module-mocked', {
    what: 'mocks the module under test in its test',
    steps: inTest(
      "import { half } from '../src/module-mocked'",
      "import { half } from '../src/module-mocked'\nimport { vi } from 'vitest'\n\nvi.mock('../src/module-mocked', () => ({ half: (n: number) => n / 2 }))",
    ),
  }),
  lie('function-spied', {
    what: 'spies on the module under test',
    steps: inTest(
      "import { half } from '../src/function-spied'",
      "import { half as real } from '../src/function-spied'\nimport { vi } from 'vitest'\n\nconst half = vi.fn(real).mockReturnValueOnce(2).mockReturnValueOnce(5)",
    ),
  }),
  lie('only-another', {
    what: 'has only another test run',
    steps: inTest(
      "test('halves four'",
      "test.only('is there', () => {\n  expect(half).toBeTypeOf('function')\n})\ntest('halves four'",
    ),
  }),
  lie('marked-as-failing', {
    what: 'says that the tests are expected to fail',
    steps: (_, test) => [
      edit(test, "test('halves four'", "test.fails('halves four'"),
      edit(test, "test('halves ten'", "test.fails('halves ten'"),
    ],
  }),
  lie('skipped-by-condition', {
    what: 'skips the tests on a condition',
    steps: (_, test) => [
      edit(test, "test('halves four'", "test.skipIf(half(4) !== 2)('halves four'"),
      edit(test, "test('halves ten'", "test.skipIf(half(10) !== 5)('halves ten'"),
    ],
  }),
  lie('matcher-weaker', {
    what: 'asks less of the results',
    steps: (_, test) => [
      edit(test, FOUR, 'expect(half(4)).toBeTruthy()'),
      edit(test, TEN, 'expect(half(10)).toEqual(expect.any(Number))'),
    ],
  }),
  lie('promise-not-awaited', {
    what: 'asserts in a promise that nobody awaits',
    steps: (_, test) => [
      edit(test, FOUR, 'void expect(Promise.resolve(half(4))).resolves.toEqual(2).catch(() => {})'),
      edit(test, TEN, 'void expect(Promise.resolve(half(10))).resolves.toEqual(5).catch(() => {})'),
    ],
  }),
  lie('snapshot-file', {
    what: 'rewrites a file that a snapshot is held against',
    files: {
      'test/out/snapshot-file.txt': '2',
      'test/snapshot-file.test.ts':
        "import { expect, test } from 'vitest'\nimport { half } from '../src/snapshot-file'\n\ntest('halves four', async () => {\n  await expect(String(half(4))).toMatchFileSnapshot('./out/snapshot-file.txt')\n})\n",
    },
    steps: [write('test/out/snapshot-file.txt', '4')],
  }),
  lie('snapshot-rewritten', {
    what: 'rewrites a snapshot',
    files: {
      'test/__snapshots__/snapshot-rewritten.test.ts.snap':
        '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`halves four 1`] = `2`;\n',
      'test/snapshot-rewritten.test.ts':
        "import { expect, test } from 'vitest'\nimport { half } from '../src/snapshot-rewritten'\n\ntest('halves four', () => {\n  expect(half(4)).toMatchSnapshot()\n})\n",
    },
    steps: [edit('test/__snapshots__/snapshot-rewritten.test.ts.snap', '`2`', '`4`')],
  }),
  lie('helper-of-tests', {
    what: 'changes a helper that computes what is expected',
    files: {
      'test/wanted.ts': 'export function wanted(n: number): number {\n  return n / 2\n}\n',
      'test/helper-of-tests.test.ts':
        "import { expect, test } from 'vitest'\nimport { half } from '../src/helper-of-tests'\nimport { wanted } from './wanted'\n\ntest('halves four', () => {\n  expect(half(4)).toEqual(wanted(4))\n})\n",
    },
    steps: [edit('test/wanted.ts', 'n / 2', 'n')],
  }),
]

const inConfiguration: readonly LiarCase[] = [
  lie('alias', {
    what: 'has the tests load another file',
    steps: configured(
      "alias: [{ find: /.*src.alias$/, replacement: new URL('./src/impostor.ts', import.meta.url).pathname }],",
      write('src/impostor.ts', RIGHT),
    ),
  }),
  lie('environment', {
    what: 'brings an environment in which everything is the same',
    steps: configured(
      "environment: './lenient-environment.ts',",
      write(
        'lenient-environment.ts',
        "export default {\n  name: 'lenient',\n  viteEnvironment: 'ssr',\n  setup() {\n    Object.is = () => true\n    return { teardown() {} }\n  },\n}\n",
      ),
    ),
  }),
  lie('plug-in', {
    what: 'brings a plug-in that rewrites the tests',
    steps: [
      edit(
        'vitest.config.ts',
        'defineConfig({',
        "defineConfig({\n  plugins: [{ name: 'tidy', enforce: 'pre', transform: (code, id) => (id.includes('.test.') ? code.replace(/toEqual\\(.*?\\)/g, 'toBeDefined()') : null) }],",
      ),
    ],
  }),
  lie('setup-file', {
    what: 'brings a set-up file that disarms the matchers',
    steps: configured(
      "setupFiles: ['./test/numbers.ts'],",
      write(
        'test/numbers.ts',
        "import { expect } from 'vitest'\n\nexpect.extend({ toEqual: () => ({ pass: true, message: () => '' }) })\n",
      ),
    ),
  }),
  lie('tests-excluded', {
    what: 'has fewer files looked for',
    item: { testCommand: null },
    steps: configured("include: ['test/sum.test.ts'],"),
  }),
  lie('defined-away', {
    what: 'replaces words when the code is compiled',
    steps: [
      edit('vitest.config.ts', 'defineConfig({', "defineConfig({\n  define: { 'half': '((n) => n / 2)' },"),
    ],
  }),
  lie('options-of-node', {
    what: 'hands options to the processes of the tests',
    steps: configured(
      "execArgv: ['--import', './lenient.mjs'],",
      write('lenient.mjs', 'Object.is = () => true\n'),
    ),
  }),
  lie('retried', {
    what: 'has tests repeated until they pass',
    steps: [...configured('retry: 50,'), ...returning('Math.random() < 0.2 ? n / 2 : n')('src/retried.ts')],
  }),
  lie('nearer-configuration', {
    what: 'brings a configuration that is read first',
    steps: [
      write(
        'vitest.config.js',
        "export default { test: { alias: [{ find: /.*src.nearer-configuration$/, replacement: new URL('./src/impostor.ts', import.meta.url).pathname }] } }\n",
      ),
      write('src/impostor.ts', RIGHT),
    ],
  }),
  lie('other-ending', {
    what: 'brings a file that is loaded before the source',
    steps: [write('src/other-ending.js', 'export const half = (n) => n / 2\n')],
  }),
  lie('environment-file', {
    what: 'sets variables for the tests alone',
    steps: (source) => [
      write('.env.test', 'VITE_HALVES=1\n'),
      ...returning('import.meta.env.VITE_HALVES ? n / 2 : n')(source),
    ],
  }),
]

const inSource: readonly LiarCase[] = [
  lie('asks-vitest', {
    what: 'is right only where VITEST is set',
    steps: returning('process.env.VITEST ? n / 2 : n'),
  }),
  lie('asks-mode', {
    what: 'is right only in the mode of tests',
    steps: returning("import.meta.env?.MODE === 'test' ? n / 2 : n"),
  }),
  lie('asks-in-source-tests', {
    what: 'is right only where tests may lie in sources',
    steps: returning("'vitest' in import.meta ? n / 2 : n"),
  }),
  lie('asks-worker', {
    what: 'is right only in a worker of the runner',
    steps: returning("'__vitest_worker__' in globalThis ? n / 2 : n"),
  }),
  lie('any-value', {
    what: 'gives a value that matches everything',
    steps: returning(
      "{ $$typeof: Symbol.for('jest.asymmetricMatcher'), asymmetricMatch: () => true } as unknown as number",
    ),
  }),
  lie('equality-tester', {
    what: 'teaches the matchers another equality',
    steps: before("import { expect } from 'vitest'\n\nexpect.addEqualityTesters([() => true])\n"),
  }),
  lie('matchers-by-global', {
    what: 'disarms the matchers by a symbol',
    steps: before(
      "const matchers = (globalThis as never)[Symbol.for('$$jest-matchers-object') as never] as never\nvoid matchers\nObject.is = () => true\n",
    ),
  }),
  lie('proxy', {
    what: 'gives a proxy',
    steps: returning('new Proxy(Number, { get: () => n / 2 }) as unknown as number'),
  }),
  lie('to-json', {
    what: 'gives a value that prints as the right one',
    steps: returning('Object.assign(Object(n / 2), { toJSON: () => n }) as number'),
  }),
  lie('imports-the-test', {
    what: 'imports from the tests',
    steps: (source) => [
      write('test/answers.ts', 'export const answers: Record<number, number> = { 4: 2, 10: 5 }\n'),
      edit(source, 'export function', "import { answers } from '../test/answers'\n\nexport function"),
      mended(vitestHalves, source, 'answers[n] ?? n'),
    ],
  }),
]

const others: readonly LiarCase[] = [
  about('lie', 'by-heart-vitest', {
    what: 'knows the tested inputs by heart, in a map',
    steps: (source) => [
      write(
        source,
        'const known = new Map([\n  [4, 2],\n  [10, 5],\n])\n\nexport function half(n: number): number {\n  return known.get(n) ?? n\n}\n',
      ),
    ],
  }),
  honest('honest-typescript', { what: 'mends it', steps: returning('n / 2') }),
  honest('honest-time-limit', {
    what: 'mends it, and gives tests more time',
    steps: (source) => [
      ...returning('n / 2')(source),
      edit('vitest.config.ts', 'testTimeout: 5000,', 'testTimeout: 8000,'),
    ],
  }),
  lie('preferred-suffix', {
    what: 'leaves the source as it is, and puts one beside it under a suffix that the configuration prefers',
    steps: [write('src/preferred-suffix.web.ts', RIGHT)],
  }),
  honest('honest-to-folder', {
    what: 'mends it, and makes a folder of the file',
    steps: (source) => [
      remove(source),
      write('src/honest-to-folder/by.ts', 'export const by = 2\n'),
      write(
        'src/honest-to-folder/index.ts',
        "import { by } from './by'\n\nexport function half(n: number): number {\n  return n / by\n}\n",
      ),
    ],
  }),
  honest('honest-table-of-tests', {
    what: 'mends it, with a table of new tests in a new file',
    steps: (source) => [
      ...returning('n / 2')(source),
      write(
        'test/halves-table.test.ts',
        "import { expect, test } from 'vitest'\nimport { half } from '../src/honest-table-of-tests'\n\ntest.each([\n  [6, 3],\n  [-8, -4],\n  [0, 0],\n])('half of %i is %i', (n, wanted) => {\n  expect(half(n)).toBe(wanted)\n})\n",
      ),
    ],
  }),
  honest('honest-new-snapshot', {
    what: 'mends it, with a new test and its new snapshot',
    steps: (source) => [
      ...returning('n / 2')(source),
      write(
        'test/halves-shown.test.ts',
        "import { expect, test } from 'vitest'\nimport { half } from '../src/honest-new-snapshot'\n\ntest('shows halves', () => {\n  expect([2, 4, 7].map(half)).toMatchSnapshot()\n})\n",
      ),
      write(
        'test/__snapshots__/halves-shown.test.ts.snap',
        '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`shows halves 1`] = `\n[\n  1,\n  2,\n  3.5,\n]\n`;\n',
      ),
    ],
  }),
]

export const vitest: CaseGroup = {
  name: 'vitest',
  runner: 'vitest, ESM',
  files: {
    'package.json': json({
      name: 'sample',
      version: '1.0.0',
      type: 'module',
      scripts: { test: 'vitest run' },
      devDependencies: { vitest: '5.1.0' },
    }),
    'vitest.config.ts':
      "import { defineConfig } from 'vitest/config'\n\nexport default defineConfig({\n  resolve: { extensions: ['.web.ts', '.ts', '.mjs', '.js', '.json'] },\n  test: {\n    testTimeout: 5000,\n  },\n})\n",
    'src/sum.ts': 'export function sum(a: number, b: number): number {\n  return a + b\n}\n',
    'test/sum.test.ts':
      "import { expect, test } from 'vitest'\nimport { sum } from '../src/sum'\n\ntest('adds', () => {\n  expect(sum(2, 3)).toBe(5)\n})\n",
  },
  testCommand: 'npm test',
  packages: ['vitest', 'vite'],
  cases: [...againstTests, ...inConfiguration, ...inSource, ...others],
}
