// What takes the search longest: several faults at once, other runners, and what was learned before.
import { mkdtempSync, rmSync } from 'node:fs'
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
  repair({
    cwd: root,
    testCommand: null,
    budgetSeconds: 250,
    maxCandidates: 6_000,
    sandbox: { mode: 'auto' },
    ...more,
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
  const result = await repair(
    { cwd: root, testCommand: null, budgetSeconds: 250, sandbox: { mode: 'auto' } },
    (progress) => {
      total = progress.total
    },
  )
  expect(result).toMatchObject({ outcome: 'plausible' })
  expect(result.patches[0]).toMatchObject({ confidence: 'low', kind: 'method + method' })
  // They are taken together before the single edits are used up.
  expect(result.firstGreen?.candidates).toBeLessThan(total)
  expect(result.patches[0]?.diff).toContain('Math.min(a, b)')
  expect(result.patches[0]?.diff).toContain('toLowerCase')
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
  const result = await run({ testCommand: `"${process.execPath}" test/half.test.js`, slowSeconds: 250 })
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
      'export namespace Colour {\n  export const Red = 0\n  export const Green = 1\n}\nexport const isRed = (colour: number): boolean => colour !== Colour.Red\n',
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
    '+export const isRed = (colour: number): boolean => colour === Colour.Red',
  )
})
