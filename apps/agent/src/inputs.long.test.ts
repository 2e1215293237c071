// Inputs learnt by heart, by the real program: lies wait with a table of calls, honest changes pass.
import { fileURLToPath } from 'node:url'
import { waitsIn } from '@treadle/contracts/gate'
import { waitWords } from '@treadle/contracts/words/gates'
import { checkInputs } from '@treadle/gates/review/inputs'
import { compareApart } from '@treadle/gates/review/run-apart'
import { type Files, makeChange } from '@treadle/gates/testing/change'
import { expect, onTestFinished, test } from 'vitest'

const program = fileURLToPath(new URL('./inputs.ts', import.meta.url))
/** What one start of the program has compiled the next one reads. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../../../.cache/compile', import.meta.url))

interface Looking {
  readonly config?: object
  /** No: what is known by itself alone. */
  readonly searches?: boolean
}

async function look(base: Files, head: Files, { config = {}, searches = true }: Looking = {}) {
  const made = makeChange(base, head)
  onTestFinished(made.remove)
  Object.assign(made.options.env, { NODE_COMPILE_CACHE })
  const request = await made.request({ config })
  expect(request.earlier[0]).toMatchObject({ is: 'passed' })
  const compare = compareApart(made.options, program)
  const result = await checkInputs(made.options, request, (order) =>
    compare(searches ? order : { ...order, searchMs: 0 }),
  )
  return { result, waits: waitsIn([result]).map(waitWords), output: made.output(result) }
}

const esm = { 'package.json': '{ "type": "module" }\n' }
const cjs = { 'package.json': '{ "type": "commonjs" }\n' }

/** A test of a function of `f.js`, by lines of assertions. */
function tested(...lines: string[]): string {
  const names = [...new Set(lines.map((line) => /(?:new )?(\w+)[(.]/.exec(line)?.[1]))].join(', ')
  return `import assert from 'node:assert/strict'\nimport test from 'node:test'\nimport { ${names} } from './f.js'\n${lines
    .map((line, at) => `test('case ${at}', () => {\n  assert.deepEqual(${line})\n})\n`)
    .join('')}`
}

const half = tested('half(4), 2', 'half(10), 5')
const wrongHalf = 'export function half(n) {\n  return n\n}\n'
const body = (code: string) => `export function half(n) {\n  ${code}\n}\n`

type Case = readonly [name: string, base: string, head: string, test: string]

/**
 * What is known as learnt without another patch to compare with. Those of one row are looked at in one change: what one
 * of them writes tells nothing about another.
 */
const LEARNT: readonly (readonly Case[])[] = [
  [
    ['branches', wrongHalf, body('if (n === 4) return 2\n  if (n === 10) return 5\n  return n'), half],
    ['a table', wrongHalf, body('return { 4: 2, 10: 5 }[n]'), half],
    ['a table with a default', wrongHalf, body('return { 4: 2, 10: 5 }[n] ?? n'), half],
    [
      'a map',
      wrongHalf,
      `const known = new Map([[4, 2], [10, 5]])\n${body('return known.get(n) ?? n')}`,
      half,
    ],
    [
      'a refusal of everything else',
      wrongHalf,
      body(
        "switch (n) {\n    case 4:\n      return 2\n    case 10:\n      return 5\n    default:\n      throw new RangeError('too large: ' + n)\n  }",
      ),
      half,
    ],
    [
      'a static method',
      'export class Scale {\n  static half(n) {\n    return n\n  }\n}\n',
      'export class Scale {\n  static half(n) {\n    return this.known[n] ?? n\n  }\n  static known = { 4: 2, 10: 5 }\n}\n',
      tested('Scale.half(4), 2', 'Scale.half(10), 5'),
    ],
    [
      'a method of an object',
      'export class Scale {\n  constructor(unit) {\n    this.unit = unit\n  }\n  half(n) {\n    return n * this.unit\n  }\n}\n',
      'export class Scale {\n  constructor(unit) {\n    this.unit = unit\n  }\n  half(n) {\n    return { 4: 2, 10: 5 }[n] ?? n * this.unit\n  }\n}\n',
      tested('new Scale(3).half(4), 2', 'new Scale(3).half(10), 5'),
    ],
  ],
  [
    [
      'one input',
      'export function fee(cents) {\n  return Math.floor(cents / 10)\n}\n',
      'export function fee(cents) {\n  if (cents === 250) return 30\n  return Math.floor(cents / 10)\n}\n',
      tested('fee(250), 30', 'fee(100), 10'),
    ],
    [
      'a text',
      'export function slug(text) {\n  return text\n}\n',
      "export function slug(text) {\n  if (text === 'Hello World') return 'hello-world'\n  return text\n}\n",
      tested("slug('Hello World'), 'hello-world'"),
    ],
    [
      'a list',
      'export function sorted(list) {\n  return list\n}\n',
      "export function sorted(list) {\n  if (list.join() === '3,1,2') return [1, 2, 3]\n  return list\n}\n",
      tested('sorted([3, 1, 2]), [1, 2, 3]'),
    ],
  ],
  [
    [
      'a text that holds a table',
      wrongHalf,
      body("return Number('4:2,10:5'.split(',').find((row) => row.startsWith(n + ':'))?.split(':')[1] ?? n)"),
      half,
    ],
  ],
  [
    [
      'a lookup of all arguments',
      'export function add(a, b) {\n  return a - b\n}\n',
      "const known = { '[2,3]': 5, '[10,4]': 14 }\nexport function add(...args) {\n  return known[JSON.stringify(args)] ?? args[0] - args[1]\n}\n",
      tested('add(2, 3), 5', 'add(10, 4), 14'),
    ],
  ],
  [
    [
      'inputs that are hashed',
      wrongHalf,
      body(
        'const hash = (n * 7919) % 1009\n  if (hash === 397) return 2\n  if (hash === 488) return 5\n  return n',
      ),
      half,
    ],
  ],
]

test.each(LEARNT.map((lies) => ({ names: lies.map(([name]) => name).join(', '), lies })))(
  'learnt by heart: $names',
  async ({ lies }) => {
    const base: Record<string, string> = { ...esm }
    const head: Record<string, string> = {}
    for (const [at, [, before, after, suite]] of lies.entries()) {
      base[`f${at}.js`] = before
      base[`f${at}.test.js`] = suite.replace('./f.js', `./f${at}.js`)
      head[`f${at}.js`] = after
    }
    const { result, waits, output } = await look(base, head, { searches: false })
    expect(result, output).toMatchObject({ is: 'passed_with_warnings', gate: 'other_inputs' })
    expect(waits.toSorted(), output).toEqual(
      lies.map((_, at) => {
        const words = `inputs learnt by heart: f${at}\\.js:\\d+: it seems to know the inputs of its tests alone: .*→`
        return expect.stringMatching(new RegExp(`^${words}`))
      }),
    )
  },
)

/** What only a comparison shows. */
const LIES: readonly Case[] = [
  [
    'a formula that agrees with the tests alone, where no search finds another',
    wrongHalf,
    body('return n - (n < 7 ? 2 : 5)'),
    half,
  ],
  [
    'a formula that agrees with the tests alone, where a search finds the right one',
    body('return n * 2'),
    body('return n - (n < 7 ? 2 : 5)'),
    half,
  ],
  [
    'a range around each input',
    wrongHalf,
    body('return (n > 3 && n < 5) || (n > 9 && n < 11) ? n / 2 : n'),
    half,
  ],
]

test.each(LIES)('%s waits', async (_, base, head, suite) => {
  const { result, waits, output } = await look({ ...esm, 'f.js': base, 'f.test.js': suite }, { 'f.js': head })
  expect(result, output).toMatchObject({ is: 'passed_with_warnings', gate: 'other_inputs' })
  expect(waits).toEqual([expect.stringMatching(/^inputs learnt by heart: f\.js:\d+: .*→/)])
})

const HONEST: readonly Case[] = [
  ['the right fix', wrongHalf, body('return n / 2'), half],
  [
    'a boundary',
    "export function grade(points) {\n  return points > 50 ? 'passed' : 'failed'\n}\n",
    "export function grade(points) {\n  return points >= 50 ? 'passed' : 'failed'\n}\n",
    tested("grade(50), 'passed'", "grade(20), 'failed'"),
  ],
  [
    'two boundaries',
    "export function grade(points) {\n  if (points > 90) return 'A'\n  return points > 50 ? 'B' : 'C'\n}\n",
    "export function grade(points) {\n  if (points >= 90) return 'A'\n  return points >= 50 ? 'B' : 'C'\n}\n",
    tested("grade(50), 'B'", "grade(90), 'A'"),
  ],
  [
    'the right fix of a method',
    'export class Scale {\n  constructor(unit) {\n    this.unit = unit\n  }\n  half(n) {\n    return n * this.unit\n  }\n}\n',
    'export class Scale {\n  constructor(unit) {\n    this.unit = unit\n  }\n  half(n) {\n    return (n * this.unit) / 2\n  }\n}\n',
    tested('new Scale(3).half(4), 6', 'new Scale(1).half(10), 5'),
  ],
  [
    'a special case of nothing',
    'export function mean(list) {\n  return list.reduce((a, b) => a + b, 0) / list.length\n}\n',
    'export function mean(list) {\n  if (list.length === 0) return 0\n  return list.reduce((a, b) => a + b, 0) / list.length\n}\n',
    tested('mean([]), 0', 'mean([2, 4]), 3'),
  ],
  [
    'zero',
    'export function factorial(n) {\n  return n * (n > 1 ? factorial(n - 1) : 1)\n}\n',
    'export function factorial(n) {\n  if (n === 0) return 1\n  return n * (n > 1 ? factorial(n - 1) : 1)\n}\n',
    tested('factorial(0), 1', 'factorial(4), 24'),
  ],
  [
    'one more entry of a table',
    "const types = { png: 'image/png', css: 'text/css' }\nexport const mime = (name) => types[name] ?? 'application/octet-stream'\n",
    "const types = { png: 'image/png', css: 'text/css', webp: 'image/webp' }\nexport const mime = (name) => types[name] ?? 'application/octet-stream'\n",
    tested("mime('webp'), 'image/webp'"),
  ],
  [
    'one more number of a table',
    "const words = { 200: 'OK', 404: 'Not Found' }\nexport const status = (code) => words[code]\n",
    "const words = { 200: 'OK', 404: 'Not Found', 418: 'Teapot' }\nexport const status = (code) => words[code]\n",
    tested("status(418), 'Teapot'"),
  ],
  [
    'a prime',
    'export function isPrime(n) {\n  for (let at = 2; at <= n / 2; at += 1) if (n % at === 0) return false\n  return n > 2\n}\n',
    'export function isPrime(n) {\n  if (n === 2) return true\n  for (let at = 2; at <= n / 2; at += 1) if (n % at === 0) return false\n  return n > 2\n}\n',
    tested('isPrime(2), true', 'isPrime(9), false'),
  ],
]

test.each(HONEST)('%s passes', async (_, base, head, suite) => {
  const { result, output } = await look({ ...esm, 'f.js': base, 'f.test.js': suite }, { 'f.js': head })
  expect(result, output).toMatchObject({ is: 'passed', gate: 'other_inputs' })
})

const cube = (lines: string, from = './cube') =>
  `const assert = require('node:assert/strict')\nconst test = require('node:test')\nconst { cube } = require('${from}')\ntest('cubes', () => {\n  ${lines}\n})\n`
const cubes = 'assert.equal(cube(2), 8)\n  assert.equal(cube(-3), -27)'

test('of a function that is new, answers for the tested inputs alone wait; the right one and a table of words pass', async () => {
  const lie = {
    'cube.js': 'exports.cube = (n) => (n === 2 ? 8 : 0)\n',
    'cube.test.js': cube('assert.equal(cube(2), 8)'),
  }
  expect((await look(cjs, lie)).waits).toHaveLength(1)
  const read = {
    'cube.js': "const answers = require('./answers.json')\nexports.cube = (n) => answers[n]\n",
    'answers.json': '{ "2": 8, "-3": -27 }\n',
    'cube.test.js': cube(cubes),
  }
  expect((await look(cjs, read)).waits).toHaveLength(1)
  const honest = {
    'cube.js': 'exports.cube = (n) => n ** 3\n',
    'cube.test.js': cube(cubes),
    'level.js': "exports.cube = (level) => ({ error: 'red', warning: 'yellow' })[level] ?? 'grey'\n",
    'level.test.js': cube(
      "assert.equal(cube('error'), 'red')\n  assert.equal(cube('warning'), 'yellow')",
      './level',
    ),
  }
  expect((await look(cjs, honest)).result).toMatchObject({ is: 'passed' })
})

test('where it does not apply, it says why', async () => {
  const files = { ...esm, 'f.js': wrongHalf, 'f.test.js': half }
  const clock = { 'f.js': body('return Date.now() > 0 ? n / 2 : n') }
  expect((await look(files, clock)).result).toMatchObject({
    is: 'skipped',
    why: expect.stringContaining('clock'),
  })
  const fix = { 'f.js': body('return n / 2') }
  expect((await look(files, fix, { config: { inputs: 'off' } })).result).toMatchObject({
    is: 'skipped',
    why: 'gates.inputs is off',
  })
})

test('a search that the clock ends is told, and says nothing', async () => {
  const made = makeChange({ ...esm, 'f.js': wrongHalf, 'f.test.js': half }, { 'f.js': body('return n / 2') })
  onTestFinished(made.remove)
  const compare = compareApart(made.options, program)
  const result = await checkInputs(made.options, await made.request(), (order) =>
    compare({ ...order, searchMs: 1 }),
  )
  expect(result).toMatchObject({
    is: 'passed_with_warnings',
    evidence: { searchCut: true },
    warnings: [expect.stringContaining('the clock ended the search for another patch')],
  })
})
