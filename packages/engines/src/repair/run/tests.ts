// What the runner does on request: run the untouched program once, or judge a candidate.
import type { Coverage } from './coverage.ts'
import { type Ran, TestFile, timed } from './execute.ts'
import { held, Mismatch, show } from './mismatch.ts'
import { Modules, OutOfFuel, type Tank } from './modules.ts'
import type {
  Failure,
  Limits,
  Plan,
  Ranges,
  TestResult,
  Verdict,
  WireCandidate,
  WireModule,
} from './protocol.ts'

/** Failing tests that may stay as they are before a candidate is given up. */
const MISSES_MAX = 3
/** For candidates that mend some tests and run dry in others. */
const MORE_FUEL = 10

type Edited = ReturnType<Modules['edited']>

export class Judge {
  readonly #modules: Modules
  readonly #tests: readonly number[]
  readonly #limits: Limits
  readonly #tank: Tank
  #failing: readonly { key: string; module: number; index: number; steps: number }[] = []
  #numbers = new Map<string, number>()
  #passing = new Set<string>()
  #reach: Plan['reach'] = {}

  constructor(modules: readonly WireModule[], tests: readonly number[], limits: Limits) {
    const tank: Tank = {
      left: limits.fuel,
      out() {
        throw new OutOfFuel()
      },
    }
    this.#tank = tank
    this.#modules = new Modules(modules, tank)
    this.#tests = tests
    this.#limits = limits
  }

  async baseline(coverage: Coverage | null): Promise<TestResult[]> {
    const results: TestResult[] = []
    for (const module of this.#tests) results.push(...(await this.#observe(module, coverage)))
    return results
  }

  async #observe(module: number, coverage: Coverage | null): Promise<TestResult[]> {
    const file = new TestFile(module, this.#modules, new Map(), this.#limits)
    const loaded = coverage?.take() ?? {}
    const results: TestResult[] = []
    // What ran while the file was loaded is all that there is to suspect.
    if (file.fault !== null)
      results.push({ ...resultOf(`${module}|`, '(loading the file)', module, file.fault), hits: loaded })
    for (const test of file.tests) {
      if (test.is === 'skipped' || file.fault !== null) continue
      const elapsed = timed()
      const from = held.count
      const ran = await file.run(test)
      const steps = held.count - from
      const fuel = this.#limits.fuel - this.#tank.left
      const hits = coverage === null ? {} : merge(loaded, coverage.take())
      results.push({ ...resultOf(test.key, test.name, module, ran), fuel, ms: elapsed(), steps, hits })
    }
    await file.finish()
    return results
  }

  plan(plan: Plan): void {
    this.#failing = plan.failing.map((key, index) => {
      return { key, module: Number.parseInt(key, 10), index, steps: plan.steps[index] ?? 0 }
    })
    this.#numbers = new Map(this.#failing.map(({ key, index }) => [key, index]))
    this.#passing = new Set(plan.passing)
    this.#reach = plan.reach
  }

  async judge(candidate: WireCandidate): Promise<Verdict> {
    let edited: Edited
    try {
      edited = this.#modules.edited(candidate.edits)
    } catch {
      return { is: 'invalid' }
    }
    const reached = new Set(candidate.edits.flatMap(({ module }) => this.#reach[module] ?? []))
    const hopeful = await this.#tryFailing(edited, reached, candidate.tests)
    if (!hopeful) return { is: 'ran', fixed: [], advanced: 0, broken: 0, green: false }
    const first = await this.#confirm(edited, reached, this.#limits)
    if (!first.dry || first.fixed.length === 0 || first.broken > 0) return verdictOf(first)
    const fuel = this.#limits.fuel * MORE_FUEL
    return verdictOf(await this.#confirm(edited, reached, { ...this.#limits, fuel }))
  }

  /** Whether at least one failing test turns green or comes further; gives up after some that do not. */
  async #tryFailing(
    edited: Edited,
    reached: ReadonlySet<number>,
    noticing: readonly number[],
  ): Promise<boolean> {
    let misses = 0
    let file: TestFile | null = null
    let open = -1
    for (const { key, module, index, steps } of this.#failing) {
      if (!reached.has(module) || (noticing.length > 0 && !noticing.includes(index))) continue
      if (open !== module) file = new TestFile(module, this.#modules, edited, this.#limits)
      open = module
      const from = held.count
      const ran = await runByKey(file, key)
      if (ran || held.count - from > steps) return true
      misses += 1
      if (misses >= MISSES_MAX || file?.fault !== null) return false
    }
    return false
  }

  /** Whole files from a fresh start, in their order: the verdict that counts here. */
  async #confirm(edited: Edited, reached: ReadonlySet<number>, limits: Limits): Promise<Confirmed> {
    const all: Whole = { fixed: [], seen: 0, advanced: 0, dry: false }
    for (const module of reached) {
      const file = new TestFile(module, this.#modules, edited, limits)
      const checked = file.fault === null ? await this.#runWhole(file, module) : null
      if (checked === null) return { ...all, broken: 1, green: false }
      all.fixed.push(...checked.fixed)
      all.seen += checked.seen
      all.advanced += checked.advanced
      all.dry ||= checked.dry
    }
    // A test that has vanished was not passed.
    const missing = this.#guardsIn(reached) - all.seen
    const green = missing <= 0 && all.fixed.length === this.#failing.length
    return { ...all, broken: Math.max(0, missing), green }
  }

  /** Null if a test that must stay green does not. */
  async #runWhole(file: TestFile, module: number): Promise<Whole | null> {
    const whole: Whole = { fixed: [], seen: 0, advanced: 0, dry: false }
    // Where the file itself could not be loaded, every test in it must pass.
    const opened = this.#numbers.get(`${module}|`)
    let allPassed = true
    for (const test of file.tests) {
      const number = this.#numbers.get(test.key)
      const guards = this.#passing.has(test.key)
      if (test.is === 'skipped' || (number === undefined && !guards && opened === undefined)) continue
      const from = held.count
      const { is } = await file.run(test)
      allPassed &&= is === 'passed'
      if (guards && is !== 'passed') return null
      if (guards) whole.seen += 1
      if (number !== undefined) this.#note(whole, number, { passed: is === 'passed', from })
    }
    await file.finish()
    if (opened !== undefined && allPassed) whole.fixed.push(opened)
    return whole
  }

  #note(whole: Whole, number: number, { passed, from }: { passed: boolean; from: number }): void {
    if (passed) whole.fixed.push(number)
    else if (held.count - from > (this.#failing[number]?.steps ?? 0)) whole.advanced += 1
    whole.dry ||= this.#tank.left < 0
  }

  #guardsIn(reached: ReadonlySet<number>): number {
    let count = 0
    for (const key of this.#passing) if (reached.has(Number.parseInt(key, 10))) count += 1
    return count
  }
}

interface Whole {
  readonly fixed: number[]
  seen: number
  advanced: number
  /** A failing test ran out of fuel. */
  dry: boolean
}

interface Confirmed extends Whole {
  readonly broken: number
  readonly green: boolean
}

function verdictOf({ fixed, advanced, broken, green }: Confirmed): Verdict {
  return { is: 'ran', fixed, advanced, broken, green }
}

async function runByKey(file: TestFile | null, key: string): Promise<boolean> {
  // The file could not be loaded before either, if its loading is the failing test.
  if (file === null || file.fault !== null) return false
  if (key.endsWith('|')) return true
  const test = file.tests.find((found) => found.key === key)
  return test !== undefined && (await file.run(test)).is === 'passed'
}

function resultOf(key: string, name: string, module: number, ran: Ran): TestResult {
  const failure = ran.is === 'passed' ? null : failureOf(ran.thrown)
  return { key, name, module, is: ran.is, failure, fuel: 0, ms: 0, steps: 0, hits: {} }
}

function failureOf(thrown: unknown): Failure {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const compared = thrown instanceof Mismatch ? thrown : null
  return {
    name: error.name,
    message: error.message.slice(0, 2_000),
    stack: String(error.stack ?? '').slice(0, 8_000),
    expected: compared === null ? null : show(compared.expected).slice(0, 2_000),
    actual: compared === null ? null : show(compared.actual).slice(0, 2_000),
  }
}

function merge(loaded: Record<number, Ranges>, own: Record<number, Ranges>): Record<number, Ranges> {
  const merged: Record<number, Ranges> = { ...loaded }
  for (const [module, ranges] of Object.entries(own)) {
    merged[Number(module)] = [...(loaded[Number(module)] ?? []), ...ranges]
  }
  return merged
}
