import { describe, expect, it } from 'vitest'
import { form, list, withRules } from '../src/groups.ts'
import { type Check, pathText, report } from '../src/problem.ts'
import { choice, flag, number, optional, text } from '../src/values.ts'

function wrong(check: Check<unknown>, input: unknown): string[] {
  const checked = check(input)
  return checked.is === 'bad' ? report(checked.problems) : []
}

function right<T>(check: Check<T>, input: unknown): T | undefined {
  const checked = check(input)
  return checked.is === 'ok' ? checked.value : undefined
}

describe('text', () => {
  it('is trimmed', () => {
    expect(right(text(), '  a b ')).toBe('a b')
    expect(right(text({ trim: false }), ' a ')).toBe(' a ')
    expect(wrong(text(), 5)).toEqual(['the form: must be a text'])
  })

  it('has a length', () => {
    expect(wrong(text({ min: 1 }), '   ')).toEqual(['the form: must not be empty'])
    expect(wrong(text({ min: 3 }), 'ab')).toEqual(['the form: needs 3 characters'])
    expect(right(text({ min: 3, max: 3 }), 'abc')).toBe('abc')
    expect(wrong(text({ max: 3 }), 'abcd')).toEqual(['the form: has more than 3 characters'])
  })

  it('has a form', () => {
    const code = text({ min: 2, max: 4, pattern: /^[A-Z]+$/ })
    expect(right(code, 'ABC')).toBe('ABC')
    expect(wrong(code, 'abcde')).toEqual(['the form: has more than 4 characters; has the wrong form'])
    expect(wrong(code, 'a')).toEqual(['the form: needs 2 characters'])
  })
})

describe('number', () => {
  it('may be a text', () => {
    expect(right(number(), 4.5)).toBe(4.5)
    expect(right(number(), ' 12 ')).toBe(12)
    for (const input of ['', '  ', 'x', Number.NaN, Number.POSITIVE_INFINITY, null, true]) {
      expect(wrong(number(), input)).toEqual(['the form: must be a number'])
    }
  })

  it('has bounds', () => {
    const age = number({ min: 18, max: 99, whole: true })
    expect(right(age, 18)).toBe(18)
    expect(right(age, '99')).toBe(99)
    expect(wrong(age, 17.5)).toEqual(['the form: must be whole; must be at least 18'])
    expect(wrong(age, 100)).toEqual(['the form: must be at most 99'])
    expect(wrong(number({ min: 0 }), -1)).toEqual(['the form: must be at least 0'])
  })
})

describe('choice and flag', () => {
  it('take what they know', () => {
    expect(right(choice(['red', 'blue']), 'blue')).toBe('blue')
    expect(wrong(choice(['red', 'blue']), 'Red')).toEqual(['the form: must be one of red, blue'])
    expect(right(flag(), 'on')).toBe(true)
    expect(right(flag(), 'false')).toBe(false)
    expect(wrong(flag(), 1)).toEqual(['the form: must be on or off'])
  })
})

describe('optional', () => {
  it('falls back', () => {
    const size = optional(number({ min: 1 }), 10)
    expect([undefined, null, ''].map((input) => right(size, input))).toEqual([10, 10, 10])
    expect(right(size, '3')).toBe(3)
    expect(wrong(size, 0)).toEqual(['the form: must be at least 1'])
    expect(right(optional(flag(), true), false)).toBe(false)
  })
})

describe('list', () => {
  it('checks each item', () => {
    expect(right(list(number()), ['1', 2])).toEqual([1, 2])
    expect(wrong(list(number()), [1, 'x', 3, null])).toEqual([
      '[1]: must be a number',
      '[3]: must be a number',
    ])
    expect(wrong(list(number()), 'x')).toEqual(['the form: must be a list'])
  })

  it('has a length', () => {
    const few = list(text(), { min: 1, max: 2 })
    expect(wrong(few, [])).toEqual(['the form: needs at least 1'])
    expect(wrong(few, ['a', 'b', 'c'])).toEqual(['the form: takes at most 2'])
    expect(right(few, ['a', 'b'])).toEqual(['a', 'b'])
  })

  it('finds what is repeated', () => {
    expect(wrong(list(text(), { unique: true }), ['a', 'b', ' a'])).toEqual(['[2]: is repeated'])
    expect(right(list(text()), ['a', 'a'])).toEqual(['a', 'a'])
  })
})

const person = form({
  name: text({ min: 1 }),
  age: number({ min: 0, whole: true }),
  tags: optional(list(text({ min: 1 }), { unique: true }), []),
})

describe('form', () => {
  it('gives all the values', () => {
    expect(right(person, { name: ' Ada ', age: '36' })).toEqual({ name: 'Ada', age: 36, tags: [] })
  })

  it('finds all that is wrong, with its place', () => {
    expect(wrong(person, { name: '', tags: ['x', '', 'x'] })).toEqual([
      'name: must not be empty',
      'age: must be a number',
      'tags[1]: must not be empty',
      'tags[2]: is repeated',
    ])
  })

  it('does not take unknown fields, nor anything but a form', () => {
    expect(wrong(person, { name: 'x', age: 1, agee: 2 })).toEqual(['agee: is unknown'])
    for (const input of [null, [], 'x', undefined])
      expect(wrong(person, input)).toEqual(['the form: must be a form'])
  })

  it('nests', () => {
    const team = form({ lead: person, others: list(person) })
    const bob = { name: 'Bob', age: 4 }
    expect(wrong(team, { lead: bob, others: [bob, { ...bob, age: -1 }] })).toEqual([
      'others[1].age: must be at least 0',
    ])
  })
})

describe('withRules', () => {
  it('asks once the fields are right', () => {
    const range = withRules(form({ from: number(), to: number() }), [
      { field: 'to', message: 'must come after from', holds: (value) => value.from < value.to },
    ])
    expect(right(range, { from: 1, to: 2 })).toEqual({ from: 1, to: 2 })
    expect(wrong(range, { from: 2, to: 2 })).toEqual(['to: must come after from'])
    expect(wrong(range, { from: 'x', to: 2 })).toEqual(['from: must be a number'])
    expect(wrong(list(range), [{ from: 2, to: 1 }])).toEqual(['[0].to: must come after from'])
  })
})

describe('report', () => {
  it('puts the problems of a place together', () => {
    expect(
      report([
        { path: ['a'], message: 'one' },
        { path: ['b', 0], message: 'two' },
        { path: ['a'], message: 'three' },
      ]),
    ).toEqual(['a: one; three', 'b[0]: two'])
    expect(pathText([0, 'x', 'y', 2, 'z'])).toBe('[0].x.y[2].z')
    expect(pathText([])).toBe('the form')
  })
})
