import { describe, expect, it } from 'vitest'
import { form, list, withRules } from '../src/groups.ts'
import { type Check, type Path, pathText, report } from '../src/problem.ts'
import { choice, flag, number, optional, text } from '../src/values.ts'

let state = 97
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

function pick<T>(items: readonly T[]): T {
  return items[random(items.length)] as T
}

function outcome(check: Check<unknown>, input: unknown, path?: Path): unknown {
  const checked = path ? check(input, path) : check(input)
  if (checked.is === 'ok') return checked.value
  return checked.problems.map((problem) => [problem.path.join('/'), problem.message])
}

function those(rules: readonly (readonly [boolean, string])[]): string[] {
  return rules.filter(([broken]) => broken).map(([, message]) => message)
}

function itemProblem(item: unknown, seen: readonly string[], unique: boolean): string | undefined {
  if (typeof item !== 'string') return 'must be a text'
  if (item === '') return 'must not be empty'
  return unique && seen.includes(item.trim()) ? 'is repeated' : undefined
}

describe('texts', () => {
  it('agree with a plain list of rules', () => {
    const letters = ['a', 'B', ' ', '1']
    for (let round = 0; round < 400; round += 1) {
      const input = Array.from({ length: random(7) }, () => pick(letters)).join('')
      const min = random(4)
      const max = min + random(3)
      const trim = random(2) === 0
      const value = trim ? input.replace(/^ +/, '').replace(/ +$/, '') : input
      const isLower = [...value].every((char) => char === 'a')
      const tooShort = min === 1 ? 'must not be empty' : `needs ${min} characters`
      const messages = those([
        [value.length < min, tooShort],
        [value.length > max, `has more than ${max} characters`],
        [value.length >= min && !isLower, 'has the wrong form'],
      ])
      const expected = messages.length === 0 ? value : messages.map((message) => ['f', message])
      expect(outcome(text({ min, max, trim, pattern: /^a*$/ }), input, ['f'])).toEqual(expected)
    }
    for (const input of [undefined, null, 0, {}, ['a']]) {
      expect(outcome(text(), input, ['x', 1])).toEqual([['x/1', 'must be a text']])
    }
    expect(outcome(text(), ' x\n')).toBe('x')
    expect(outcome(text(), '')).toBe('')
  })
})

describe('numbers', () => {
  it('agree with a plain list of rules', () => {
    for (let round = 0; round < 400; round += 1) {
      const value = (random(41) - 20) / pick([1, 2])
      const min = random(10) - 10
      const max = min + random(12)
      const whole = random(2) === 0
      const messages = those([
        [whole && value % 1 !== 0, 'must be whole'],
        [value < min, `must be at least ${min}`],
        [value > max, `must be at most ${max}`],
      ])
      const expected = messages.length === 0 ? value : messages.map((message) => ['', message])
      expect(outcome(number({ min, max, whole }), pick([value, `${value}`, ` ${value} `]))).toEqual(expected)
    }
    for (const input of ['', ' ', '1,5', 'Infinity', Number.NaN, undefined, null, [], [3], false]) {
      expect(outcome(number(), input)).toEqual([['', 'must be a number']])
    }
    expect(outcome(number({ max: 0 }), 1)).toEqual([['', 'must be at most 0']])
    expect(outcome(number({ min: 0 }), -0.5)).toEqual([['', 'must be at least 0']])
    expect(outcome(number(), 0.5)).toBe(0.5)
  })
})

describe('choices, flags and fallbacks', () => {
  it('take exactly what they name', () => {
    for (const one of ['a', 'b', 'c']) expect(outcome(choice(['a', 'b', 'c']), one)).toBe(one)
    expect(outcome(choice(['a', 'b']), undefined)).toEqual([['', 'must be one of a, b']])
    expect([true, 'on', 'true'].map((input) => outcome(flag(), input))).toEqual([true, true, true])
    expect([false, 'off', 'false'].map((input) => outcome(flag(), input))).toEqual([false, false, false])
    for (const input of [0, 1, '', 'yes', null]) {
      expect(outcome(flag(), input, ['f'])).toEqual([['f', 'must be on or off']])
    }
  })

  it('fall back only where nothing is', () => {
    for (const input of [undefined, null, ''])
      expect(outcome(optional(text({ min: 5 }), 'no'), input)).toBe('no')
    expect(outcome(optional(number(), 7), 0)).toBe(0)
    expect(outcome(optional(flag(), true), 'off')).toBe(false)
    expect(outcome(optional(number(), 7), ' ')).toEqual([['', 'must be a number']])
    expect(outcome(optional(text({ min: 5 }), ''), 'abc', ['p', 'q'])).toEqual([
      ['p/q', 'needs 5 characters'],
    ])
  })
})

describe('lists', () => {
  it('agree with a plain way', () => {
    for (let round = 0; round < 300; round += 1) {
      const input = Array.from({ length: random(6) }, () => pick<unknown>(['a', 'b', ' a', 'c', 3, '']))
      const min = random(3)
      const max = min + random(4)
      const unique = random(2) === 0
      const lengths = those([
        [input.length < min, `needs at least ${min}`],
        [input.length > max, `takes at most ${max}`],
      ])
      const expected = lengths.map((message) => ['l', message])
      const seen: string[] = []
      for (let index = 0; index < input.length; index += 1) {
        const problem = itemProblem(input[index], seen, unique)
        if (problem) expected.push([`l/${index}`, problem])
        else seen.push(`${input[index]}`.trim())
      }
      const check = list(text({ min: 1 }), { min, max, unique })
      expect(outcome(check, input, ['l'])).toEqual(expected.length === 0 ? seen : expected)
    }
    for (const input of [{}, 'ab', null, undefined]) {
      expect(outcome(list(text()), input, ['l'])).toEqual([['l', 'must be a list']])
    }
    expect(outcome(list(number()), [])).toEqual([])
    expect(outcome(list(list(number())), [[1], [2, 'x']])).toEqual([['1/1', 'must be a number']])
  })
})

describe('forms', () => {
  const item = form({
    sku: text({ min: 1 }),
    count: number({ min: 1, whole: true }),
    gift: optional(flag(), false),
  })
  const order = form({ customer: form({ name: text({ min: 1 }) }), items: list(item, { min: 1 }) })

  it('give values and leave the input alone', () => {
    const input = { customer: { name: ' Eve ' }, items: [{ sku: 'x', count: '2', gift: 'on' }] }
    const copy = structuredClone(input)
    expect(outcome(order, input)).toEqual({
      customer: { name: 'Eve' },
      items: [{ sku: 'x', count: 2, gift: true }],
    })
    expect(input).toEqual(copy)
  })

  it('collect everything, in order', () => {
    const input = {
      extra: 1,
      items: [{ sku: '', count: 0.5, colour: 'red' }, 7, { sku: 'y', count: 1 }, { count: -1 }],
      customer: {},
    }
    expect(outcome(order, input)).toEqual([
      ['customer/name', 'must be a text'],
      ['items/0/sku', 'must not be empty'],
      ['items/0/count', 'must be whole'],
      ['items/0/count', 'must be at least 1'],
      ['items/0/colour', 'is unknown'],
      ['items/1', 'must be a form'],
      ['items/3/sku', 'must be a text'],
      ['items/3/count', 'must be at least 1'],
      ['extra', 'is unknown'],
    ])
    expect(outcome(order, { customer: null, items: [] })).toEqual([
      ['customer', 'must be a form'],
      ['items', 'needs at least 1'],
    ])
    for (const input of [null, undefined, [], 'x', 4])
      expect(outcome(order, input)).toEqual([['', 'must be a form']])
    expect(outcome(form({}), {})).toEqual({})
  })

  it('have rules between fields', () => {
    const stay = withRules(form({ from: number(), to: number(), guests: number() }), [
      { field: 'to', message: 'is too early', holds: ({ from, to }) => from < to },
      { field: 'guests', message: 'is too large', holds: ({ from, to, guests }) => guests <= to - from },
    ])
    expect(outcome(stay, { from: 1, to: 5, guests: 4 })).toEqual({ from: 1, to: 5, guests: 4 })
    expect(outcome(stay, { from: 1, to: 1, guests: 1 }, ['s'])).toEqual([
      ['s/to', 'is too early'],
      ['s/guests', 'is too large'],
    ])
    expect(outcome(stay, { from: 5, to: 1 })).toEqual([['guests', 'must be a number']])
    expect(outcome(withRules(stay, []), { from: 1, to: 3, guests: 9 })).toEqual([['guests', 'is too large']])
  })
})

describe('reports', () => {
  it('name places', () => {
    expect(pathText(['a'])).toBe('a')
    expect(pathText(['a', 'b'])).toBe('a.b')
    expect(pathText(['a', 0, 1, 'b'])).toBe('a[0][1].b')
    expect(pathText([3])).toBe('[3]')
    expect(pathText([])).toBe('the form')
  })

  it('put what belongs together on one line', () => {
    for (let round = 0; round < 100; round += 1) {
      const problems = Array.from({ length: random(8) }, (_, index) => ({
        path: pick<Path>([[], ['a'], ['a', 0], ['b', 'c']]),
        message: `m${index}`,
      }))
      const places = [...new Set(problems.map(({ path }) => pathText(path)))]
      const lines = places.map((place) => {
        const own = problems.filter(({ path }) => pathText(path) === place)
        return `${place}: ${own.map(({ message }) => message).join('; ')}`
      })
      expect(report(problems)).toEqual(lines)
    }
  })
})
