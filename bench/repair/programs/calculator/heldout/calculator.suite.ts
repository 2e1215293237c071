import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluate } from '../src/evaluate.ts'
import { parse } from '../src/parse.ts'

let state = 31
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

// JavaScript has the same rules for these operators; only a signed base of a power is spelt differently.
function randomText(depth: number): string {
  const kind = depth === 0 ? 0 : random(6)
  if (kind === 0) return String(random(20) + 1)
  if (kind === 1) return `(${randomText(depth - 1)})`
  if (kind === 2) return `(-${randomText(depth - 1)})`
  const operator = ['+', '-', '*', '+', '-'][random(5)] ?? '+'
  return `${randomText(depth - 1)} ${operator} ${randomText(depth - 1)}`
}

test('random expressions mean what JavaScript says', () => {
  for (let round = 0; round < 400; round += 1) {
    const text = randomText(4)
    const expected: unknown = new Function(`return ${text}`)()
    assert.equal(evaluate(text), expected, text)
  }
})

test('a table of results', () => {
  const names = { a: 3, b: 0, long_name: 5, Mixed9: -2 }
  const table: [string, number][] = [
    ['8 / 2 * 4', 16],
    ['8 % 3 * 2', 4],
    ['2 * 7 % 4', 2],
    ['100 - 10 * 2 ^ 3', 20],
    ['2 ^ 2 ^ 0', 2],
    ['(2 ^ 2) ^ 3', 64],
    ['-a ^ 2', -9],
    ['(-a) ^ 2', 9],
    ['-a * 2', -6],
    ['--a', 3],
    ['a - -a - a', 3],
    ['long_name + Mixed9', 3],
    ['b * 10', 0],
    ['.5 + 1.25', 1.75],
    ['max(a, b, 9) - min(a, b, 9)', 9],
    ['abs(4) + abs(-4) + abs(b)', 8],
    ['sum(1, sum(2, 3), 4 * 5)', 26],
    ['clamp(5, 1, 10)', 5],
    ['clamp(-1)', 0],
    ['clamp(3)', 1],
    ['clamp(a, a + 1, a + 2)', 4],
    ['max(2)', 2],
    ['-7 % 4', -3],
    ['\t1\n+ 2', 3],
  ]
  for (const [text, expected] of table) assert.equal(evaluate(text, names), expected, text)
})

test('trees', () => {
  assert.deepEqual(parse('-x'), { is: 'negate', operand: { is: 'name', name: 'x' } })
  assert.deepEqual(parse('f(1, y)'), {
    is: 'call',
    name: 'f',
    args: [
      { is: 'number', value: 1 },
      { is: 'name', name: 'y' },
    ],
  })
})

test('a table of mistakes', () => {
  const table: [string, RegExp][] = [
    ['', /unexpected end/],
    ['* 2', /unexpected \*/],
    ['(2', /expected \)/],
    ['2)', /after the expression/],
    ['max(1 2)', /expected ,/],
    ['max(1,', /unexpected end/],
    ['max(1', /expected ,/],
    ['a b', /after the expression/],
    ['1..2', /bad number 1\.\.2/],
    ['#', /unexpected # at 0/],
    ['1 % 0', /division by zero/],
    ['0 / (2 - 2)', /division by zero/],
    ['nope()', /no function nope/],
    ['q', /no value for q/],
  ]
  for (const [text, message] of table) assert.throws(() => evaluate(text), message, text)
})
