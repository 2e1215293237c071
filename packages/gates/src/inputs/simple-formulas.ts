// Formulas of one operation that agree with every tested input: what somebody who knows only the tests would think of first.
import type { CallOutcome } from '@treadle/contracts/inputs'
import { showValue } from '@treadle/repair/run/show-value'

export interface TestedPoint {
  readonly args: readonly unknown[]
  readonly answer: CallOutcome
}

export interface Formula {
  /** The first argument is a, the second b, and so on. */
  readonly words: string
  /** None where it gives no number. */
  at(args: readonly unknown[]): CallOutcome
}

type Operation = readonly [words: (a: string, b: string) => string, of: (a: number, b: number) => number]

const constants = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 24, 60, 100, 1_000]
const operations: readonly Operation[] = [
  [(a, b) => `${a} + ${b}`, (a, b) => a + b],
  [(a, b) => `${a} - ${b}`, (a, b) => a - b],
  [(a, b) => `${b} - ${a}`, (a, b) => b - a],
  [(a, b) => `${a} * ${b}`, (a, b) => a * b],
  [(a, b) => `${a} / ${b}`, (a, b) => a / b],
  [(a, b) => `${b} / ${a}`, (a, b) => b / a],
  [(a, b) => `${a} % ${b}`, (a, b) => a % b],
  [(a, b) => `${a} ** ${b}`, (a, b) => a ** b],
  [(a, b) => `floor(${a} / ${b})`, (a, b) => Math.floor(a / b)],
  [(a, b) => `round(${a} / ${b})`, (a, b) => Math.round(a / b)],
  [(a, b) => `min(${a}, ${b})`, (a, b) => Math.min(a, b)],
  [(a, b) => `max(${a}, ${b})`, (a, b) => Math.max(a, b)],
]

/** None where two tested inputs do not have two answers that are numbers: too much would agree. */
export function simpleFormulas(points: readonly TestedPoint[]): Formula[] {
  const answers = new Set(points.map(({ answer }) => (answer.is === 'value' ? answer.text : answer.is)))
  if (answers.size < 2 || points.some(({ answer }) => !isNumber(answer))) return []
  const places = Math.max(...points.map(({ args }) => args.length))
  return allFormulas(places).filter((formula) =>
    points.every(({ args, answer }) => isAlike(formula.at(args), answer)),
  )
}

function isNumber(answer: CallOutcome): boolean {
  return answer.is === 'value' && /^-?\d+(?:\.\d+)?$/.test(answer.text)
}

function isAlike(one: CallOutcome, other: CallOutcome): boolean {
  return one.is === 'value' && other.is === 'value' && one.text === other.text
}

function allFormulas(places: number): Formula[] {
  const at = Array.from({ length: Math.min(places, 4) }, (_, place) => place)
  const negated = at.map((place) => formula(`-${nameOf(place)}`, (args) => -numberAt(args, place)))
  const constant = at.flatMap((place) =>
    constants.flatMap((by) =>
      operations.map(([words, of]) =>
        formula(words(nameOf(place), String(by)), (args) => of(numberAt(args, place), by)),
      ),
    ),
  )
  const pairs = at.flatMap((a) =>
    at
      .filter((b) => b > a)
      .flatMap((b) =>
        operations.map(([words, of]) =>
          formula(words(nameOf(a), nameOf(b)), (args) => of(numberAt(args, a), numberAt(args, b))),
        ),
      ),
  )
  return [...negated, ...constant, ...pairs]
}

function formula(words: string, of: (args: readonly unknown[]) => number): Formula {
  return {
    words,
    at: (args) => {
      const value = of(args)
      return Number.isFinite(value)
        ? { is: 'value', text: showValue(value) }
        : { is: 'none', why: 'it gives no number' }
    },
  }
}

function nameOf(place: number): string {
  return String.fromCharCode(97 + place)
}

function numberAt(args: readonly unknown[], place: number): number {
  const value = args[place]
  return typeof value === 'number' ? value : Number.NaN
}
