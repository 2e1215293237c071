import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RepairOptions, repair } from './repair.ts'
import { nodeHead, writeFiles } from './scratch-project.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'repair-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (files: Readonly<Record<string, string>>) => writeFiles(root, files)

const run = (more: Partial<RepairOptions> = {}) =>
  repair({
    cwd: root,
    testCommand: null,
    budgetSeconds: 250,
    maxCandidates: 6_000,
    sandbox: { mode: 'auto' },
    ...more,
  })

test('a TypeScript module with node:test: the patch is one that git takes', async () => {
  write({
    'package.json': '{ "type": "module" }',
    'src/range.ts': `// Numbers from a start up to an end.
export function range(from: number, to: number): number[] {
  const found: number[] = [] // kept as it is
  for (let at = from; at < to; at += 1) found.push(at)
  return found
}
`,
    'test/range.test.ts': `${nodeHead}import { range } from '../src/range.ts'
test('both ends belong to it', () => assert.deepEqual(range(1, 3), [1, 2, 3]))
test('one number', () => assert.deepEqual(range(4, 4), [4]))
test('nothing', () => assert.deepEqual(range(4, 3), []))
`,
  })
  const before = readFileSync(join(root, 'src/range.ts'), 'utf8')
  const result = await run()
  expect(result).toMatchObject({ outcome: 'plausible', path: 'fast' })
  expect(readFileSync(join(root, 'src/range.ts'), 'utf8')).toBe(before)
  const [best] = result.patches
  expect(best).toMatchObject({ kind: 'comparison', special: false, types: 'none' })
  expect(best?.tests.toSorted()).toEqual(['both ends belong to it', 'one number'])
  expect(best?.why).toContain('2 failing tests pass now and 1 other still does')
  execFileSync('git', ['apply', '-'], { cwd: root, input: best?.diff })
  expect(readFileSync(join(root, 'src/range.ts'), 'utf8')).toBe(before.replace('at < to', 'at <= to'))
  expect(result.suspicious[0]).toMatchObject({ file: 'src/range.ts' })
  expect(readdirSync(root).sort()).toEqual(['package.json', 'src', 'test'])
})

test('what vitest says of types does nothing, and what it stubs is put back', async () => {
  write({
    'package.json': '{ "type": "module" }',
    'src/greet.ts': `export function greet(name: string): string {
  return process.env.LOUD === '1' ? name.toLowerCase() : name + (globalThis as { mark?: string }).mark
}
`,
    'test/greet.test.ts': `import { afterEach, assertType, expect, expectTypeOf, test, vi } from 'vitest'
import { greet } from '../src/greet.ts'
afterEach(() => vi.unstubAllEnvs())
test('types', () => {
  expectTypeOf(greet).parameter(0).toEqualTypeOf<string>()
  assertType<string>(greet('a'))
})
test('loud', () => {
  vi.stubEnv('LOUD', '1')
  expect(greet('Ann')).toBe('ANN')
})
test('quiet', () => {
  vi.stubGlobal('mark', '!')
  expect(greet('Ann')).toBe('Ann!')
})
`,
  })
  const failure = {
    id: 'test/greet.test.ts > loud',
    message: "expected 'ann' to be 'ANN'",
    file: null,
    line: null,
    stack: null,
  }
  const result = await run({ failures: [failure] })
  expect(result).toMatchObject({ outcome: 'plausible', path: 'fast', sameFailures: true })
  expect(result.patches[0]?.diff).toContain("+  return process.env.LOUD === '1' ? name.toUpperCase()")
})

test('vitest words, several modules, classes and live imports', async () => {
  write({
    'package.json': '{ "type": "module" }',
    'src/rates.ts':
      'export let calls = 0\nexport const rate = (kind: string) => {\n  calls += 1\n  return kind === "low" ? 0.07 : 0.19\n}\n',
    'src/bill.ts': `import * as rates from './rates.ts'
import { rate } from './rates.ts'
export class Bill {
  #lines: { net: number; kind: string }[] = []
  add(net: number, kind: string): this {
    this.#lines.push({ net, kind })
    return this
  }
  total(): number {
    return this.#lines.reduce((sum, { net, kind }) => sum + net * (1 - rate(kind)), 0)
  }
  static get asked(): number {
    return rates.calls
  }
}
`,
    'src/bill.test.ts': `import { beforeEach, describe, expect, it } from 'vitest'
import { Bill } from './bill.ts'
describe('a bill', () => {
  let bill: Bill
  beforeEach(() => {
    bill = new Bill()
  })
  it('is empty at first', () => expect(bill.total()).toBe(0))
  it.each([[100, 'low', 107], [100, 'high', 119]])('adds the tax to %d at %s', (net, kind, total) => {
    expect(bill.add(net, kind).total()).toBeCloseTo(total)
    expect(Bill.asked).toBeGreaterThan(0)
  })
})
`,
  })
  const result = await run()
  expect(result.outcome).toBe('plausible')
  expect(result.patches[0]?.diff).toContain('net * (1 + rate(kind))')
})

test('CommonJS with the globals of jest or mocha, an asynchronous test and a callback', async () => {
  write({
    'lib/queue.js': `'use strict'
const later = (value) => new Promise((resolve) => setTimeout(() => resolve(value), 5000))
exports.sum = async function sum(values) {
  let total = 0
  for (const value of values) total += await later(value)
  return total - 1
}
`,
    'test/queue.js': `const assert = require('assert')
const { sum } = require('../lib/queue')
describe('sum', function () {
  it('adds', async function () {
    assert.strictEqual(await sum([1, 2, 3]), 6)
  })
  it('calls back', function (done) {
    sum([2]).then((total) => {
      assert.equal(total, 2)
      done()
    }, done)
  })
})
`,
  })
  const result = await run()
  expect(result.outcome).toBe('plausible')
  const fixed = result.patches.map((patch) => patch.diff).join('\n')
  expect(fixed).toMatch(/^\+ {2}(return total( - 0)?|let total = 1)$/m)
})

test.each([
  ['no failing test', "test('fine', () => assert.ok(one))", /no failing test.*connect a coding agent/],
  ['a time-out', "test('waits', () => new Promise(() => one))", /time-out/],
  ['a network error', "test('asks', () => { throw new Error('connect ECONNREFUSED ' + one) })", /network/],
])('%s is refused in words', async (_, body, reason) => {
  write({
    'package.json': '{ "type": "module" }',
    'one.ts': 'export const one = 1\n',
    'one.test.ts': `${nodeHead}import { one } from './one.ts'\n${body}\n`,
  })
  expect(await run()).toMatchObject({
    outcome: 'refused',
    reason: expect.stringMatching(reason),
    patches: [],
  })
})

test('another language is refused in words', async () => {
  write({ 'main.py': 'print(1)\n', 'test_main.py': 'def test_one():\n  assert False\n' })
  expect(await run()).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('not supported') })
})

test('tests are never edited, even if only that would help', async () => {
  write({
    'package.json': '{ "type": "module" }',
    'test/value.ts': 'export const value = 1\n',
    'test/value.test.ts': `${nodeHead}import { value } from './value.ts'\ntest('two', () => assert.equal(value, 2))\n`,
  })
  expect(await run()).toMatchObject({ outcome: 'none', candidates: 0 })
})

test('a test file that cannot be loaded is mended by what runs while it is loaded', async () => {
  write({
    'package.json': '{ "type": "module" }',
    'src/cost.ts': `export function cost(value: number): number {
  if (value >= 0) throw new RangeError('costs are not negative')
  return value
}
`,
    'test/cost.test.ts': `${nodeHead}import { cost } from '../src/cost.ts'
const known = cost(4)
test('a cost is kept', () => assert.equal(known, 4))
test('no cost is negative', () => assert.throws(() => cost(-1)))
`,
  })
  const result = await run()
  expect(result.patches[0]?.diff).toContain('+  if (value < 0) throw')
})

test('what the real command refuses is not offered', async () => {
  write({
    'package.json': '{ "type": "module" }',
    'src/half.ts': 'export const half = (value: number) => value * 2\n',
    'test/half.test.ts': `${nodeHead}import { half } from '../src/half.ts'
test('half', () => assert.equal(half(8), 4))
`,
    'refuse.sh': 'exit 1\n',
  })
  const asked: string[] = []
  const result = await run({
    testCommand: 'sh refuse.sh',
    onConfirmed: (patch, { is }) => asked.push(`${is} ${patch.diff.length > 0}`),
  })
  expect(result).toMatchObject({ outcome: 'none', patches: [] })
  expect(result.reason).toContain('agreed with none of them')
  expect(new Set(asked)).toEqual(new Set(['failed true']))
})

test('a test command that hangs is asked once, for as long as it may take', async () => {
  write({
    'package.json': '{ "type": "module" }',
    'src/half.ts': 'export const half = (value: number) => value * 2\n',
    'test/half.test.ts': `${nodeHead}import { half } from '../src/half.ts'
test('half', () => assert.equal(half(8), 4))
`,
  })
  const asked: string[] = []
  const result = await run({
    testCommand: 'sleep 1000',
    testTimeoutMs: 300,
    onConfirmed: (_, { is }) => asked.push(is),
  })
  expect(result).toMatchObject({ outcome: 'none', patches: [] })
  expect(result.reason).toContain('did not end in time')
  expect(asked).toEqual(['timed_out'])
})

const TESTER = `const assert = require('node:assert')
const { describe, it } = require('node:test')
exports.run = function (name, subject, cases) {
  describe(name, () => {
    for (const { input, output } of cases)
      it(String(input), () => assert.deepStrictEqual(subject(input), output))
  })
}
`

test('a suite of tables that a script names, with what its runner loads before it, is the failure that is mended', async () => {
  const script = 'npm run lint && node --require ./test/world.js --test test/lib/rule.js'
  write({
    'package.json': JSON.stringify({ scripts: { lint: 'true', test: script } }),
    'lib/tester.js': TESTER,
    'lib/rule.js': 'module.exports = (text) => text.length >= settings.most\n',
    'test/world.js': 'global.settings = { most: 3 }\n',
    'test/lib/rule.js': `require('../../lib/tester').run('rule', require('../../lib/rule'), [
  { input: 'ab', output: false },
  { input: 'abc', output: false },
  { input: 'abcd', output: true },
])
`,
    'test/lib/other.js':
      "require('node:test').it('fails', () => { throw new Error('nothing that could be mended') })\n",
  })
  const result = await run({ testCommand: 'npm test' })
  expect(result).toMatchObject({ outcome: 'plausible', path: 'fast' })
  expect(result.patches[0]?.diff).toContain('+module.exports = (text) => text.length > settings.most')
  expect(new Set(result.suspicious.map(({ file }) => file))).toEqual(new Set(['lib/rule.js']))
})

test('a library that puts its own in place of what is denied loads as it does in the open', async () => {
  write({
    'package.json': '{}',
    'graceful.js': `'use strict'
const chdir = process.chdir
process.chdir = function (folder) { chdir.call(process, folder) }
Object.setPrototypeOf(process.chdir, chdir)
`,
    'sum.js': "require('./graceful.js')\nexports.sum = (a, b) => a - b\n",
    'sum.test.js': `const { test } = require('node:test')
const assert = require('node:assert')
const { sum } = require('./sum.js')
test('adds', () => assert.strictEqual(sum(2, 3), 5))
test('adds nothing', () => assert.strictEqual(sum(0, 0), 0))
`,
  })
  const result = await run()
  expect(result).toMatchObject({ outcome: 'plausible', path: 'fast' })
  expect(result.patches.map(({ diff }) => diff).join()).toContain('a + b')
})
