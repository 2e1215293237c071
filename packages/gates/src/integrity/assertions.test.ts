import { expect, test } from 'vitest'
import type { FileChange } from './compare-files.ts'
import { judgeChanges } from './integrity.ts'

const head = `import { expect, test, describe, beforeEach } from 'vitest'\nimport { sum, mul, load } from './sum.ts'\n`
const body = (text: string): string => `${head}${text.trim()}\n`

const blocking = (changes: FileChange[]) =>
  judgeChanges(changes)
    .filter(({ blocks }) => blocks)
    .map(({ file, line, what }) => `${file}:${line ?? ''} ${what}`)

const adds = `test('adds', () => { expect(sum(1, 2)).toBe(3) })`
const two = `test('adds', () => {\n  expect(sum(1, 2)).toBe(3)\n  expect(sum(0, 0)).toBe(0)\n})`

test.each<[what: string, before: string, after: string, said: RegExp]>([
  [
    'an assertion removed',
    two,
    adds,
    /^src\/sum\.test\.ts:3 test 'adds': this assertion was removed: expect\(sum\(0, 0\)\)\.toBe\(0\) \(was line 5\)/,
  ],
  ['all assertions removed', adds, `test('adds', () => { sum(1, 2) })`, /was removed/],
  [
    'toBe weakened to toBeDefined',
    adds,
    `test('adds', () => { expect(sum(1, 2)).toBeDefined() })`,
    /asks for less/,
  ],
  [
    'toBe weakened to toBeTruthy',
    adds,
    `test('adds', () => { expect(sum(1, 2)).toBeTruthy() })`,
    /asks for less/,
  ],
  [
    'toBe weakened to not.toBe',
    adds,
    `test('adds', () => { expect(sum(1, 2)).not.toBe(9) })`,
    /asks for less/,
  ],
  [
    'toBe weakened to a type',
    adds,
    `test('adds', () => { expect(sum(1, 2)).toBeTypeOf('number') })`,
    /asks for less/,
  ],
  [
    'an expected value changed',
    adds,
    `test('adds', () => { expect(sum(1, 2)).toBe(-1) })`,
    /expected value was changed: expect\(sum\(1, 2\)\)\.toBe\(3\) became expect\(sum\(1, 2\)\)\.toBe\(-1\)/,
  ],
  [
    'an expected value made circular',
    adds,
    `test('adds', () => { expect(sum(1, 2)).toBe(sum(1, 2)) })`,
    /no longer says anything/,
  ],
  [
    'an expected value in a constant changed',
    `const want = 3\n${adds.replace('toBe(3)', 'toBe(want)')}`,
    `const want = 4\n${adds.replace('toBe(3)', 'toBe(want)')}`,
    /expected value was changed/,
  ],
  [
    'another input for the same value',
    adds,
    `test('adds', () => { expect(sum(3, 0)).toBe(3) })`,
    /what is asserted about was changed/,
  ],
  [
    'another input in a variable',
    `test('adds', () => { const r = sum(1, 2); expect(r).toBe(3) })`,
    `test('adds', () => { const r = sum(3, 0); expect(r).toBe(3) })`,
    /what is asserted about/,
  ],
  [
    'a literal asserted instead',
    adds,
    `test('adds', () => { expect(3).toBe(3) })`,
    /no longer says anything/,
  ],
  [
    'an assertion replaced by an easy one',
    adds,
    `test('adds', () => { expect(typeof sum).toBe('function') })`,
    /was removed/,
  ],
  [
    'toThrow without its message',
    `test('t', () => { expect(() => sum('x')).toThrow('number') })`,
    `test('t', () => { expect(() => sum('x')).toThrow() })`,
    /asks for less/,
  ],
  [
    'an inline snapshot rewritten',
    'test("s", () => { expect(sum(1)).toMatchInlineSnapshot(`1`) })',
    'test("s", () => { expect(sum(1)).toMatchInlineSnapshot(`2`) })',
    /snapshot was rewritten/,
  ],
  [
    'an exact value handed to a snapshot',
    adds,
    `test('adds', () => { expect(sum(1, 2)).toMatchSnapshot() })`,
    /asks for less/,
  ],
  [
    'test.skip',
    adds,
    adds.replace('test(', 'test.skip('),
    /:3 test 'adds': it no longer runs as before \(skip\)/,
  ],
  ['test.todo', adds, `test.todo('adds')`, /no longer runs/],
  ['test.fails', adds, adds.replace('test(', 'test.fails('), /no longer runs/],
  ['skipIf', adds, adds.replace('test(', 'test.skipIf(process.env.CI)('), /no longer runs/],
  ['xit', adds.replace('test(', 'it('), adds.replace('test(', 'xit('), /no longer runs/],
  ['an option that skips', adds, adds.replace("'adds', ", "'adds', { skip: true }, "), /no longer runs/],
  [
    'describe.skip around it',
    `describe('s', () => {\n${adds}\n})`,
    `describe.skip('s', () => {\n${adds}\n})`,
    /:3 .*no longer runs/,
  ],
  [
    'skip inside the test',
    adds,
    `test('adds', (t) => { t.skip(); expect(sum(1, 2)).toBe(3) })`,
    /no longer runs/,
  ],
  ['test.only', two, two.replace('test(', 'test.only('), /keeps the others from running/],
  ['only on a new test', adds, `${adds}\ntest.only('new', () => { expect(1).toBe(1) })`, /keeps the others/],
  [
    'a test removed',
    `${adds}\ntest('multiplies', () => { expect(mul(2, 3)).toBe(6) })`,
    adds,
    /test 'multiplies' \(was line 4\) was removed/,
  ],
  ['a test commented out', adds, `// ${adds}`, /was removed/],
  [
    'a test that is no longer registered',
    `describe('s', () => {\n${adds}\n})`,
    `describe('s', () => {\nreturn\n${adds}\n})`,
    /was removed/,
  ],
  ['a test under a condition', adds, `if (process.env.X) { ${adds} }`, /only under a condition/],
  [
    'an early return',
    two,
    `test('adds', () => {\n  return\n  expect(sum(1, 2)).toBe(3)\n  expect(sum(0, 0)).toBe(0)\n})`,
    /was removed/,
  ],
  [
    'a conditional return',
    adds,
    `test('adds', () => { if (!process.env.X) return; expect(sum(1, 2)).toBe(3) })`,
    /only under a condition/,
  ],
  [
    'an assertion under a condition',
    adds,
    `test('adds', () => { if (sum) expect(sum(1, 2)).toBe(3) })`,
    /only under a condition/,
  ],
  [
    'a failure that is caught',
    adds,
    `test('adds', () => { try { expect(sum(1, 2)).toBe(3) } catch {} })`,
    /now caught/,
  ],
  [
    'a promise nobody waits for',
    `test('l', async () => { await expect(load()).resolves.toBe(1) })`,
    `test('l', async () => { expect(load()).resolves.toBe(1) })`,
    /nobody waits/,
  ],
  [
    'an assertion in a function that nobody calls',
    adds,
    `test('adds', () => { const later = () => { expect(sum(1, 2)).toBe(3) } })`,
    /was removed/,
  ],
  [
    'a weaker helper',
    `const check = (a, b, c) => { expect(sum(a, b)).toBe(c) }\ntest('adds', () => { check(1, 2, 3) })`,
    `const check = (a, b, c) => { expect(sum(a, b)).toBeDefined() }\ntest('adds', () => { check(1, 2, 3) })`,
    /asks for less/,
  ],
  [
    'a row of a table removed',
    `test.each([[1, 2, 3], [2, 2, 4]])('%i', (a, b, c) => { expect(sum(a, b)).toBe(c) })`,
    `test.each([[1, 2, 3]])('%i', (a, b, c) => { expect(sum(a, b)).toBe(c) })`,
    /was removed/,
  ],
  [
    'a row of a table changed',
    `test.each([[1, 2, 3]])('%i', (a, b, c) => { expect(sum(a, b)).toBe(c) })`,
    `test.each([[1, 2, 4]])('%i', (a, b, c) => { expect(sum(a, b)).toBe(c) })`,
    /expected value was changed/,
  ],
  [
    'a row of a loop removed',
    `for (const [a, c] of [[1, 1], [2, 2]]) test(\`n \${a}\`, () => { expect(sum(a)).toBe(c) })`,
    `for (const [a, c] of [[1, 1]]) test(\`n \${a}\`, () => { expect(sum(a)).toBe(c) })`,
    /was removed/,
  ],
  [
    'an emptied test without assertions',
    `test('runs', () => { sum(1, 2) })`,
    `test('runs', () => {})`,
    /emptied/,
  ],
  [
    'a wrapper of the project',
    `verifies('R-1', 'adds', () => { expect(sum(1, 2)).toBe(3) })`,
    `verifies('R-1', 'adds', () => {})`,
    /was removed/,
  ],
  [
    'node:assert weakened',
    `test('adds', () => { assert.strictEqual(sum(1, 2), 3) })`,
    `test('adds', () => { assert.ok(sum(1, 2)) })`,
    /asks for less/,
  ],
  [
    'an imported assertion changed',
    `import { strictEqual as eq } from 'node:assert'\ntest('adds', () => { eq(sum(1, 2), 3) })`,
    `import { strictEqual as eq } from 'node:assert'\ntest('adds', () => { eq(sum(1, 2), 4) })`,
    /expected value was changed/,
  ],
  [
    'an assertion of ava',
    `test('adds', (t) => { t.is(sum(1, 2), 3) })`,
    `test('adds', (t) => { t.pass() })`,
    /was removed/,
  ],
  [
    'a subtest removed',
    `test('all', async (t) => { await t.test('one', () => { assert.equal(sum(1), 1) }); t.ok(sum) })`,
    `test('all', async (t) => { t.ok(sum) })`,
    /'all > one' \(was line 3\) was removed/,
  ],
  [
    'chai weakened',
    `it('adds', () => { expect(sum(1, 2)).to.equal(3) })`,
    `it('adds', () => { expect(sum(1, 2)).to.exist })`,
    /asks for less/,
  ],
  ['process.exit added', adds, `${adds}\nprocess.exit(0)`, /:4 process\.exit\(\) was added/],
  [
    'the assertion library mocked',
    adds,
    `vi.mock('vitest', () => ({ expect: () => ({ toBe() {} }) }))\n${adds}`,
    /is mocked, which judges/,
  ],
  ['an assertion overwritten', adds, `assert.equal = () => {}\n${adds}`, /is overwritten/],
  [
    'an assertion of its own',
    `import { ok } from 'node:assert'\n${adds}`,
    `const ok = () => {}\n${adds}`,
    /ok no longer comes from node:assert, but from this file/,
  ],
  [
    'a stand-in for the code',
    `import { div } from './div.ts'\n${adds}`,
    `const div = () => 3\n${adds}`,
    /div stands in for what was imported from \.\/div\.ts/,
  ],
  ['a fallback', adds, adds.replace('sum(1, 2)', 'sum(1, 2) || 3'), /now has a fallback/],
  [
    'a test that nobody registers',
    adds,
    `const later = () => { ${adds} }`,
    /'adds' \(was line 3\) was removed/,
  ],
  ['a hook that skips', adds, `beforeEach((t) => { t.skip() })\n${adds}`, /keeps tests from running/],
])('%s is blocked, with the place', (_what, before, after, said) => {
  const found = blocking([{ path: 'src/sum.test.ts', before: body(before), after: body(after) }])
  expect(found.join('\n')).toMatch(said)
})

test.each<[what: string, before: string, after: string]>([
  ['nothing', adds, adds],
  ['layout and quotes', adds, `test("adds", () => {\n  expect(\n    sum(1, 2),\n  ).toBe(3);\n});`],
  ['a comment', adds, `// the easy case\n${adds}`],
  ['a new test', adds, `${adds}\ntest('more', () => { expect(sum(2, 2)).toBe(4) })`],
  ['a new assertion', adds, two],
  [
    'another order',
    two,
    `test('adds', () => {\n  expect(sum(0, 0)).toBe(0)\n  expect(sum(1, 2)).toBe(3)\n})`,
  ],
  [
    'a renamed variable',
    `test('adds', () => { const a = sum(1, 2); expect(a).toBe(3) })`,
    `test('adds', () => { const total = sum(1, 2); expect(total).toBe(3) })`,
  ],
  [
    'a value put into a variable',
    adds,
    `test('adds', () => { const total = sum(1, 2); const want = 3; expect(total).toBe(want) })`,
  ],
  [
    'a variable set in a hook',
    `let s\nbeforeEach(() => { s = load() })\ntest('adds', () => { expect(s.value).toBe(3) })`,
    `let state\nbeforeEach(() => { state = load() })\ntest('adds', () => { expect(state.value).toBe(3) })`,
  ],
  ['a renamed test', adds, adds.replace("'adds'", "'adds two numbers'")],
  ['a suite around it', adds, `describe('sum', () => {\n${adds}\n})`],
  [
    'a test split in two',
    two,
    `test('adds numbers', () => { expect(sum(1, 2)).toBe(3) })\ntest('adds zeros', () => { expect(sum(0, 0)).toBe(0) })`,
  ],
  ['assertions moved to a new test', two, `${adds}\ntest('adds zeros', () => { expect(sum(0, 0)).toBe(0) })`],
  [
    'tests turned into a table',
    `${adds}\ntest('zeros', () => { expect(sum(0, 0)).toBe(0) })`,
    `test.each([[1, 2, 3], [0, 0, 0]])('%i + %i', (a, b, c) => { expect(sum(a, b)).toBe(c) })`,
  ],
  [
    'a row added to a table',
    `test.each([[1, 2, 3]])('%i', (a, b, c) => { expect(sum(a, b)).toBe(c) })`,
    `test.each([[1, 2, 3], [2, 2, 4]])('%i', (a, b, c) => { expect(sum(a, b)).toBe(c) })`,
  ],
  [
    'a helper taken out',
    two,
    `function check(a, b, want) { expect(sum(a, b)).toBe(want) }\ntest('adds', () => { check(1, 2, 3); check(0, 0, 0) })`,
  ],
  [
    'a helper put in',
    `const check = (a, b, want) => { expect(sum(a, b)).toBe(want) }\ntest('adds', () => { check(1, 2, 3) })`,
    adds,
  ],
  ['a renamed function under test', adds, adds.replaceAll('sum(', 'add(')],
  ['another assertion library', `test('adds', () => { assert.equal(sum(1, 2), 3) })`, adds],
  ['a stronger assertion', `test('adds', () => { expect(sum(1, 2)).toBeDefined() })`, adds],
  ['toBe to toEqual', adds, adds.replace('toBe(', 'toEqual(')],
  [
    'toThrow with a message',
    `test('t', () => { expect(() => sum()).toThrow() })`,
    `test('t', () => { expect(() => sum()).toThrow('two numbers') })`,
  ],
  [
    'a partial match that asks for more',
    `test('o', () => { expect(load()).toMatchObject({ a: 1 }) })`,
    `test('o', () => { expect(load()).toMatchObject({ a: 1, b: 2 }) })`,
  ],
  [
    'a message of an assertion',
    `test('a', () => { assert.equal(sum(1, 2), 3, 'wrong') })`,
    `test('a', () => { assert.equal(sum(1, 2), 3, 'the sum is wrong') })`,
  ],
  ['async and await', adds, `test('adds', async () => { expect(await sum(1, 2)).toBe(3) })`],
  ['a skip removed', adds.replace('test(', 'test.skip('), adds],
  [
    'an assertion moved out of a condition',
    `test('adds', () => { if (sum) expect(sum(1, 2)).toBe(3) })`,
    adds,
  ],
  ['concurrent', adds, adds.replace('test(', 'test.concurrent(')],
  ['a time-out', adds, adds.replace(' })', ' }, 20_000)')],
  ['types', adds, `test('adds', (): void => { expect<number>(sum(1, 2) as number).toBe(3) })`],
  [
    'a boolean matcher',
    `test('b', () => { expect(sum(1)).toBe(true) })`,
    `test('b', () => { expect(sum(1)).to.be.true })`,
  ],
  [
    'assert(a === b)',
    `test('b', () => { assert(sum(1) === 1) })`,
    `test('b', () => { assert.equal(sum(1), 1) })`,
  ],
  ['tests registered by a function', adds, `function register() { ${adds} }\nregister()`],
  [
    'a runner with fixtures',
    `import { test as base } from 'vitest'\n${adds}`,
    `import { test as base } from 'vitest'\nconst it = base.extend({})\n${adds}`,
  ],
  [
    'a library for another',
    `import { ok } from 'node:assert'\n${adds}`,
    `import { ok } from 'node:assert/strict'\n${adds}`,
  ],
])('%s is not blocked', (_what, before, after) => {
  expect(blocking([{ path: 'src/sum.test.ts', before: body(before), after: body(after) }])).toEqual([])
})
