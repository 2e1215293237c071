// The `expect` of vitest and jest: the matchers tests use, with their verdicts.
import { createRequire } from 'node:module'
import { type Asymmetric, equals } from './equals.ts'
import { refuseExhausted } from './exhausted.ts'
import { fail, held, Unsupported } from './mismatch.ts'
import type { Spy } from './spies.ts'

type Matcher = (actual: unknown, ...args: unknown[]) => boolean
type Bag = Record<PropertyKey, unknown>

const num = (value: unknown) => value as number
const callsOf = (value: unknown) => (value as Spy).mock.calls

function hasProperty(actual: unknown, path: unknown, ...value: unknown[]): boolean {
  const keys = Array.isArray(path)
    ? path
    : String(path)
        .split(/[.[\]]+/)
        .filter((key) => key !== '')
  let found = actual
  for (const key of keys) {
    if (found === null || found === undefined || !(key in Object(found))) return false
    found = (found as Bag)[key as string]
  }
  return value.length === 0 || equals(found, value[0], 'equal')
}

/** Errors that the function throws, in a list; an empty one where it throws nothing. */
function thrownBy(act: unknown): readonly unknown[] {
  if (typeof act !== 'function') return fail('toThrow', act, 'a function')
  try {
    act()
    return []
  } catch (cause) {
    return [cause]
  }
}

function isWantedError(thrown: unknown, wanted: unknown): boolean {
  if (wanted === undefined) return true
  const message = String((thrown as Error | null)?.message ?? thrown)
  if (typeof wanted === 'string') return message.includes(wanted)
  if (wanted instanceof RegExp) return wanted.test(message)
  if (typeof wanted === 'function') return thrown instanceof wanted
  if (wanted instanceof Error) return message === wanted.message
  return equals(thrown, wanted, 'equal')
}

function checkThrown(
  thrown: readonly unknown[],
  wanted: unknown,
  { actual, isNot }: Pick<Expectation, 'actual' | 'isNot'>,
): void {
  if (thrown.some((cause) => isWantedError(cause, wanted)) === isNot) fail('toThrow', actual, wanted)
  for (const cause of thrown) refuseExhausted(cause)
  held.count += 1
}

function contains(actual: unknown, item: unknown): boolean {
  if (typeof actual === 'string') return actual.includes(String(item))
  return [...(actual as Iterable<unknown>)].includes(item)
}

function isCloseTo(actual: unknown, wanted: unknown, digits: unknown = 2): boolean {
  return actual === wanted || Math.abs(num(wanted) - num(actual)) < 10 ** -num(digits) / 2
}

const withArgs = (calls: unknown[][], args: unknown[]) => calls.some((call) => equals(call, args, 'equal'))

const matchers: Readonly<Record<string, Matcher>> = {
  toBe: (a, b) => Object.is(a, b),
  toEqual: (a, b) => equals(a, b, 'equal'),
  toStrictEqual: (a, b) => equals(a, b, 'strict'),
  toMatchObject: (a, b) => equals(a, b, 'subset'),
  toBeTruthy: (a) => Boolean(a),
  toBeFalsy: (a) => !a,
  toBeNull: (a) => a === null,
  toBeUndefined: (a) => a === undefined,
  toBeDefined: (a) => a !== undefined,
  toBeNullable: (a) => a === undefined || a === null,
  toBeNaN: (a) => Number.isNaN(a),
  toBeGreaterThan: (a, b) => num(a) > num(b),
  toBeGreaterThanOrEqual: (a, b) => num(a) >= num(b),
  toBeLessThan: (a, b) => num(a) < num(b),
  toBeLessThanOrEqual: (a, b) => num(a) <= num(b),
  toBeCloseTo: isCloseTo,
  toContain: contains,
  toContainEqual: (a, b) => [...(a as Iterable<unknown>)].some((found) => equals(found, b, 'equal')),
  toHaveLength: (a, b) => (a as { length: number }).length === b,
  toHaveProperty: hasProperty,
  toMatch: (a, b) => (b instanceof RegExp ? b.test(String(a)) : String(a).includes(String(b))),
  toBeInstanceOf: (a, b) => a instanceof (b as new () => unknown),
  toBeTypeOf: (a, b) => typeof a === b,
  toBeOneOf: (a, b) => (b as unknown[]).includes(a),
  toSatisfy: (a, b) => Boolean((b as (value: unknown) => unknown)(a)),
  toHaveBeenCalled: (a) => callsOf(a).length > 0,
  toHaveBeenCalledOnce: (a) => callsOf(a).length === 1,
  toHaveBeenCalledTimes: (a, b) => callsOf(a).length === b,
  toHaveBeenCalledWith: (a, ...args) => withArgs(callsOf(a), args),
  toHaveBeenCalledExactlyOnceWith: (a, ...args) => callsOf(a).length === 1 && withArgs(callsOf(a), args),
  toHaveBeenLastCalledWith: (a, ...args) => equals(callsOf(a).at(-1), args, 'equal'),
  toHaveBeenNthCalledWith: (a, n, ...args) => equals(callsOf(a)[num(n) - 1], args, 'equal'),
  toHaveReturned: (a) => (a as Spy).mock.results.some((result) => result.type === 'return'),
  toHaveReturnedWith: (a, b) => (a as Spy).mock.results.some((result) => equals(result.value, b, 'equal')),
}
const ALIASES: Readonly<Record<string, string>> = {
  toBeCalled: 'toHaveBeenCalled',
  toBeCalledTimes: 'toHaveBeenCalledTimes',
  toBeCalledWith: 'toHaveBeenCalledWith',
  lastCalledWith: 'toHaveBeenLastCalledWith',
}

/** Checks of one value; built once per kind, not per call. */
class Expectation {
  readonly actual: unknown
  readonly isNot: boolean
  constructor(actual: unknown, isNot: boolean) {
    this.actual = actual
    this.isNot = isNot
  }
  get not(): Expectation {
    return expectation(this.actual, !this.isNot)
  }
  get resolves(): object {
    return later(Promise.resolve(callIfFunction(this.actual)), this.isNot)
  }
  get rejects(): object {
    const turned = Promise.resolve(callIfFunction(this.actual)).then(
      (value) => fail('rejects', value, 'a rejection'),
      (cause: unknown) => cause,
    )
    return later(turned, this.isNot, true)
  }
}

function callIfFunction(value: unknown): unknown {
  return typeof value === 'function' ? value() : value
}

function expectation(actual: unknown, isNot: boolean): Expectation {
  const made = new Expectation(actual, isNot)
  return made
}

for (const [name, matcher] of Object.entries({
  ...matchers,
  ...Object.fromEntries(Object.entries(ALIASES).map(([alias, name]) => [alias, matchers[name] as Matcher])),
})) {
  Object.defineProperty(Expectation.prototype, name, {
    value(this: Expectation, ...args: unknown[]) {
      if (matcher(this.actual, ...args) === this.isNot) fail(name, this.actual, args[0])
      refuseExhausted(this.actual)
      held.count += 1
    },
  })
}
for (const name of ['toThrow', 'toThrowError']) {
  Object.defineProperty(Expectation.prototype, name, {
    value(this: Expectation, wanted?: unknown) {
      checkThrown(thrownBy(this.actual), wanted, this)
    },
  })
}
for (const name of [
  'toMatchSnapshot',
  'toMatchInlineSnapshot',
  'toThrowErrorMatchingSnapshot',
  'toMatchFileSnapshot',
]) {
  Object.defineProperty(Expectation.prototype, name, {
    value() {
      throw new Unsupported(`a snapshot (${name})`)
    },
  })
}
// Chai's words, as vitest has them, are those of the project's own copy; without one they are left to the slow path.
for (const name of ['to', 'be', 'is', 'have']) {
  Object.defineProperty(Expectation.prototype, name, {
    get(this: Expectation) {
      const words = chaiOf(name)(this.actual)
      return (this.isNot ? (words.not as Bag) : words)[name]
    },
  })
}

let chai: ((actual: unknown) => Bag) | null = null

function chaiOf(word: string): (actual: unknown) => Bag {
  if (chai !== null) return chai
  try {
    chai = (createRequire(`${process.cwd()}/`)('chai') as { expect: (actual: unknown) => Bag }).expect
    return chai
  } catch {
    throw new Unsupported(`expect().${word}`)
  }
}

type CustomMatcher = (
  this: object,
  actual: unknown,
  ...args: unknown[]
) => { pass: boolean; message?: () => string }

/** Matchers of the project's own, one by one. */
function extend(matchers: Readonly<Record<string, CustomMatcher>>): void {
  for (const [name, matcher] of Object.entries(matchers)) {
    Object.defineProperty(Expectation.prototype, name, {
      configurable: true,
      value(this: Expectation, ...args: unknown[]) {
        const tools = {
          isNot: this.isNot,
          equals: (a: unknown, b: unknown) => equals(a, b, 'equal'),
          utils: {},
        }
        const judged = matcher.call(tools, this.actual, ...args)
        if (judged instanceof Promise) throw new Unsupported('a matcher that has to be waited for')
        if (judged.pass === this.isNot) fail(name, this.actual, args[0])
        held.count += 1
      },
    })
  }
}

/** `await expect(p).resolves.toBe(…)`. */
function later(value: Promise<unknown>, isNot: boolean, thrown = false): object {
  return new Proxy(
    {},
    {
      get(_, name) {
        if (name === 'not') return later(value, !isNot, thrown)
        return async (...args: unknown[]) => {
          const actual = await value
          if (thrown && (name === 'toThrow' || name === 'toThrowError')) {
            checkThrown([actual], args[0], { actual, isNot })
            return
          }
          const made = expectation(actual, isNot) as unknown as Record<string, (...args: unknown[]) => void>
          if (typeof made[String(name)] !== 'function') throw new Unsupported(String(name))
          made[String(name)]?.(...args)
        }
      },
    },
  )
}

const asymmetric = (asymmetricMatch: (value: unknown) => boolean): Asymmetric => ({ asymmetricMatch })

function isOfType(value: unknown, type: unknown): boolean {
  const names = new Map<unknown, string>([
    [String, 'string'],
    [Number, 'number'],
    [Boolean, 'boolean'],
    [Function, 'function'],
    [Object, 'object'],
    [Symbol, 'symbol'],
    [BigInt, 'bigint'],
  ])
  const name = names.get(type)
  return name === undefined ? value instanceof (type as new () => unknown) : typeof value === name
}

const asymmetrics = {
  any: (type: unknown) => asymmetric((value) => isOfType(value, type)),
  anything: () => asymmetric((value) => value !== null && value !== undefined),
  objectContaining: (wanted: unknown) => asymmetric((value) => equals(value, wanted, 'subset')),
  arrayContaining: (wanted: unknown[]) =>
    asymmetric((value) => {
      return (
        Array.isArray(value) && wanted.every((item) => value.some((found) => equals(found, item, 'equal')))
      )
    }),
  stringContaining: (wanted: string) =>
    asymmetric((value) => typeof value === 'string' && value.includes(wanted)),
  stringMatching: (wanted: string | RegExp) =>
    asymmetric((value) => typeof value === 'string' && new RegExp(wanted).test(value)),
  closeTo: (wanted: number, digits?: number) => asymmetric((value) => isCloseTo(value, wanted, digits)),
}
const negated = Object.fromEntries(
  Object.entries(asymmetrics).map(([name, make]) => [
    name,
    (...args: unknown[]) => {
      const inner = (make as (...args: unknown[]) => Asymmetric)(...args)
      return asymmetric((value) => !inner.asymmetricMatch(value))
    },
  ]),
)

export const expect = Object.assign((actual: unknown) => expectation(actual, false), asymmetrics, {
  not: negated,
  assertions: () => undefined,
  hasAssertions: () => undefined,
  soft: (actual: unknown) => expectation(actual, false),
  unreachable: (message?: string) => fail('unreachable', undefined, undefined, message ?? 'unreachable'),
  fail: (message?: string) => fail('fail', undefined, undefined, message ?? 'Failed'),
  extend,
})
