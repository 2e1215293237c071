// The strength of tests by the real program: planted faults, the in-process runner, and the project's own command.
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { BRANCH_PROBE, Strength } from '@treadle/contracts/strength'
import { openReviewChecks } from '@treadle/gates/review/review-checks'
import { measureApart } from '@treadle/gates/review/run-apart'
import { type Files, makeChange, noSurvey } from '@treadle/gates/testing/change'
import { expect, onTestFinished, test } from 'vitest'

const program = fileURLToPath(new URL('./strength.ts', import.meta.url))
/** What one start of the program has compiled the next one reads. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../../../.cache/compile', import.meta.url))
const manifest = { 'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }) }
const old = {
  ...manifest,
  'price.js': 'export const free = 0\n',
  'old.test.js': "import test from 'node:test'\ntest('old', () => {})\n",
}

const price = `export const free = 0

export function price(count, each) {
  if (count > 10) {
    return count * each - 5
  }
  return count * each
}
`
const head =
  "import assert from 'node:assert/strict'\nimport test from 'node:test'\nimport { price } from './price.js'\n"
const strong = `${head}test('prices', () => {
  assert.equal(price(10, 3), 30)
  assert.equal(price(11, 3), 28)
  assert.equal(price(2, 2), 4)
})
`
const weak = `${head}test('prices', () => {
  price(10, 3)
  price(11, 3)
})
`

/** Checks of a review that are not the subject. */
const SPARED = { security: 'off', assertions: 'off', conditions: 'off', inputs: 'off', loads: 'off' }

async function look(base: Files, change: Files, more: { command?: string; config?: object } = {}) {
  const made = makeChange(base, change)
  onTestFinished(made.remove)
  Object.assign(made.options.env, { NODE_COMPILE_CACHE })
  const checks = openReviewChecks(made.options, {
    measure: measureApart(made.options, program),
    compare: async () => ({ is: 'not_run', why: 'not asked' }),
    survey: noSurvey,
  })
  const request = await made.request({ ...more, config: { ...SPARED, ...more.config } })
  const results = await checks.run(request)
  const result = results.find(({ gate }) => gate === 'mutation')
  if (result === undefined) throw new Error('there is always a result')
  const text = made.output(result)
  const strength = text === '' ? null : Strength.parse(withoutShares(JSON.parse(text)))
  return { results, result, strength, cwd: request.cwd }
}

function withoutShares({ asked, percent, ...strength }: Record<string, unknown>): unknown {
  expect([asked, percent]).toEqual([expect.any(Number), expect.any(Number)])
  return strength
}

const fates = (strength: Strength | null) =>
  strength?.is === 'measured' ? strength.mutants.map(({ fate }) => fate) : []

test('tests that assert kill the faults, in our own runner, and the checkout stays as it was', async () => {
  const { results, result, strength, cwd } = await look(old, { 'price.js': price, 'price.test.js': strong })
  expect(results.map(({ gate }) => gate)).toEqual([
    'security',
    'documentation',
    'witness',
    'loads',
    'assertions',
    'other_inputs',
    'other_conditions',
    'mutation',
  ])
  expect(result).toMatchObject({ is: 'passed' })
  expect(strength).toMatchObject({ is: 'measured', how: 'in_process' })
  expect(fates(strength).length).toBeGreaterThan(5)
  expect(fates(strength)).not.toContain('not_tried')
  expect(strength?.is === 'measured' && strength.mutants.every(({ line }) => line >= 2)).toBe(true)
  expect(execFileSync('git', ['status', '--porcelain'], { cwd, encoding: 'utf8' })).toBe('')
})

test('tests that assert nothing kill nothing: a warning names each fault by its line', async () => {
  const { result, strength } = await look(old, { 'price.js': price, 'price.test.js': weak })
  expect(result).toMatchObject({ is: 'passed_with_warnings' })
  expect(fates(strength)).not.toContain('killed')
  const warnings = result.is === 'passed_with_warnings' ? result.warnings : []
  expect(warnings[0]).toMatch(/^assertions noticed 0 of \d+ planted faults \(0 %\), 60 % are asked for$/)
  expect(warnings).toContainEqual(
    'price.js:4: no test noticed when if (count > 10) { was changed: it became if (count >= 10) {',
  )
})

test('a fault that never ends is no kill', async () => {
  const loop = `export function count(to) {
  let at = 0
  while (at < to) {
    at += 1
  }
  return at
}
`
  const counting = `${head.replaceAll('price', 'count')}test('counts', () => assert.equal(count(3), 3))\n`
  const { strength } = await look(old, { 'count.js': loop, 'count.test.js': counting })
  expect(fates(strength)).toContain('timed_out')
  expect(fates(strength)).toContain('killed')
})

test('tests that are red anyway notice nothing, and keep nobody from measuring', async () => {
  const red = {
    'red.test.js': "import test from 'node:test'\ntest('red', () => { throw new Error('as before') })\n",
  }
  const { strength } = await look(
    { ...old, ...red },
    { 'price.js': price, 'price.test.js': strong },
    { command: 'node --test price.test.js' },
  )
  expect(strength).toMatchObject({ is: 'measured', how: 'in_process' })
  expect(fates(strength)).toContain('killed')
})

test('no more faults are planted than the settings say', async () => {
  const config = { mutation: { mutants: 3 } }
  const { strength } = await look(old, { 'price.js': price, 'price.test.js': strong }, { config })
  expect(fates(strength)).toHaveLength(3)
  expect(strength?.is === 'measured' && strength.possible).toBeGreaterThan(3)
})

test('where our own runner cannot run the tests, the project’s own command judges', async () => {
  // A plain script with assertions, which declares no test that is known.
  const script =
    "import assert from 'node:assert/strict'\nimport { price } from './price.js'\nassert.equal(price(10, 3), 30)\n"
  const base = { 'package.json': '{ "type": "module" }', 'price.js': 'export const free = 0\n' }
  const { result, strength } = await look(
    base,
    { 'price.js': price, 'check.js': script },
    { command: 'node check.js', config: { mutation: { mutants: 12 } } },
  )
  expect(strength).toMatchObject({ is: 'measured', how: 'command' })
  const faults =
    strength?.is === 'measured' ? strength.mutants.filter(({ operator }) => operator !== BRANCH_PROBE) : []
  expect(new Set(faults.map(({ fate }) => fate))).toEqual(new Set(['killed', 'survived']))
  expect(result.is).toBe('passed_with_warnings')
})

test('a branch that no test takes is named, and so is a result in Python that no test looks at', async () => {
  const once = strong.replace(/ {2}assert\.equal\(price\((?:10|2), .*\n/g, '')
  const { result } = await look(old, { 'price.js': price, 'price.test.js': once })
  expect(result).toMatchObject({
    is: 'passed_with_warnings',
    warnings: expect.arrayContaining([expect.stringMatching(/^price\.js:4: no test takes this branch: /)]),
    evidence: { strength: { untaken: 1 } },
  })
  const python = { 'cube.py': 'def cube(n):\n    return n\n' }
  const typed = {
    'test_cube.py': 'from cube import cube\n\n\ndef test_cubes():\n    assert isinstance(cube(2), int)\n',
  }
  const told = await look({ 'README.md': 'x\n' }, { ...python, ...typed }, { command: 'python3 -m pytest' })
  expect(told.result).toMatchObject({
    warnings: expect.arrayContaining([expect.stringMatching(/^cube\.py:2: no test noticed when return n /)]),
  })
})

test('what our own runner did not notice is left to the command where a test starts the program as a process', async () => {
  const started = `import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import test from 'node:test'
test('as a program', () => {
  const code = "import { price } from './price.js'; process.stdout.write(String(price(11, 3)))"
  assert.equal(execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }), '28')
})
`
  const part = `${head}test('prices', () => assert.equal(price(2, 2), 4))\n`
  const { strength } = await look(old, {
    'price.js': price,
    'price.test.js': part,
    'program.test.js': started,
  })
  expect(strength).toMatchObject({ is: 'measured', how: 'both' })
  // Only the program's own run reaches this line.
  const five = strength?.is === 'measured' ? strength.mutants.filter(({ line }) => line === 5) : []
  expect(five.length).toBeGreaterThan(0)
  expect(new Set(five.map(({ fate }) => fate))).toEqual(new Set(['killed']))
})

test('another language is not measured, and says so', async () => {
  const { result } = await look(
    { 'a.rb': 'def a\n  1\nend\n' },
    { 'a.rb': 'def a\n  2\nend\n' },
    { command: 'true' },
  )
  const why = expect.stringContaining('JavaScript, TypeScript or Python')
  expect(result).toMatchObject({ is: 'not_run', why })
})
