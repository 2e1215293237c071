// The parts of node:assert that tests use, with its verdicts but without its texts.
import { isDeepStrictEqual } from 'node:util'
import { equals } from './equals.ts'
import { refuseExhausted } from './exhausted.ts'
import { fail, held, Mismatch } from './mismatch.ts'

type Check = (...args: unknown[]) => unknown

function check(operator: string, holds: (actual: unknown, expected: unknown) => boolean): Check {
  return (actual, expected, message) => {
    if (!holds(actual, expected)) fail(operator, actual, expected, message)
    held.count += 1
  }
}

const ok: Check = (value, message) => {
  if (!value) fail('ok', value, true, message)
  held.count += 1
}
// biome-ignore lint/suspicious/noDoubleEquals: the old assert compares this way.
const looseSame = (a: unknown, b: unknown) => a == b || (Number.isNaN(a) && Number.isNaN(b))
const same = (a: unknown, b: unknown) => Object.is(a, b)
const looseDeep = (a: unknown, b: unknown) => isDeepStrictEqual(a, b) || equals(a, b, 'loose')
const not = (holds: (a: unknown, b: unknown) => boolean) => (a: unknown, b: unknown) => !holds(a, b)
const matches = (text: unknown, pattern: unknown) =>
  typeof text === 'string' && (pattern as RegExp).test(text)
const subset = (a: unknown, b: unknown) => equals(a, b, 'subset')

function isNothing(value: unknown): value is undefined | string {
  return value === undefined || typeof value === 'string'
}

/** Whether what was thrown is what the test waits for: a class, a pattern, a function or an object. */
function isWanted(thrown: unknown, wanted: unknown): boolean {
  if (isNothing(wanted)) return true
  if (wanted instanceof RegExp) return wanted.test(String(thrown))
  if (typeof wanted === 'function') return isByFunction(thrown, wanted as WantedFunction)
  return Object.entries(wanted as object).every(([key, value]) => {
    const found = (thrown as Record<string, unknown> | null)?.[key]
    return value instanceof RegExp && typeof found === 'string'
      ? value.test(found)
      : isDeepStrictEqual(found, value)
  })
}

type WantedFunction = (new () => unknown) & ((thrown: unknown) => unknown)

function isByFunction(thrown: unknown, wanted: WantedFunction): boolean {
  if (wanted.prototype !== undefined && thrown instanceof wanted) return true
  if (Object.prototype.isPrototypeOf.call(Error, wanted)) return false
  return wanted(thrown) === true
}

const throws: Check = (act, wanted, message) => {
  let thrown: unknown
  try {
    ;(act as () => unknown)()
  } catch (cause) {
    thrown = cause
    if (!isWanted(thrown, wanted))
      throw thrown instanceof Error ? thrown : new Mismatch('throws', thrown, wanted)
    refuseExhausted(thrown)
    held.count += 1
    return
  }
  fail('throws', undefined, wanted, message)
}

const doesNotThrow: Check = (act) => {
  ;(act as () => unknown)()
}

async function settle(act: unknown): Promise<unknown> {
  return typeof act === 'function' ? await act() : await act
}

const rejects: Check = async (act, wanted, message) => {
  try {
    await settle(act)
  } catch (thrown) {
    if (!isWanted(thrown, wanted)) throw thrown
    refuseExhausted(thrown)
    held.count += 1
    return
  }
  fail('rejects', undefined, wanted, message)
}

const shared: Record<string, unknown> = {
  ok,
  strictEqual: check('strictEqual', same),
  notStrictEqual: check('notStrictEqual', not(same)),
  deepStrictEqual: check('deepStrictEqual', isDeepStrictEqual),
  notDeepStrictEqual: check('notDeepStrictEqual', not(isDeepStrictEqual)),
  partialDeepStrictEqual: check('partialDeepStrictEqual', subset),
  match: check('match', matches),
  doesNotMatch: check('doesNotMatch', not(matches)),
  throws,
  doesNotThrow,
  rejects,
  doesNotReject: async (act: unknown) => {
    await settle(act)
  },
  fail: (message: unknown) => fail('fail', undefined, undefined, message ?? 'Failed'),
  ifError: (value: unknown) => {
    if (value !== null && value !== undefined)
      throw value instanceof Error ? value : new Mismatch('ifError', value, null)
  },
  AssertionError: Mismatch,
}

export function makeAssert(strict: boolean): object {
  const assert = (value: unknown, message: unknown) => ok(value, message)
  const old = {
    equal: check('equal', looseSame),
    notEqual: check('notEqual', not(looseSame)),
    deepEqual: check('deepEqual', looseDeep),
    notDeepEqual: check('notDeepEqual', not(looseDeep)),
  }
  const now = {
    equal: shared.strictEqual,
    notEqual: shared.notStrictEqual,
    deepEqual: shared.deepStrictEqual,
    notDeepEqual: shared.notDeepStrictEqual,
  }
  Object.assign(assert, shared, strict ? now : old)
  return Object.assign(assert, { strict: strict ? assert : makeAssert(true) })
}
