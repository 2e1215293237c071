// Whether two values are the same to a test: strict, as `toEqual` sees it, or as the old `deepEqual` does.

export type Strictness = 'strict' | 'equal' | 'loose' | 'subset'

/** A matcher inside an expected value, such as `expect.any(String)`. */
export interface Asymmetric {
  asymmetricMatch(value: unknown): boolean
}

type Bag = Record<PropertyKey, unknown>
type ComparedPairs = Map<unknown, unknown>

export function equals(
  actual: unknown,
  expected: unknown,
  how: Strictness,
  seen: ComparedPairs = new Map(),
): boolean {
  if (isAsymmetric(expected)) return expected.asymmetricMatch(actual)
  if (Object.is(actual, expected)) return true
  if (!isObject(actual) || !isObject(expected)) return samePrimitive(actual, expected, how)
  if (seen.get(actual) === expected) return true
  seen.set(actual, expected)
  const special = sameSpecial(actual, expected, how, seen)
  return special ?? sameEntries(actual, expected, how, seen)
}

function isAsymmetric(value: unknown): value is Asymmetric {
  return isObject(value) && typeof value.asymmetricMatch === 'function'
}

function isObject(value: unknown): value is Bag {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

function samePrimitive(actual: unknown, expected: unknown, how: Strictness): boolean {
  // biome-ignore lint/suspicious/noDoubleEquals: the old assert compares this way.
  return how === 'loose' ? actual == expected : false
}

/** The equality of special values; null where they are ordinary objects or arrays. */
function sameSpecial(actual: Bag, expected: Bag, how: Strictness, seen: ComparedPairs): boolean | null {
  const isFunction = typeof actual === 'function' || typeof expected === 'function'
  if (isFunction || Array.isArray(actual) !== Array.isArray(expected)) return false
  if (actual instanceof Date || expected instanceof Date) return sameText(actual, expected, Date, Number)
  if (actual instanceof RegExp || expected instanceof RegExp)
    return sameText(actual, expected, RegExp, String)
  if (actual instanceof Map || expected instanceof Map) return sameMap(actual, expected, how, seen)
  if (actual instanceof Set || expected instanceof Set) return sameSet(actual, expected, how, seen)
  if (actual instanceof Error && expected instanceof Error) return sameError(actual, expected)
  if (how === 'strict' && Object.getPrototypeOf(actual) !== Object.getPrototypeOf(expected)) return false
  return null
}

function sameText(
  a: Bag,
  b: Bag,
  type: abstract new (...args: never) => unknown,
  read: (value: Bag) => unknown,
) {
  return a instanceof type && b instanceof type && Object.is(read(a), read(b))
}

function sameError(actual: Error, expected: Error): boolean {
  return actual.message === expected.message && actual.name === expected.name
}

function sameMap(actual: Bag, expected: Bag, how: Strictness, seen: ComparedPairs): boolean {
  if (!(actual instanceof Map && expected instanceof Map) || actual.size !== expected.size) return false
  for (const [key, value] of expected) {
    if (actual.has(key)) {
      if (!equals(actual.get(key), value, how, seen)) return false
    } else if (![...actual].some(([k, v]) => equals(k, key, how) && equals(v, value, how))) return false
  }
  return true
}

function sameSet(actual: Bag, expected: Bag, how: Strictness, seen: ComparedPairs): boolean {
  if (!(actual instanceof Set && expected instanceof Set) || actual.size !== expected.size) return false
  for (const value of expected) {
    if (!actual.has(value) && ![...actual].some((found) => equals(found, value, how, seen))) return false
  }
  return true
}

function sameEntries(actual: Bag, expected: Bag, how: Strictness, seen: ComparedPairs): boolean {
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length !== expected.length) return false
  const ignoresUndefined = how === 'equal' || how === 'subset'
  for (const key of keysOf(expected)) {
    if (!(key in actual) && !(ignoresUndefined && how !== 'subset' && expected[key] === undefined))
      return false
    if (!equals(actual[key], expected[key], how, seen)) return false
  }
  if (how === 'subset') return true
  return keysOf(actual).every((key) => key in expected || (ignoresUndefined && actual[key] === undefined))
}

function keysOf(value: Bag): PropertyKey[] {
  const symbols = Object.getOwnPropertySymbols(value)
  if (symbols.length === 0) return Object.keys(value)
  return [
    ...Object.keys(value),
    ...symbols.filter((key) => Object.prototype.propertyIsEnumerable.call(value, key)),
  ]
}
