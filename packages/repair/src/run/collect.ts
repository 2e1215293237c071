// Gathers the tests that a test file declares, under whichever runner's words it uses.
import { Unsupported } from './mismatch.ts'

export type Act = (...args: unknown[]) => unknown
export type RunnerName = 'node' | 'vitest' | 'jest' | 'tap'
export type HookName = 'before' | 'after' | 'beforeEach' | 'afterEach'

export interface Suite {
  readonly name: string
  readonly parent: Suite | null
  readonly hooks: Readonly<Record<HookName, Act[]>>
  started: boolean
}

export interface Collected {
  readonly key: string
  readonly name: string
  readonly suite: Suite
  readonly runner: RunnerName
  readonly act: Act
  readonly is: 'wanted' | 'skipped' | 'inverted'
}

function makeSuite(name: string, parent: Suite | null): Suite {
  return { name, parent, hooks: { before: [], after: [], beforeEach: [], afterEach: [] }, started: false }
}

export class Collector {
  readonly #module: number
  readonly #root = makeSuite('', null)
  #at = this.#root
  readonly tests: Collected[] = []
  readonly #names = new Map<string, number>()
  #onlys = new Set<Collected>()
  #skipping = false
  #only = false

  constructor(module: number) {
    this.#module = module
  }

  wanted(): Collected[] {
    return this.#onlys.size > 0 ? this.tests.filter((test) => this.#onlys.has(test)) : this.tests
  }

  hook(name: HookName, act: Act): void {
    this.#at.hooks[name].push(act)
  }

  describe(name: unknown, act: Act | undefined, how: How): void {
    const before = { at: this.#at, skipping: this.#skipping, only: this.#only }
    this.#at = makeSuite(String(name), this.#at)
    this.#skipping ||= how === 'skip'
    this.#only ||= how === 'only'
    const done = act?.()
    this.#at = before.at
    this.#skipping = before.skipping
    this.#only = before.only
    if (done instanceof Promise) throw new Unsupported('an asynchronous describe')
  }

  test(runner: RunnerName, name: unknown, act: Act | undefined, how: How): void {
    const path = this.#pathOf(String(name))
    const times = (this.#names.get(path) ?? 0) + 1
    this.#names.set(path, times)
    const skipped = act === undefined || how === 'skip' || this.#skipping
    const other = how === 'fails' ? 'inverted' : 'wanted'
    const made: Collected = {
      key: `${this.#module}|${path}${times > 1 ? `#${times}` : ''}`,
      name: path,
      suite: this.#at,
      runner,
      act: act ?? (() => undefined),
      is: skipped ? 'skipped' : other,
    }
    this.tests.push(made)
    if (how === 'only' || this.#only) this.#onlys.add(made)
  }

  #pathOf(name: string): string {
    const names = [name]
    for (let suite: Suite | null = this.#at; suite !== null; suite = suite.parent) {
      if (suite.name !== '') names.unshift(suite.name)
    }
    return names.join(' > ')
  }
}

export type How = 'plain' | 'skip' | 'only' | 'fails'
type Declare = (name: unknown, act: Act | undefined, how: How) => void

/** `test(name, act)`, `test(name, options, act)`, `test(act)`, with `.skip`, `.only`, `.each` and their kin. */
export function makeDeclarer(declare: Declare, how: How = 'plain'): Act {
  const call = (...args: unknown[]) => {
    const act = args.find((arg) => typeof arg === 'function') as Act | undefined
    const options = args.find((arg) => typeof arg === 'object' && arg !== null) as Options | undefined
    const name = typeof args[0] === 'function' ? args[0].name : args[0]
    declare(name, act, howBy(options, how))
    return Promise.resolve()
  }
  if (how === 'plain') {
    Object.assign(call, {
      skip: makeDeclarer(declare, 'skip'),
      todo: makeDeclarer(declare, 'skip'),
      only: makeDeclarer(declare, 'only'),
      fails: makeDeclarer(declare, 'fails'),
      failing: makeDeclarer(declare, 'fails'),
      runIf: (condition: unknown) => makeDeclarer(declare, condition ? 'plain' : 'skip'),
      skipIf: (condition: unknown) => makeDeclarer(declare, condition ? 'skip' : 'plain'),
      concurrent: call,
      sequential: call,
      timeout: () => call,
    })
  }
  return Object.assign(call, { each: makeEach(declare, how, true), for: makeEach(declare, how, false) })
}

interface Options {
  readonly skip?: unknown
  readonly todo?: unknown
  readonly only?: unknown
  readonly fails?: unknown
}

function howBy(options: Options | undefined, how: How): How {
  if (options?.skip || options?.todo) return 'skip'
  if (options?.fails) return 'fails'
  return options?.only ? 'only' : how
}

function makeEach(declare: Declare, how: How, spread: boolean): Act {
  return (table, ...rest) => {
    if (!Array.isArray(table) || 'raw' in table) return eachTemplate(declare, how, [table, ...rest])
    return (name: unknown, ...args: unknown[]) => {
      const act = args.find((arg) => typeof arg === 'function') as Act
      for (const [at, row] of table.entries()) {
        const values = spread && Array.isArray(row) ? row : [row]
        declare(titleOf(String(name), values, at), (...more) => act(...values, ...more), how)
      }
    }
  }
}

function eachTemplate(declare: Declare, how: How, [table, ...values]: unknown[]): Act {
  const strings = table as readonly string[]
  const heads = (strings[0] ?? '').split('|').map((head) => head.trim())
  return (name: unknown, act: unknown) => {
    for (let at = 0; at + heads.length <= values.length; at += heads.length) {
      const row = Object.fromEntries(heads.map((head, column) => [head, values[at + column]]))
      declare(titleOf(String(name), [row], at), () => (act as Act)(row), how)
    }
  }
}

function titleOf(name: string, values: readonly unknown[], at: number): string {
  let used = 0
  const filled = name.replace(/%([sdifjo#%])/g, (_, code: string) => {
    if (code === '#') return String(at)
    if (code === '%') return '%'
    const value = values[used++]
    // A function's text would rename the test with every edit of that function.
    if (typeof value === 'function') return value.name || 'function'
    return code === 's' ? String(value) : (JSON.stringify(value) ?? String(value))
  })
  const row = values[0] as Record<string, unknown> | null
  return filled.replace(/\$(\w+)/g, (all, key: string) =>
    row !== null && typeof row === 'object' && key in row ? String(row[key]) : all,
  )
}
