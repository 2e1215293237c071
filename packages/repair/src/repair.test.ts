import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshLesson, type Lesson, type NewLesson } from '@treadle/contracts/lesson'
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
  repair({ cwd: root, testCommand: null, budgetSeconds: 50, maxCandidates: 6_000, ...more })

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
  expect(best).toMatchObject({ confidence: 'low', kind: 'comparison', special: false, types: 'none' })
  expect(best?.tests.toSorted()).toEqual(['both ends belong to it', 'one number'])
  expect(best?.why).toContain('2 failing tests pass now and 1 other still does')
  execFileSync('git', ['apply', '-'], { cwd: root, input: best?.diff })
  expect(readFileSync(join(root, 'src/range.ts'), 'utf8')).toBe(before.replace('at < to', 'at <= to'))
  expect(result.suspicious[0]).toMatchObject({ file: 'src/range.ts' })
  expect(readdirSync(root).sort()).toEqual(['package.json', 'src', 'test'])
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
  expect(fixed).toMatch(/^\+ {2}return total( - 0)?$/m)
})

test('two independent faults: one patch with both edits, and low confidence', async () => {
  write({
    'package.json': '{ "type": "module" }',
    'a.ts': 'export const least = (a: number, b: number) => Math.max(a, b)\n',
    'b.ts': "export const word = (s: string) => s.toUpperCase() + '!'\n",
    'both.test.ts': `${nodeHead}import { least } from './a.ts'
import { word } from './b.ts'
test('the least', () => assert.equal(least(1, 2), 1))
test('the word', () => assert.equal(word('No'), 'no!'))
`,
  })
  let total = 0
  const result = await repair({ cwd: root, testCommand: null, budgetSeconds: 50 }, (progress) => {
    total = progress.total
  })
  expect(result).toMatchObject({ outcome: 'plausible' })
  expect(result.patches[0]).toMatchObject({ confidence: 'low', kind: 'method + method' })
  // They are taken together before the single edits are used up.
  expect(result.firstGreen?.candidates).toBeLessThan(total)
  expect(result.patches[0]?.diff).toContain('Math.min(a, b)')
  expect(result.patches[0]?.diff).toContain('toLowerCase')
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

test('two faults behind one test: an edit that brings it further is built upon', async () => {
  write({
    'package.json': '{ "type": "module" }',
    'src/prices.ts': `export const net = (cents: number, count: number) => cents + count
export const isFree = (cents: number, limit: number) => cents > limit
`,
    'test/prices.test.ts': `${nodeHead}import { isFree, net } from '../src/prices.ts'
test('prices', () => {
  assert.equal(net(250, 4), 1000)
  assert.equal(net(3, 5), 15)
  assert.equal(isFree(5000, 5000), true)
  assert.equal(isFree(4999, 5000), false)
})
`,
  })
  const result = await run()
  expect(result).toMatchObject({ outcome: 'plausible' })
  expect(result.patches[0]?.diff).toContain('=> cents * count')
  expect(result.patches[0]?.diff).toContain('=> cents >= limit')
})

test('two faults behind one assertion: an edit that brings the value nearer is built upon', async () => {
  write({
    'package.json': '{ "type": "module" }',
    'src/ends.ts': `export function ends(list: readonly number[]) {
  return { first: list[1], last: list[list.length] }
}
`,
    'test/ends.test.ts': `${nodeHead}import { ends } from '../src/ends.ts'
test('both ends', () => assert.deepEqual([ends([5, 6, 7]), ends([8, 9])], [{ first: 5, last: 7 }, { first: 8, last: 9 }]))
`,
  })
  const result = await run()
  expect(result).toMatchObject({ outcome: 'plausible' })
  expect(result.patches[0]?.diff).toContain('first: list[0], last: list[list.length - 1]')
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

test('tests of a runner that the fast path does not know are found failing by the command', async () => {
  write({
    'package.json': '{ "type": "module" }',
    'src/half.js': 'export const half = (value) => value * 2\n',
    'test/half.test.js': `import { half } from '../src/half.js'
if (half(8) !== 4) {
  console.log('not ok 1 half: expected 4 at src/half.js:1')
  process.exitCode = 1
}
`,
  })
  const result = await run({ testCommand: `"${process.execPath}" test/half.test.js`, slowSeconds: 60 })
  expect(result).toMatchObject({ outcome: 'plausible', path: 'slow' })
})

test('what mended a failure before is tried early when it comes again', async () => {
  const lessons: Lesson[] = []
  const memory = {
    recall: async (query: { signature?: string | undefined }) =>
      lessons.filter(({ signature }) => signature === query.signature),
    record: async (lesson: NewLesson) => {
      lessons.push(freshLesson(lesson, crypto.randomUUID(), new Date(0)))
    },
  }
  const head = (name: string) => `${nodeHead}import { ${name} } from './${name}.ts'\n`
  const program = (name: string, end: string) =>
    `export function ${name}(values: number[], limit: number) {
  const kept = values.filter((value) => value > 0 && value < limit + 100)
  const first = kept.map((value) => value * 1)
${end}
}
`
  write({
    'package.json': '{ "type": "module" }',
    'one.ts': program('one', '  first.concat([limit - limit])'),
    'one.test.ts': `${head('one')}test('one', () => assert.deepEqual(one([1, 2], 5), [1, 2, 0]))\n`,
    'two.ts': program('two', '  first.concat([limit + limit])'),
    'two.test.ts': `${head('two')}test('two', () => assert.deepEqual(two([7], 2), [7, 4]))\n`,
  })
  // With one worker the order of the results is the order of the search.
  const cold = await run({ testCommand: 'node --test two.test.ts', workers: 1 })
  await run({ testCommand: 'node --test one.test.ts', workers: 1, memory })
  expect(lessons.map((lesson) => lesson.payload.op)).toContain('missing-return')
  const warm = await run({ testCommand: 'node --test two.test.ts', workers: 1, memory })
  expect(warm.patches[0]?.diff).toContain('+  return first.concat')
  expect(warm.firstGreen?.candidates).toBeLessThan(cold.firstGreen?.candidates ?? 0)
})

test('the slow path serves what Node cannot run by stripping types', async () => {
  write({
    'package.json': '{ "type": "module" }',
    'src/colour.ts':
      'export enum Colour {\n  Red,\n  Green,\n}\nexport const isRed = (colour: Colour): boolean => colour !== Colour.Red\n',
    'test/colour.test.ts': `${nodeHead}import { Colour, isRed } from '../src/colour.ts'
test('red', () => assert.equal(isRed(Colour.Red), true))
test('green', () => assert.equal(isRed(Colour.Green), false))
`,
  })
  const failure = { id: 'red', file: null, line: null, stack: null, message: 'false is not true' }
  const lessons: NewLesson[] = []
  const result = await run({
    testCommand: `"${process.execPath}" --experimental-transform-types --test`,
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    failures: [failure],
    memory: { recall: async () => [], record: async (lesson) => lessons.push(lesson) },
  })
  expect(result).toMatchObject({ outcome: 'plausible', path: 'slow' })
  expect(lessons[0]).toMatchObject({ signature: ': false is not true', payload: { family: 'comparison' } })
  expect(result.patches[0]).toMatchObject({ confidence: 'low' })
  expect(result.patches[0]?.diff).toContain(
    '+export const isRed = (colour: Colour): boolean => colour === Colour.Red',
  )
})
