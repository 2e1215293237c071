// The witness check on real repositories, with real checkouts of the base and real runners.
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReviewChecksRequest } from '@treadle/flow/ports/review-checks'
import { expect, onTestFinished, test } from 'vitest'
import { type Files, makeChange, noSurvey } from '../testing/change.ts'
import { checkWitness } from './witness.ts'

const manifest = { 'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }) }
const source = (op: string) => ({ 'sum.js': `export const sum = (a, b) => a ${op} b\n` })
const tests = (...cases: string[]) =>
  `import assert from 'node:assert/strict'\nimport test from 'node:test'\nimport { sum } from './sum.js'\n${cases.join('\n')}\n`
const right = "test('adds', () => assert.equal(sum(2, 3), 5))"
const idle = "test('adds nothing', () => assert.equal(sum(0, 0), 0))"
const steady = { 'steady.test.js': "import test from 'node:test'\ntest('steady', () => {})\n" }

const globalVitest = 'vitest run --globals'

type More = Parameters<ReturnType<typeof makeChange>['request']>[0]

async function look(base: Files, head: Files, more: More = {}) {
  const change = makeChange({ ...manifest, ...base }, head)
  onTestFinished(change.remove)
  const request = await change.request({ command: 'npm test', ...more })
  const result = await checkWitness(change.options, request, noSurvey)
  return { result, output: change.output(result), request }
}

test('a test that came with the change and is red without it is a witness', async () => {
  const { result, output } = await look(
    { ...source('-'), ...steady },
    { ...source('+'), 'sum.test.js': tests(right) },
  )
  expect(result).toMatchObject({ is: 'passed', gate: 'witness', evidence: { exitCode: 0 } })
  expect(output).toContain('red on the base, green on the head: sum.test.js > adds')
  // Only the file that came with the change is run.
  expect(output).toMatch(
    /`node --test sum\.test\.js` on the base: exit code 1, 1 of 1 failed; output [0-9a-f]{64}/,
  )
})

test('a test that passes without the change as well is no witness: the change is sent back and the test named', async () => {
  const { result } = await look({ ...source('-'), ...steady }, { ...source('+'), 'sum.test.js': tests(idle) })
  expect(result).toMatchObject({ is: 'failed', gate: 'witness' })
  expect(result.is === 'failed' && result.failures[0]?.message.split('\n')[0]).toBe(
    '1 test(s) were added or changed, and all of them pass without the change: sum.test.js > adds nothing',
  )
})

test('beside a witness, a new test that passes without the change is named', async () => {
  const { result } = await look(
    { ...source('-'), ...steady },
    { ...source('+'), 'sum.test.js': tests(right, idle) },
  )
  expect(result).toMatchObject({
    is: 'passed_with_warnings',
    warnings: ['sum.test.js > adds nothing passes without the change too'],
  })
})

test('a new export that the base does not have makes its test red there', async () => {
  const twice = { 'sum.js': 'export const sum = (a, b) => a + b\nexport const twice = (a) => a * 2\n' }
  const text = tests(right, "test('twice', () => assert.equal(twice(2), 4))").replace(
    '{ sum }',
    '{ sum, twice }',
  )
  const { result, output } = await look(
    { ...source('+'), 'sum.test.js': tests(right) },
    { ...twice, 'sum.test.js': text },
  )
  expect(result).toMatchObject({ is: 'passed' })
  expect(output).toContain('red on the base, green on the head: sum.test.js')
})

test('a test that was there before and waited for the change is the witness where none came with it', async () => {
  const { result, output } = await look(
    { ...source('-'), ...steady, 'sum.test.js': tests(right) },
    source('+'),
  )
  expect(result).toMatchObject({ is: 'passed' })
  expect(output).toContain('`npm test` on the base: exit code 1, 1 of 2 failed')
  expect(output).toContain('red on the base, green on the head: sum.test.js > adds')
})

test('without any witness it is skipped with a sentence, and blocks only where one is required', async () => {
  const files = [{ ...source('-'), ...steady }, source('+')] as const
  expect((await look(...files)).result).toEqual({
    is: 'skipped',
    gate: 'witness',
    why: expect.stringMatching(/^no test fails without this change/),
  })
  const required = await look(...files, { config: { witness: 'required' } })
  expect(required.result).toMatchObject({ is: 'failed', failures: [{ id: 'witness' }] })
})

test('a test that fails only at times on the base is no witness', async () => {
  const shaky = `import { existsSync, writeFileSync } from 'node:fs'
import test from 'node:test'
test('shaky', () => {
  const mark = new URL('./mark', import.meta.url)
  if (existsSync(mark) || import.meta.url.includes('/head/')) return
  writeFileSync(mark, '')
  throw new Error('the first time only')
})
`
  const { result } = await look({ ...source('-'), ...steady }, { ...source('+'), 'sum.test.js': shaky })
  expect(result).toMatchObject({ is: 'failed' })
})

test('tests alone are no proof that something was mended', async () => {
  const { result } = await look({ ...source('+'), ...steady }, { 'sum.test.js': tests(right) })
  expect(result.is === 'failed' && result.failures[0]?.message).toContain('label it tests')
  const asked = await look(
    { ...source('+'), ...steady },
    { 'sum.test.js': tests(right) },
    { item: { title: 'x', labels: ['tests'], mayChangeTests: false, testCommand: null, measure: null } },
  )
  expect(asked.result).toMatchObject({ is: 'skipped', why: expect.stringContaining('labelled tests') })
})

test('helpers and fixtures of tests come along to the base, code does not', async () => {
  const text = tests(
    "import { readFileSync } from 'node:fs'",
    "test('as written', () => assert.equal(sum(2, 3), Number(readFileSync('test/five.txt', 'utf8'))))",
  )
  const { result, output } = await look(
    { ...source('-'), ...steady },
    { ...source('+'), 'test/five.txt': '5\n', 'sum.test.js': text },
  )
  expect(result).toMatchObject({ is: 'passed' })
  expect(output).toContain('sum.test.js > as written')
})

test('a runner that cannot be asked for one file runs the whole suite', async () => {
  const command = 'node --test && true'
  const { result, output } = await look(
    { ...source('-'), ...steady },
    { ...source('+'), 'sum.test.js': tests(right) },
    { command },
  )
  expect(result).toMatchObject({ is: 'passed' })
  expect(output).toContain('`node --test && true` on the base: exit code 1')
})

test('where the base cannot be had, or the head is not green, nothing is claimed', async () => {
  const files = [
    { ...source('-'), ...steady },
    { ...source('+'), 'sum.test.js': tests(right) },
  ] as const
  const withBase: ReviewChecksRequest['withBase'] = async () => ({ is: 'failed', why: 'npm ci failed' })
  expect((await look(...files, { withBase })).result).toMatchObject({
    is: 'not_run',
    why: expect.stringContaining('npm ci failed'),
  })
  const red = await look({ ...source('-'), ...steady }, { 'a.js': '', 'sum.test.js': tests(right) })
  expect(red.result).toMatchObject({ is: 'not_run', why: 'the tests are not green on the head' })
})

test('what is known of the base saves a run of the whole suite there, and is confirmed', async () => {
  const files = [{ ...source('-'), ...steady, 'sum.test.js': tests(right) }, source('+')] as const
  const found = makeChange({ ...manifest, ...files[0] }, {})
  onTestFinished(found.remove)
  const { earlier: before } = await found.request({ command: 'npm test' })
  const { result, output } = await look(...files, { before })
  expect(result).toMatchObject({ is: 'passed' })
  expect(output).toMatch(/`node --test sum\.test\.js` on the base: exit code 1, 1 of 1 failed/)
  expect(output).not.toContain('`npm test` on the base')
  // What failed twice, and what was green there, needs no checkout at all.
  const withBase: ReviewChecksRequest['withBase'] = async () => ({ is: 'failed', why: 'nobody may ask' })
  const twice = await look(...files, { before: [...before, ...before], withBase })
  expect(twice.result).toMatchObject({ is: 'passed' })
  expect(twice.output).toMatch(
    /`npm test` on the base, earlier: exit code 1, 1 of 2 failed; output [0-9a-f]{64}/,
  )
  const green = await look({ ...source('-'), ...steady }, source('+'), { before: [], withBase })
  expect(green.result.is).toBe('not_run')
  const known = await look({ ...source('-'), ...steady }, source('+'), {
    before: green.request.earlier,
    withBase,
  })
  expect(known.result).toMatchObject({ is: 'skipped', why: expect.stringMatching(/^no test fails without/) })
})

test('a test that calls what is new and asserts nothing is no witness', async () => {
  const twice = { 'sum.js': 'export const sum = (a, b) => a + b\nexport const twice = (a) => a * 2\n' }
  const text = tests("test('twice', () => { twice(2) })").replace('{ sum }', '{ sum, twice }')
  const { result } = await look({ ...source('+'), ...steady }, { ...twice, 'sum.test.js': text })
  expect(result).toMatchObject({
    is: 'failed',
    failures: [{ message: expect.stringContaining('assert nothing') }],
  })
})

test('nothing is written where a folder of the base leads out of it', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'treadle-outside-'))
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }))
  writeFileSync(join(outside, 'five.txt'), 'mine')
  const change = makeChange(
    { ...manifest, ...source('-'), ...steady },
    { ...source('+'), 'sum.test.js': tests(right) },
  )
  onTestFinished(change.remove)
  const request = await change.request({ command: 'npm test' })
  const withBase: ReviewChecksRequest['withBase'] = (use) =>
    request.withBase((base) => {
      symlinkSync(outside, join(base, 'test'))
      return use(base)
    })
  const changed = [...request.changed, 'test/five.txt']
  const result = await checkWitness(change.options, { ...request, withBase, changed }, noSurvey)
  expect(result).toMatchObject({ is: 'passed' })
  expect(readFileSync(join(outside, 'five.txt'), 'utf8')).toBe('mine')
})

test('beside a new test that asserts nothing, one that was there before may still be the witness', async () => {
  const text =
    "import test from 'node:test'\nimport { twice } from './twice.js'\ntest('twice', () => { twice(2) })\n"
  const { result, output } = await look(
    { ...source('-'), 'sum.test.js': tests(right) },
    { ...source('+'), 'twice.js': 'export const twice = (a) => a * 2\n', 'twice.test.js': text },
  )
  expect(result.is).toMatch(/^passed/)
  expect(output).toContain('red on the base, green on the head: sum.test.js > adds')
  expect(output).not.toContain('green on the head: twice.test.js')
})

test('a mended script in a folder of the sources that is called spec is code, and its test the witness', async () => {
  const load = (body: string) => ({ 'src/spec/load.js': `export const load = (s) => ${body}\n` })
  const text = tests("test('loads', () => assert.deepEqual(load('{}'), {}))").replace(
    "{ sum } from './sum.js'",
    "{ load } from './load.js'",
  )
  const { result, output } = await look(
    { ...load('s'), ...steady },
    { ...load('JSON.parse(s)'), 'src/spec/load.test.js': text },
  )
  expect(result, output).toMatchObject({ is: 'passed' })
  expect(output).toContain('red on the base, green on the head: src/spec/load.test.js > loads')
})

test('a helper of the tests that changes beside the code is neither an idle test nor a witness', async () => {
  const base = { ...source('+'), 'sum.test.js': tests(right), 'test/helpers.js': 'export const a = 1\n' }
  const head = { 'sum.js': '// Adds.\nexport const sum = (a, b) => a + b\n', 'test/helpers.js': '' }
  const node = await look(base, head)
  expect(node.result).toMatchObject({
    is: 'skipped',
    why: expect.stringMatching(/^no test fails without this change/),
  })
  const globals = "import { sum } from './sum.js'\ntest('adds', () => { expect(sum(2, 2)).toBe(4) })\n"
  const vitest = await look({ ...base, 'sum.test.js': globals }, head, { command: globalVitest })
  expect(vitest.result).toMatchObject({
    is: 'skipped',
    why: expect.stringMatching(/^no test fails without this change/),
  })
})

test('a constant assertion does not make a witness of a test that lacks the new module', async () => {
  const text = tests("test('doubles', () => { double(1); assert.equal(1, 1) })").replace(
    "{ sum } from './sum.js'",
    "{ double } from './double.js'",
  )
  const head = { 'double.js': 'export const double = (n) => n\n', 'double.test.js': text }
  const { result } = await look({ ...source('+'), ...steady }, head)
  expect(result).toMatchObject({
    is: 'failed',
    failures: [{ message: expect.stringContaining('assert nothing') }],
  })
})

test('where the new test does not end on the base, the whole suite has to fail there as well', async () => {
  const stuck = { 'sum.js': 'export const sum = () => { for (;;); }\n' }
  const { result, output } = await look(
    { ...stuck, ...steady },
    { ...source('+'), 'sum.test.js': tests(right) },
    { timeoutMs: 12_000 },
  )
  expect(result.is, output).toMatch(/^passed/)
  expect(output).toContain('`npm test` on the base: did not end in time')
})

test('files that the runner does not take for tests fail as a part and are no witness', async () => {
  const globals = "import { sum } from './sum.js'\ntest('adds', () => { expect(sum(0, 0)).toBe(0) })\n"
  const only = { 'vitest.config.js': "export default { test: { include: ['*.test.js'] } }\n" }
  const { result, output } = await look(
    { ...only, ...source('-'), 'sum.test.js': globals },
    { ...source('+'), 'more.spec.js': globals },
    { command: globalVitest },
  )
  expect(result, output).toMatchObject({ is: 'failed', failures: [{ id: 'witness' }] })
  expect(output).toContain('vitest run --globals more.spec.js` on the base: exit code 1')
})
