import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluate } from '../src/evaluate.ts'

test('operators bind as in school', () => {
  assert.equal(evaluate('1 + 2 * 3'), 7)
  assert.equal(evaluate('(1 + 2) * 3'), 9)
  assert.equal(evaluate('10 - 4 - 3'), 3)
  assert.equal(evaluate('24 / 4 / 2'), 3)
  assert.equal(evaluate('17 % 5 + 1'), 3)
})

test('powers bind to the right and tighter than a sign', () => {
  assert.equal(evaluate('2 ^ 3 ^ 2'), 512)
  assert.equal(evaluate('-2 ^ 2'), -4)
  assert.equal(evaluate('2 ^ -1'), 0.5)
  assert.equal(evaluate('-3 + 5'), 2)
  assert.equal(evaluate('2 - -3'), 5)
})

test('names and functions', () => {
  assert.equal(evaluate('price * qty', { price: 2.5, qty: 4 }), 10)
  assert.equal(evaluate('max(1, x1, 3)', { x1: 7 }), 7)
  assert.equal(evaluate('min(4, 2) + abs(-3)'), 5)
  assert.equal(evaluate('sum(1, 2, 3)'), 6)
  assert.equal(evaluate('sum()'), 0)
  assert.equal(evaluate('clamp(12, 0, 10) + clamp(-5, 1, 10)'), 11)
})

test('a value of zero is a value', () => {
  assert.equal(evaluate('x + 1', { x: 0 }), 1)
})

test('mistakes are named', () => {
  assert.throws(() => evaluate('1 +'), /unexpected end/)
  assert.throws(() => evaluate('(1'), /expected \)/)
  assert.throws(() => evaluate('1 2'), /after the expression/)
  assert.throws(() => evaluate('1 $ 2'), /unexpected \$ at 2/)
  assert.throws(() => evaluate('1.2.3'), /bad number/)
  assert.throws(() => evaluate('y'), /no value for y/)
  assert.throws(() => evaluate('f(1)'), /no function f/)
  assert.throws(() => evaluate('1 / 0'), RangeError)
})
