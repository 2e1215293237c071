import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BadCondition, factsOfCondition, parseCondition } from './condition.ts'
import { conditionHolds } from './condition-holds.ts'
import { type Facts, MissingFact } from './facts.ts'

const holds = (text: string, facts: Facts = {}) => conditionHolds(parseCondition(text), facts)

const facts: Facts = {
  a: 2,
  b: 3,
  yes: true,
  no: false,
  name: 'four',
  list: ['x', 'y'],
  pattern: { confidence: 0.9, deep: { er: 7 } },
}

const true_: string[] = [
  'a < b',
  'a <= 2',
  'b > a',
  'b >= 3',
  'a == 2',
  'a != b',
  'name == "four"',
  "name != 'five'",
  'name.length == 4',
  'list.length == a',
  'pattern.confidence > 0.8',
  'pattern.deep.er == 7',
  'a + b * 2 == 8',
  '(a + b) * 2 == 10',
  'b - a - 1 == 0',
  '12 / a / b == 2',
  '-a < 0',
  '1.5e1 == 15',
  'yes',
  'NOT no',
  'NOT (a > b)',
  'yes AND a < b',
  'no OR yes',
  'yes OR no AND no',
  'NOT no AND yes',
  'NOT (yes AND no)',
  'yes == true',
  ' a\n<\tb ',
  'yes AND NOT no',
]

test.for(true_)('%s holds', (text) => {
  expect(holds(text, facts)).toBe(true)
  expect(holds(`NOT (${text})`, facts)).toBe(false)
})

const hostile: [text: string, at: number, why: string][] = [
  ['constructor', 1, 'the name constructor is not allowed'],
  ['a > 1 AND a.constructor', 11, 'the name constructor is not allowed'],
  ['a.constructor.constructor("return process")()', 1, 'a call'],
  ['a.__proto__ == 1', 1, 'the name __proto__ is not allowed'],
  ['__proto__.x == 1', 1, 'the name __proto__ is not allowed'],
  ['prototype == 1', 1, 'the name prototype is not allowed'],
  ['toString == 1', 1, 'the name toString is not allowed'],
  ['1 == hasOwnProperty', 6, 'the name hasOwnProperty is not allowed'],
  ['f()', 1, 'a call'],
  ['1 < f(2)', 5, 'a call'],
  ['a["b"] == 1', 1, 'a member in brackets'],
  ['list[0] == 1', 1, 'a member in brackets'],
  ['a?.b == 1', 1, '"?." is not allowed'],
  ['"text".length == 4', 1, 'only a fact has members'],
  ['()', 3, 'nothing within the parentheses'],
  ['() yes', 3, 'nothing within the parentheses'],
  ['yes AND ()', 11, 'nothing within the parentheses'],
  ['(yes, no)', 1, 'a sequence'],
  ['this', 1, '"this"'],
  ['this.a == 1', 1, 'only a fact has members'],
  ['a ? b : no', 1, 'a choice'],
  ['[1, 2]', 1, 'a list'],
  ['`text` == 1', 1, 'Unexpected "`"'],
  ['a == `b`', 6, 'Expected expression'],
  ['a = 1', 3, 'Unexpected "="'],
  ['a == 1; b == 2', 9, 'two expressions'],
  ['a == 1, b == 2', 9, 'two expressions'],
  ['a === 1', 5, ''],
  ['a && b', 3, 'Unexpected "&"'],
  ['yes and no', 5, 'two expressions'],
  ['yes || no', 5, 'Unexpected "|"'],
  ['!yes', 1, 'Unexpected "!"'],
  ['a % 2 == 0', 3, 'Unexpected "%"'],
  ['a ** 2 == 4', 4, 'Expected expression'],
  ['new a', 5, 'two expressions'],
  ['typeof a == "x"', 8, 'two expressions'],
  ['a => a', 3, ''],
  ['{a: 1}', 1, 'Unexpected "{"'],
  ['/x/ == a', 1, 'Unexpected "/"'],
  ['$a == 1', 1, 'the name $a is not allowed'],
  ['ünder == 1', 1, 'the name ünder is not allowed'],
  ['1e999 == a', 1, '1e999 is no number'],
  ['"open', 6, 'Unclosed quote'],
  ['(a < b', 7, 'Unclosed ('],
  ['a <', 4, 'Expected expression after <'],
  ['a AND', 3, 'two expressions'],
  ['', 1, 'there is nothing'],
  ['   ', 1, 'there is nothing'],
  ['a + b', 1, 'never true or false'],
  ['3', 1, 'never true or false'],
  ['name.length', 1, 'never true or false'],
  ['1 < a < 3', 1, '< needs a number on both sides'],
  ['a AND 3', 1, 'AND needs something true or false on both sides'],
  ['NOT a > 3', 1, 'write NOT (… > …)'],
  ['"x" < a', 1, '< needs a number on both sides'],
  ['-"x" == 1', 1, '- needs a number'],
]

test.for(hostile)('%s is refused at character %i', ([text, at, why]) => {
  const refused = refusalOf(() => parseCondition(text))
  expect(refused.message).toContain(why)
  expect(refused.message).toMatch(new RegExp(` at character ${at}$`))
  expect(refused.at).toBe(at)
})

test('what is too long or too deep is refused before it costs anything', () => {
  expect(refusalOf(() => parseCondition(`a == ${'1'.repeat(1_000_000)}`)).message).toMatch(
    /^condition "a == 1{75}…": more than 500 characters at character 501$/,
  )
  expect(holds(`${'('.repeat(240)}yes${')'.repeat(240)}`, facts)).toBe(true)
  expect(refusalOf(() => parseCondition(`${'(yes AND '.repeat(40)}yes${')'.repeat(40)}`)).message).toContain(
    'nested more than 20',
  )
  expect(refusalOf(() => parseCondition('NOT '.repeat(120).concat('yes'))).message).toContain(
    'nested more than 20',
  )
  expect(refusalOf(() => parseCondition(`yes${' AND yes'.repeat(60)}`)).message).toContain(
    'nested more than 20',
  )
  expect(refusalOf(() => parseCondition('('.repeat(499))).message).toContain('at character')
})

const unfit: [text: string, why: string][] = [
  ['name > 3', 'name is no number at character 1'],
  ['a > 1 AND a', 'a is neither true nor false at character 11'],
  ['pattern == 3', 'pattern is more than one value at character 1'],
  ['list == 3', 'list is more than one value at character 1'],
  ['name == 4', 'a string is compared with a number at character 1'],
  ['a / (b - 3) > 1', 'this is no number at character 1'],
]

test.for(unfit)('%s does not fit its facts: %s', ([text, why]) => {
  expect(refusalOf(() => holds(text, facts)).message).toBe(`condition "${text}": ${why}`)
})

test('a missing fact is named, also where the other side has decided already', () => {
  expect(() => holds('a > missing', facts)).toThrow('the fact missing is missing')
  expect(() => holds('pattern.deep.gone > 1', facts)).toThrow('the fact pattern.deep.gone is missing')
  expect(() => holds('a.length > 1', facts)).toThrow('the fact a.length is missing')
  expect(() => holds('yes OR gone', facts)).toThrow('the fact gone is missing')
  expect(() => holds('no AND gone', facts)).toThrow('the fact gone is missing')
})

test('what every object inherits is no fact, even where a name were let through', () => {
  const odd = Object.create({ inherited: true }) as Facts
  expect(() => holds('inherited', odd)).toThrow('the fact inherited is missing')
})

test('the facts a condition looks at are known', () => {
  const condition = parseCondition('pattern.confidence >= 0.9 AND NOT (name.length < a * 3) OR -a < 0')
  expect(factsOfCondition(condition)).toEqual(['pattern.confidence', 'name', 'a'])
})

test('whatever is written is either a condition or refused with a place', () => {
  const pieces = fc.constantFrom(
    ...[
      'a',
      'yes',
      'name',
      'list',
      'pattern',
      '.',
      '.length',
      '.deep',
      '1',
      '"x"',
      "'",
      '(',
      ')',
      '()',
      '[',
      ']',
    ],
    ...[
      ' AND ',
      ' OR ',
      'NOT ',
      '-',
      '+',
      '*',
      '/',
      '<',
      '>=',
      '==',
      '!=',
      '=',
      '?',
      ':',
      ',',
      ';',
      '`',
      '{',
      '$',
    ],
    ...['this', '__proto__', 'constructor', ' ', '\n', '\\', 'ü', '\u0000', '?.', 'e9', 'true'],
  )
  const lines = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.array(pieces, { maxLength: 14 }).map((words) => words.join('')),
  )
  const outcomes = new Set<string>()
  fc.assert(
    fc.property(lines, (text) => {
      try {
        outcomes.add(typeof holds(text, facts))
      } catch (error) {
        if (error instanceof MissingFact) return
        expect(error).toBeInstanceOf(BadCondition)
        expect((error as BadCondition).at).toBeGreaterThanOrEqual(1)
        expect((error as BadCondition).at).toBeLessThanOrEqual(text.length + 1)
        outcomes.add('refused')
      }
    }),
    { numRuns: 2_000, examples: [['yes'], ['f()']] },
  )
  expect([...outcomes].sort()).toEqual(['boolean', 'refused'])
})

function refusalOf(body: () => unknown): BadCondition {
  try {
    body()
  } catch (error) {
    if (error instanceof BadCondition) return error
    throw error
  }
  throw new Error('it was not refused')
}
