import type { GateResult, TestFailure } from '@treadle/contracts/gate'
import { expect, test } from 'vitest'
import { type ChangedTest, changedTests, sortChange } from './changed-tests.ts'
import {
  judgeWitness,
  planWitness,
  type WitnessFacts,
  type WitnessSeen,
  waitingTests,
} from './decide-witness.ts'

test('a change is sorted by what its files are', () => {
  const change = sortChange([
    'src/a.ts',
    'src/a.test.ts',
    'src/setup.ts',
    'tests/helpers.py',
    'test/data/in.txt',
    'src/__snapshots__/a.test.ts.snap',
    'README.md',
    'docs/picture.png',
    'lib.rs',
    'pkg/a_test.go',
    'package.json',
  ])
  expect(change).toEqual({
    tests: [
      'src/a.test.ts',
      'tests/helpers.py',
      'test/data/in.txt',
      'src/__snapshots__/a.test.ts.snap',
      'pkg/a_test.go',
    ],
    documents: ['README.md', 'docs/picture.png'],
    code: ['src/a.ts', 'src/setup.ts', 'lib.rs', 'package.json'],
  })
})

const places: [string, 'tests' | 'code'][] = [
  ['src/spec/calc.mjs', 'code'],
  ['src/spec/calc.test.mjs', 'tests'],
  ['lib/a/tests/run.ts', 'code'],
  ['packages/a/src/e2e/plan.ts', 'code'],
  ['src/test-utils/clock.ts', 'code'],
  ['src/spec/calc_test.ts', 'tests'],
  ['src/spec/in.json', 'tests'],
  ['src/test/java/Pump.java', 'tests'],
  ['src/__tests__/helpers.ts', 'tests'],
  ['src/__mocks__/test/a.ts', 'tests'],
  ['test/lib/helpers.mjs', 'tests'],
  ['tests/src/spec/a.mjs', 'tests'],
  ['test/helpers.mjs', 'tests'],
]

test.each(places)('a folder below the sources may be called as one of tests: %s', (path, kind) => {
  expect(sortChange([path])[kind]).toEqual([path])
})

const supports: [string, string, boolean][] = [
  ['test/helpers.mjs', 'export const a = 2\n', false],
  ['test/helpers.mjs', 'export function assertSame(a, b) {\n  assert.equal(a, b)\n}\n', false],
  ['__tests__/helpers.ts', 'export const a = 2\n', false],
  ['test-data.mjs', 'export const a = 2\n', false],
  ['tests/testing.py', 'def make():\n    return 1\n', false],
  ['tests/common/mod.rs', 'pub fn make() -> u8 {\n    1\n}\n', false],
  ['test/plain.mjs', "import assert from 'node:assert'\nassert.equal(f(), 1)\n", true],
  ['test/tap.js', "import t from 'tap'\nt.test('adds', (t) => t.end())\n", true],
  ['test/broken.mjs', 'export const = \n', true],
  ['test/a.test.mjs', 'run()\n', true],
]

test.each(supports)(
  'a file without a test case is no test just for its folder: %s',
  (path, after, isTest) => {
    expect(changedTests([{ path, before: null, after }]).length > 0).toBe(isTest)
  },
)

const js = (...tests: string[]) => `import test from 'node:test'\n${tests.join('\n')}\n`
const one = (name: string, body = 'f()') => `test('${name}', () => { ${body} })`

interface Texts {
  readonly before: string | null
  readonly after: string | null
}
const python = 'def test_a():\n    assert a() == 1\n'
const changes: [string, string, Texts, string[]][] = [
  ['a new file', 'a.test.js', { before: null, after: js(one('adds'), one('takes')) }, ['+adds', '+takes']],
  ['a new test', 'a.test.js', { before: js(one('adds')), after: js(one('adds'), one('takes')) }, ['+takes']],
  ['another body', 'a.test.js', { before: js(one('adds')), after: js(one('adds', 'g()')) }, ['~adds']],
  [
    'only its layout',
    'a.test.js',
    { before: js(one('adds')), after: js('', one('adds').replace('{ ', '{\n')) },
    [],
  ],
  ['one that does not run', 'a.test.js', { before: null, after: js("test.skip('adds', () => f())") }, []],
  [
    'in a suite',
    'a.test.js',
    { before: null, after: js(`describe('sum', () => { ${one('adds')} })`) },
    ['+sum > adds'],
  ],
  [
    'a name from somewhere',
    'a.test.js',
    { before: null, after: js('for (const n of all()) test(n, () => f())') },
    ['+?'],
  ],
  ['tests that nobody can see', 'a.test.js', { before: null, after: 'run()\n' }, ['+?']],
  [
    'Python',
    'test_a.py',
    { before: python, after: `${python}\ndef test_b():\n    assert b()\n` },
    ['+test_b'],
  ],
  [
    'Go',
    'a_test.go',
    { before: null, after: 'func TestA(t *testing.T) {\n\tt.Error("no")\n}\n' },
    ['+TestA'],
  ],
  ['a deleted file', 'a.test.js', { before: js(one('adds')), after: null }, []],
]

test.each(changes)('tests that came with a change: %s', (_, path, { before, after }, names) => {
  const mark = (found: ChangedTest) => `${found.added ? '+' : '~'}${found.name ?? '?'}`
  expect(changedTests([{ path, before, after }]).map(mark)).toEqual(names)
})

test('whether a test asserts anything is told as far as it can be', () => {
  const text = js(
    one('a', 'f()'),
    one('b', 'assert.equal(f(), 1)'),
    one('c', 'checkPump(f())'),
    one('d', 'const x = f()'),
  )
  const found = changedTests([{ path: 'a.test.js', before: null, after: text }])
  expect(found.map(({ name, asserts }) => [name, asserts])).toEqual([
    ['a', false],
    ['b', true],
    ['c', true],
    ['d', false],
  ])
})

const constants: [string, boolean][] = [
  ['double(1); assert.equal(1, 1)', false],
  ['double(1); expect(true).toBe(true)', false],
  ['double(1); assert(true)', false],
  ["double('check'); assert.ok(1 === 1, 'it works')", false],
  ['double(1); expect(true).to.be.true', false],
  ['double(1); assert.deepEqual([1, { a: -1 }], [1, { a: -1 }])', false],
  ['expect.assertions(1); double(1); expect(2).toBeGreaterThan(1)', false],
  ['assert.equal(1, 1); assert.equal(double(1), 2)', true],
  ['assert.equal(2, double(1))', true],
  ["if (double(1) !== 2) assert.fail('no')", true],
  ['if (double(1) !== 2) assert(false)', true],
  ['expectDoubled(1, 2)', true],
  ['expect(1).toDoubleTo(2)', true],
  ['assert.equal(1, 1); mustHold(double(1))', true],
  ['assert.throws(() => double())', true],
]

test.each(constants)('what holds whatever the code does asserts nothing: %s', (body, asserts) => {
  const after = js(one('a', body))
  expect(changedTests([{ path: 'a.test.js', before: null, after }])).toMatchObject([{ asserts }])
})

test('a function in what a test does is no list of its parameters', () => {
  const after = js("test('a', function () { assert.equal(1, 1); mustHold(() => double(1)) })")
  expect(changedTests([{ path: 'a.test.js', before: null, after }])).toMatchObject([{ asserts: true }])
})

test('nor does what a test is handed', () => {
  const after = js("test('a', async ({ expect }) => { double(1); expect(1).toBe(1) })")
  expect(changedTests([{ path: 'a.test.js', before: null, after }])).toMatchObject([{ asserts: false }])
})

const pythons: [string, boolean][] = [
  ['double(1)\n    assert True', false],
  ['double(1)\n    assert 1 == 1, "works"', false],
  ['double(1)\n    self.assertEqual(1, 1)', false],
  ['assert double(1) == 2', true],
  ['assert True\n    assert double(1) == 2', true],
  ['if double(1) != 2:\n        assert False', true],
  ['check(double(1))', true],
  ['self.assertDoubled(1, 2)', true],
]

test.each(pythons)('the same in Python: %s', (body, asserts) => {
  const after = `def test_a():\n    ${body}\n`
  expect(changedTests([{ path: 'test_a.py', before: null, after }])).toMatchObject([{ asserts }])
})

test('a test that has moved to another file is not new', () => {
  const moved = changedTests([
    { path: 'a.test.js', before: js(one('adds')), after: null },
    { path: 'b.test.js', before: null, after: js(one('adds')) },
  ])
  expect(moved).toEqual([])
})

const facts: WitnessFacts = {
  setting: 'auto',
  item: { title: 'Mend the pump', labels: [] },
  command: 'npm test',
  change: { documents: [], tests: [], code: ['a.ts'] },
  wasRed: false,
}
const testsOnly = { documents: [], tests: ['a.test.ts'], code: [] }
const titled = (title: string, ...labels: string[]) => ({ title, labels })

const plans: [string, Partial<WitnessFacts>, string | null][] = [
  ['a change of code', {}, null],
  ['code and tests', { change: { ...facts.change, tests: ['a.test.ts'] } }, null],
  [
    'documents that turn a red test green',
    { change: { documents: ['rates.txt'], tests: [], code: [] }, wasRed: true },
    null,
  ],
  ['documents alone', { change: { documents: ['README.md'], tests: [], code: [] } }, 'only documentation'],
  ['a refactoring', { item: titled('x', 'refactoring') }, 'labelled refactoring'],
  [
    'a refactoring by a label with a prefix',
    { item: titled('x', 'kind/refactor') },
    'labelled kind/refactor',
  ],
  ['a label that only sounds like it', { item: titled('x', 'refactor-later') }, null],
  ['documentation that touches code', { item: titled('x', 'docs') }, 'labelled docs'],
  ['documentation that brings tests', { item: titled('x', 'docs'), change: testsOnly }, null],
  ['an item for tests', { item: titled('x', 'tests'), change: testsOnly }, 'labelled tests'],
  ['an item for tests that changes code', { item: titled('x', 'tests') }, null],
  [
    'a title that asks for tests',
    { item: titled('Add tests for the pump'), change: testsOnly },
    'asks for tests',
  ],
  ['tests alone for a bug', { item: titled('Fix the failing test'), change: testsOnly }, null],
  ['switched off', { setting: 'off' }, 'gates.witness is off'],
  ['no test command', { command: null }, 'no test command'],
]

test.each(plans)('when a witness is asked for: %s', (_, more, why) => {
  const plan = planWitness({ ...facts, ...more })
  expect(plan).toEqual(why === null ? { is: 'ask' } : { is: 'skip', why: expect.stringContaining(why) })
})

const failure = (id: string, file: string | null = id.split(' > ')[0] ?? null): TestFailure => {
  return { id, file, line: null, message: 'no', stack: null }
}
const wants = (id: string) => ({ ...failure(id), message: 'TypeError: twice is not a function' })
const added = (name: string | null, isNew = true): ChangedTest => ({
  file: 'a.test.js',
  name,
  added: isNew,
  asserts: true,
})
const seen: WitnessSeen = { setting: 'auto', codeChanged: true, tests: [], red: [], told: true }

const verdicts: [string, Partial<WitnessSeen>, object][] = [
  [
    'a new test is red',
    { tests: [added('adds')], red: [failure('a.test.js > adds')] },
    { is: 'shown', by: ['a.test.js > adds'], warnings: [] },
  ],
  [
    'one new test is red, the other is not',
    { tests: [added('adds'), added('takes')], red: [failure('a.test.js > adds')] },
    { is: 'shown', warnings: ['a.test.js > takes passes without the change too'] },
  ],
  [
    'the new file cannot be loaded',
    { tests: [added('adds'), added('takes')], red: [failure('a.test.js')] },
    { is: 'shown', warnings: [] },
  ],
  [
    'the command fails without a word about tests',
    { tests: [added('adds')], red: [failure('test command', null)], told: false },
    { is: 'shown', warnings: [] },
  ],
  [
    'a test that was there before waited for the change',
    { tests: [], red: [failure('old.test.js > flows')] },
    { is: 'shown', by: ['old.test.js > flows'], warnings: [] },
  ],
  [
    'an old one waited, the new one is idle',
    { tests: [added('adds')], red: [failure('old.test.js > flows')] },
    { is: 'shown', warnings: ['a.test.js > adds passes without the change too'] },
  ],
  [
    'all new tests pass without the change',
    { tests: [added('adds'), added(null)] },
    {
      is: 'refuted',
      why: expect.stringMatching(/^2 test\(s\) .* pass without the change$/),
      idle: ['a.test.js > adds'],
    },
  ],
  [
    'a changed test passes without the change',
    { tests: [added('adds', false)] },
    { is: 'refuted', idle: [] },
  ],
  [
    'a test that asserts nothing fails for want of a new function',
    { tests: [{ ...added('adds'), asserts: false }], red: [wants('a.test.js > adds')] },
    { is: 'refuted', why: expect.stringContaining('assert nothing') },
  ],
  [
    'a file of tests that assert nothing cannot be loaded',
    { tests: [{ ...added('adds'), asserts: false }], red: [failure('a.test.js')] },
    { is: 'refuted' },
  ],
  [
    'a test that asserts nothing no longer crashes',
    { tests: [{ ...added('adds'), asserts: false }], red: [failure('a.test.js > adds')] },
    { is: 'shown' },
  ],
  [
    'a test that asserts fails for want of a new function',
    { tests: [added('adds')], red: [wants('a.test.js > adds')] },
    { is: 'shown' },
  ],
  [
    'tests alone',
    { tests: [added('adds')], codeChanged: false },
    { hint: expect.stringContaining('label it tests') },
  ],
  ['nothing shows it', {}, { is: 'none', blocks: false }],
  ['nothing shows it, and something has to', { setting: 'required' }, { is: 'none', blocks: true }],
]

test.each(verdicts)('what the base says: %s', (_, more, expected) => {
  expect(judgeWitness({ ...seen, ...more })).toMatchObject(expected)
})

test('a test that is green only because it was changed shows nothing', () => {
  const changed = { file: 'a.test.js', name: 'adds', added: false, asserts: true }
  const red = [failure('a.test.js > adds')]
  const only = { ...seen, codeChanged: false, tests: [changed], red, told: true }
  expect(judgeWitness(only)).toMatchObject({ is: 'none', blocks: false })
  expect(judgeWitness({ ...only, codeChanged: true })).toMatchObject({ is: 'shown' })
})

const ran = (failures: TestFailure[], format: 'tap' | 'none' = 'tap'): GateResult => {
  const report = { format, total: 9, passed: 9, failed: failures.length, skipped: 0, failures, warnings: [] }
  const evidence = {
    command: 'npm test',
    exitCode: 0,
    signal: null,
    timedOut: false,
    durationMs: 1,
    output: '0'.repeat(64),
    outputBytes: 0,
    tail: '',
    report,
  }
  const gate = 'no_regression'
  return failures.length === 0 ? { is: 'passed', gate, evidence } : { is: 'failed', gate, evidence, failures }
}
const flows = failure('old.test.js > flows')
const unknown = { is: 'unknown' }

const waiting: [string, GateResult[] | undefined, object][] = [
  ['nothing is known of the base', undefined, unknown],
  ['the base said nothing of tests', [ran([], 'none')], unknown],
  ['the base was green', [ran([])], { is: 'known', tests: [], twice: [] }],
  [
    'one failed there',
    [ran([flows])],
    {
      is: 'known',
      tests: [{ file: 'old.test.js', name: 'flows', added: false, asserts: true }],
      twice: [],
    },
  ],
  ['it fails here too', [ran([failure('old.test.js > leaks')])], { is: 'known', tests: [], twice: [] }],
  [
    'one failed there in two runs',
    [ran([flows]), ran([flows])],
    { is: 'known', tests: [expect.anything(), expect.anything()], twice: [flows] },
  ],
  ['one failed there that has no file', [ran([flows, failure('test command', null)])], unknown],
]

test.each(waiting)('what waited for the change: %s', (_, before, expected) => {
  expect(waitingTests(before, new Set(['old.test.js > leaks']))).toEqual(expected)
})
