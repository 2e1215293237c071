import { expect, test } from 'vitest'
import type { Outcome } from './observe-rivals.ts'
import { type Probe, probesOf } from './probes.ts'
import { distinguish, tellApart } from './tell-apart.ts'

const values = (...texts: string[]): Outcome[] => texts.map((text) => ({ is: 'value', text }))
const base = values('1', '2', '3', '4', '5')
const probe = (seen: string, oddness = 0): Probe => ({
  name: seen,
  path: 'a.test.js',
  seen,
  given: null,
  oddness,
  declared: { start: 0, end: 0 },
  telling: '',
  expecting: (answer) => `${seen} is ${answer}`,
})

test('patches that answer alike are one, also where the last digits differ', () => {
  const told = tellApart(
    [
      { patch: 'a', outcomes: values('1', '2', '0.30000000000000004', '4') },
      { patch: 'b', outcomes: values('1', '2', '0.3', '4') },
      { patch: 'c', outcomes: values('1', '2', '0.4', '4') },
    ],
    base,
  )
  expect(told.map(({ first, alike }) => [first, alike])).toEqual([
    ['a', ['b']],
    ['c', []],
  ])
})

test('few answers say too little to call patches the same', () => {
  const outcomes = values('true', 'false', 'true', 'false')
  expect(
    tellApart(
      [
        { patch: 'a', outcomes },
        { patch: 'b', outcomes },
      ],
      base,
    ),
  ).toHaveLength(2)
})

test('what breaks on another input goes behind what does not', () => {
  const broken: Outcome[] = [...values('1', '2', '3'), { is: 'threw', text: 'TypeError: no' }]
  const told = tellApart(
    [
      { patch: 'breaks', outcomes: broken },
      { patch: 'holds', outcomes: values('1', '2', '3', '9') },
    ],
    base,
  )
  expect(told.map(({ first }) => first)).toEqual(['holds', 'breaks'])
})

test('the plainest input is asked about, and never one whose answers differ in capitals alone', () => {
  const probes = [probe('f("A")'), probe('f(-1)', 2), probe('f(3)')]
  const rivals = [{ outcomes: values('"A"', '1', '33.34') }, { outcomes: values('"a"', '2', '33.33') }]
  expect(distinguish(probes, rivals)).toMatchObject({
    probe: { seen: 'f(3)' },
    answers: [
      { answer: '33.34', of: [0] },
      { answer: '33.33', of: [1] },
    ],
  })
  expect(distinguish(probes.slice(0, 1), rivals)).toBeNull()
})

test('an error is no answer where it may come from a statement before the assertion', () => {
  const bound: Probe = { ...probe('out'), given: "const out = parse('6')" }
  const rivals: { outcomes: Outcome[] }[] = [
    { outcomes: values('6') },
    { outcomes: [{ is: 'threw', text: 'RangeError: no' }] },
  ]
  expect(distinguish([bound], rivals)).toBeNull()
  expect(distinguish([probe("parse('6')")], rivals)?.answers).toMatchObject([
    { answer: '6' },
    { answer: 'throws RangeError: no' },
  ])
})

test.each([
  ['assert.equal(f(7), 3)', '4', 'assert.equal(f(8), 4)'],
  ['assert.strictEqual(f(7), 3)', '[4]', 'assert.deepStrictEqual(f(8), [4])'],
  ['expect(f(7)).toBe(3)', '{ a: 4 }', 'expect(f(8)).toEqual({ a: 4 })'],
  ['expect(f(7)).to.deep.equal(3)', '4', 'expect(f(8)).to.deep.equal(4)'],
  ['f(7).should.equal(3)', '4', 'f(8).should.equal(4)'],
  ['expect(f(7)).toBe(3)', 'throws RangeError: no', 'expect(() => f(8)).toThrow()'],
  ['assert.equal(f(7), 3)', 'throws RangeError: no', 'assert.throws(() => f(8))'],
])('%s becomes a test that expects %s', (assertion, answer, written) => {
  const text = `it('is so', () => {\n  ${assertion}\n})\n`
  const made = probesOf([{ path: 'a.test.js', text, failing: new Set(['is so']) }], {
    numbers: [],
    texts: [],
  })
  expect(made[0]?.seen).toBe('f(8)')
  expect(made[0]?.expecting(answer)).toContain(`  ${written}\n})`)
})
