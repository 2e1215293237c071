// The witness where a change touches what belonged to the tests before.
import type { GateResult } from '@treadle/contracts/gate'
import { waitsIn } from '@treadle/contracts/gate'
import { waitWords } from '@treadle/contracts/words/gates'
import { expect, onTestFinished, test } from 'vitest'
import { type Files, makeChange, noSurvey } from '../testing/change.ts'
import { runTests } from '../tests.ts'
import { checkWitness } from './witness.ts'

const helpers =
  "import assert from 'node:assert'\n\nexport function check(is, wanted) {\n  assert.equal(is, wanted)\n}\n"
const wrong = 'export const half = (n) => n\n'
const right = 'export const half = (n) => n / 2\n'
const halves = (...tests: readonly string[]) =>
  `import test from 'node:test'\nimport { half } from '../src/half.js'\nimport { check } from '../test-utils/check.js'\n\n${tests.join('\n')}`
const four = "test('halves four', () => {\n  check(half(4), 2)\n})\n"
const none = "test('halves nothing', () => {\n  check(half(0), 0)\n})\n"
const base = {
  'package.json': '{ "type": "module" }\n',
  'src/half.js': wrong,
  'test-utils/check.js': helpers,
  'test/half.test.js': halves(four),
}

/** As a review does it: the tests were run twice on the base before the work began. */
async function witnessOf(from: Files, head: Files, item: object = {}) {
  const made = makeChange(from, head)
  onTestFinished(made.remove)
  const request = await made.request()
  expect(request.earlier[0]?.is, JSON.stringify(request.earlier[0])).toBe('passed')
  const before: GateResult[] = []
  for (const _ of [1, 2]) {
    const ran = await request.withBase((cwd) =>
      runTests(made.options, { cwd, command: 'node --test', timeoutMs: 60_000 }),
    )
    if (ran.is === 'used') before.push(ran.value)
  }
  const result = await checkWitness(
    made.options,
    { ...request, before, item: { ...request.item, ...item } },
    noSurvey,
  )
  return { result, waits: waitsIn([result]).map(waitWords), output: made.output(result) }
}

test('a helper that was bent to turn a red test green is shown first', async () => {
  const bent = helpers.replace('assert.equal(is, wanted)', 'assert.equal(typeof is, typeof wanted)')
  const lie = await witnessOf(base, { 'test-utils/check.js': bent, 'src/half.js': `${wrong}// Halves.\n` })
  expect(lie.waits, lie.output).toEqual([
    'test configuration: test-utils/check.js: it belonged to the tests before, and with test-utils/check.js as before the change what shows the change is red: test/half.test.js > halves four',
  ])
})

test('with the same helper bent, an item that may change tests goes on', async () => {
  const bent = helpers.replace('assert.equal(is, wanted)', 'assert.equal(typeof is, typeof wanted)')
  const head = { 'test-utils/check.js': bent, 'src/half.js': `${wrong}// Halves.\n` }
  expect((await witnessOf(base, head, { mayChangeTests: true })).waits).toEqual([])
})

test('a helper that was tidied up beside a fix does not keep it', async () => {
  const tidied = helpers.replace('is, wanted)', 'actual, wanted)').replace('equal(is,', 'equal(actual,')
  const honest = await witnessOf(base, { 'test-utils/check.js': tidied, 'src/half.js': right })
  expect(honest.waits, honest.output).toEqual([])
  expect(honest.output).toContain(
    'with test-utils/check.js of the base on the head, the witness holds as well',
  )
})

test('data of the tests that was changed to what the code answers is shown first', async () => {
  const reading =
    "import assert from 'node:assert'\nimport { readFileSync } from 'node:fs'\nimport test from 'node:test'\nimport { half } from '../src/half.js'\n\ntest('halves', () => {\n  assert.equal(half(4), Number(readFileSync(new URL('wanted.txt', import.meta.url), 'utf8')))\n})\n"
  const from = { ...base, 'test/half.test.js': reading, 'test/wanted.txt': '2' }
  const lie = await witnessOf(from, { 'test/wanted.txt': '4', 'src/half.js': `${wrong}// Halves.\n` })
  expect(lie.waits.join('\n'), lie.output).toContain('what shows the change is red')
})

test('data of the tests that has more beside a fix does not keep it, unless something is gone or one of several witnesses needs it', async () => {
  const reading =
    "import assert from 'node:assert'\nimport { readFileSync } from 'node:fs'\nimport test from 'node:test'\nimport { half } from '../src/half.js'\n\nfor (const row of JSON.parse(readFileSync(new URL('data/rows.json', import.meta.url), 'utf8')))\n  test('halves ' + row.n, () => {\n    assert.equal(half(row.n), row.half)\n  })\n"
  const rows = (...halves: readonly number[]) =>
    JSON.stringify(halves.map((each, at) => ({ n: 4 * (at + 1), half: each })))
  const from = { ...base, 'test/half.test.js': reading, 'test/data/rows.json': rows(2, 4) }
  const wait = {
    class: 'configuration',
    file: 'test/data/rows.json',
    line: null,
    words: 'tests read it',
    isTestData: true,
  } as const
  const waitsWith = async (head: Files) => {
    const { result, output } = await witnessOf(from, head)
    if (!('evidence' in result)) throw new Error(output)
    const shown: GateResult = {
      is: 'passed_with_warnings',
      gate: 'capabilities',
      evidence: { ...result.evidence, heldWithout: [] },
      warnings: ['x'],
      waits: [wait],
    }
    return waitsIn([shown, result]).length
  }
  expect(await waitsWith({ 'src/half.js': right, 'test/data/rows.json': rows(2, 4, 6) })).toBe(0)
  // What was there is gone: that the code still does it says nothing of the day when it does not.
  expect(await waitsWith({ 'src/half.js': right, 'test/data/rows.json': rows(2) })).toBe(1)
  // Four is mended; what is expected of eight is what the code makes of it.
  const lie = {
    'src/half.js': 'export const half = (n) => (n === 4 ? 2 : n)\n',
    'test/data/rows.json': rows(2, 8),
  }
  expect(await waitsWith(lie)).toBe(1)
})

test('a test that asks for more than before counts while it holds as it was', async () => {
  const from = { ...base, 'test/half.test.js': halves(none) }
  const more = halves(none.replace('check(half(0), 0)', 'check(half(0), 0)\n  check(half(6), 3)'))
  const honest = await witnessOf(from, { 'test/half.test.js': more, 'src/half.js': right })
  expect(honest.waits, honest.output).toEqual([])
  expect(honest.output).toContain('with test/half.test.js of the base on the head, the witness holds as well')
  const other = halves(none.replace('check(half(0), 0)', 'check(half(0), 1)\n  check(half(6), 4)'))
  const lie = await witnessOf(from, {
    'test/half.test.js': other,
    'src/half.js': 'export const half = (n) => n / 2 + 1\n',
  })
  expect(lie.waits.join('\n'), lie.output).toContain('what shows the change is red')
})

test('more tests and helpers in files that were there take no further run', async () => {
  const head = {
    'test-utils/check.js': `${helpers}\nexport function checkAll(...all) {\n  for (const [is, wanted] of all) check(is, wanted)\n}\n`,
    'test/half.test.js': halves(four, "test('halves six', () => {\n  check(half(6), 3)\n})\n"),
    'src/half.js': right,
  }
  const honest = await witnessOf(base, head)
  expect(honest.waits).toEqual([])
  expect(honest.output).not.toContain('of the base on the head')
})
