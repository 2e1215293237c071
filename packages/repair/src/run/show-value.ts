// Values in one spelling, so that two of them can be compared by their texts. Bounded, and without calling anything of theirs.
import { types } from 'node:util'

const NODES_MAX = 2_000
const DEPTH_MAX = 12
const CHARS_MAX = 20_000
/** Two ways to the same number may differ behind this many digits. */
const DIGITS = 12

class Showing {
  #nodes = 0
  readonly #inside = new Set<object>()

  show(value: unknown, depth = 0): string {
    this.#nodes += 1
    if (this.#nodes > NODES_MAX || depth > DEPTH_MAX) return '…'
    if (typeof value === 'object' && value !== null) return this.#object(value, depth)
    return primitive(value)
  }

  #object(value: object, depth: number): string {
    if (types.isProxy(value)) return '[proxy]'
    if (this.#inside.has(value)) return '[circular]'
    this.#inside.add(value)
    const shown = this.#parts(value, depth + 1)
    this.#inside.delete(value)
    return shown
  }

  #parts(value: object, depth: number): string {
    const all = (items: Iterable<unknown>) => {
      const shown: string[] = []
      for (const item of items) {
        if (this.#nodes > NODES_MAX) break
        shown.push(this.show(item, depth))
      }
      return shown.join(', ')
    }
    if (Array.isArray(value)) return `[${all(value)}]`
    if (types.isMap(value)) return `Map {${all(Map.prototype.entries.call(value))}}`
    if (types.isSet(value)) return `Set {${all(Set.prototype.values.call(value))}}`
    if (types.isDate(value)) return `Date ${Date.prototype.getTime.call(value)}`
    if (types.isRegExp(value)) return RegExp.prototype.toString.call(value)
    if (types.isTypedArray(value)) return `${nameOf(value)} [${all(value as Iterable<unknown>)}]`
    if (types.isNativeError(value)) return `${value.name}: ${value.message}`
    if (types.isBoxedPrimitive(value)) return `boxed ${this.show(value.valueOf(), depth)}`
    return `${nameOf(value)}{ ${this.#fields(value, depth)} }`.replace('{  }', '{}')
  }

  #fields(value: object, depth: number): string {
    return Object.keys(value)
      .sort()
      .slice(0, NODES_MAX)
      .map((key) => {
        const found = Object.getOwnPropertyDescriptor(value, key)
        return `${JSON.stringify(key)}: ${found !== undefined && 'value' in found ? this.show(found.value, depth) : '[getter]'}`
      })
      .join(', ')
  }
}

function primitive(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'number':
      return number(value)
    case 'bigint':
      return `${value}n`
    case 'function':
      return '[function]'
    default:
      return String(value)
  }
}

function number(value: number): string {
  if (Number.isInteger(value) || !Number.isFinite(value)) return String(value === 0 ? 0 : value)
  return String(Number(value.toPrecision(DIGITS)))
}

/** Nothing for plain objects. */
function nameOf(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === null || prototype === Object.prototype || typeof prototype !== 'object') return ''
  const made: unknown = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value
  return typeof made === 'function' && made !== Object ? `${made.name} ` : ''
}

export function showValue(value: unknown): string {
  const shown = new Showing().show(value)
  return shown.length <= CHARS_MAX ? shown : `${shown.slice(0, CHARS_MAX)}…${shown.length}`
}
