import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestFailure } from '@treadle/contracts/gate'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readFailureHints } from './failure-hints.ts'

let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'treadle-hints-'))
})

afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const failure = (file: string, name: string, line: number | null): TestFailure => ({
  id: `${file} > ${name}`,
  file,
  line,
  message: 'AssertionError: x',
  stack: null,
})

const shop = `import { round } from './money.ts'

const rates = new Map([['de', 19]])

export class Cart {
  readonly lines = new Map<string, number>()

  add(name: string, price: number): void {
    this.lines.set(name, price)
  }

  get total(): number {
    return round(sum([...this.lines.values()]))
  }

  set(name: string): void {
    this.lines.delete(name)
  }
}

function sum(values: number[]): number {
  return values.reduce((a, b) => a + b, 0)
}

export const taxOf = (country: string): number => rates.get(country) ?? 0
`
const money = `export function round(value: number): number {
  return Math.round(value)
}

export function unused(): number {
  return 1
}
`
const suite = `import { Cart, taxOf } from '../src/cart.ts'

function filled(): Cart {
  const cart = new Cart()
  cart.add('a', 1)
  return cart
}

test('has a total', () => {
  expect(taxOf('de')).toBe(19)
  const cart = filled()
  expect(cart.total).toBe(1)
  expect(unused()).toBe(1)
})

test('knows taxes', () => {
  expect(taxOf('de')).toBe(19)
})
`

test('a failing test reaches what its statement calls, also through helpers, getters and imports', () => {
  write('src/cart.ts', shop)
  write('src/money.ts', money)
  write('test/cart.test.ts', suite)
  const failed = failure('test/cart.test.ts', 'has a total', 12)
  const { reachedBy, passed } = readFailureHints(root, [failed])
  const reached = reachedBy(failed)
  expect([...reached.keys()].sort()).toEqual([
    'src/cart.ts#Cart',
    'src/cart.ts#add',
    'src/cart.ts#rates',
    'src/cart.ts#sum',
    'src/cart.ts#taxOf',
    'src/cart.ts#total',
    'src/money.ts#round',
  ])
  const closeness = (name: string) => reached.get(name) ?? 0
  expect(closeness('src/cart.ts#total')).toBe(1)
  expect(closeness('src/money.ts#round')).toBeGreaterThan(closeness('src/cart.ts#taxOf'))
  expect(closeness('src/cart.ts#add')).toBeGreaterThan(closeness('src/cart.ts#taxOf'))
  expect(passed.map((each) => [...each.keys()].sort())).toEqual([['src/cart.ts#rates', 'src/cart.ts#taxOf']])
})

test('a Python test is read too, by its name where no line is known', () => {
  write(
    'shop/cart.py',
    'def total(values):\n    return add_all(values)\n\ndef add_all(values):\n    return sum(values)\n',
  )
  write(
    'tests/test_cart.py',
    'from shop.cart import total\n\nclass TestCart:\n    def test_total(self):\n        assert total([1]) == 1\n\n    def test_none(self):\n        assert True\n',
  )
  const failed = failure('tests/test_cart.py', 'TestCart > test_total', null)
  const { reachedBy, passed } = readFailureHints(root, [failed])
  expect([...reachedBy(failed).keys()].sort()).toEqual(['shop/cart.py#add_all', 'shop/cart.py#total'])
  expect(passed).toHaveLength(1)
})

test('files outside of the project, missing, huge or endless are no hint and no error', () => {
  write(
    'inside/a.test.ts',
    "import { x } from '../../outside.ts'\nimport { y } from './self.ts'\n\ntest('a', () => {\n  y(x())\n})\n",
  )
  write(
    'inside/self.ts',
    "import { y as z } from './self.ts'\nexport function y() {\n  return y() + z()\n}\n",
  )
  write('huge.test.ts', `test('a', () => {\n${'  call()\n'.repeat(100_000)}})\n`)
  const failures = [
    failure('a.test.ts', 'a', 5),
    failure('../outside.test.ts', 'a', 1),
    failure('huge.test.ts', 'a', 2),
    failure('gone.test.ts', 'a', 2),
    { ...failure('gone.test.ts', 'a', 2), file: null },
  ]
  const inside = join(root, 'inside')
  writeFileSync(join(root, 'outside.ts'), 'export function x() {\n  return 1\n}\n')
  writeFileSync(join(root, 'outside.test.ts'), "test('a', () => {\n  x()\n})\n")
  const { reachedBy } = readFailureHints(inside, failures)
  expect(failures.map((each) => [...reachedBy(each).keys()])).toEqual([['self.ts#y'], [], [], [], []])
  expect(readFailureHints(root, failures).reachedBy(failure('huge.test.ts', 'a', 2)).size).toBe(0)
})

test('a parameter or a variable with the name of a function is not a call of it', () => {
  write(
    'src/cart.js',
    [
      'export function total(lines) {',
      '  return lines.length',
      '}',
      'export function discount(total) {',
      '  return total > 100 ? total * 0.9 : total',
      '}',
      '',
    ].join('\n'),
  )
  write(
    'test/cart.test.js',
    [
      "import { total, discount } from '../src/cart.js'",
      "test('counts', () => assert.equal(total([1]), 1))",
      "test('discount', () => assert.equal(discount(100), 90))",
      '',
    ].join('\n'),
  )
  const failures = [failure('test/cart.test.js', 'counts', 2), failure('test/cart.test.js', 'discount', 3)]
  const { reachedBy } = readFailureHints(root, failures)
  const [counts, discount] = failures.map((each) => [...reachedBy(each).keys()])
  expect(counts).toEqual(['src/cart.js#total'])
  expect(discount).toEqual(['src/cart.js#discount'])
})
