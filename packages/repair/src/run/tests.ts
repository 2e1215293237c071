// Requests to the runner: run the untouched program once, or judge a candidate.
import type { Coverage } from './coverage.ts'
import { type Ran, TestFile, timed } from './execute.ts'
import { held, Mismatch, show } from './mismatch.ts'
import { Modules } from './modules.ts'
import { nearness } from './nearness.ts'
import {
  type Failure,
  type Limits,
  LOADING,
  type Plan,
  type Ranges,
  type TestResult,
  type Verdict,
  type WireCandidate,
  type WireModule,
} from './protocol.ts'
import { Tank } from './tank.ts'

/** Failing tests that may stay as they are before a candidate is given up. */
const MISSES_MAX = 3
/** An endless loop says more than a test that just stays as it is, and costs more. */
const MISSES_OF_DRY = 2
/** For candidates that mend some tests or bring them further, and run dry. */
const MORE_FUEL = 10
/** Less than one, so that a further assertion counts for more than the nearest value. */
const NEAREST = 0.9
/** The least gain that is no chance. */
const NEARER_MIN = 0.04

type Edited = ReturnType<Modules['edited']>

export class Judge {
  readonly #modules: Modules
  readonly #tests: readonly number[]
  readonly #limits: Limits
  readonly #tank = new Tank()
  #failing: readonly { key: string; module: number; index: number; steps: number }[] = []
  #numbers = new Map<string, number>()
  #passing = new Set<string>()
  #reach: Plan['reach'] = {}
  #fuel: Plan['fuel'] = {}

  constructor(modules: readonly WireModule[], tests: readonly number[], limits: Limits) {
    this.#modules = new Modules(modules, this.#tank)
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
      results.push({ ...resultOf(`${module}|`, LOADING, module, file.fault), hits: loaded })
    for (const test of file.tests) {
      if (test.is === 'skipped' || file.fault !== null) continue
      const elapsed = timed()
      const from = held.count
      const ran = await file.run(test)
      const steps = stepsOf(ran, from)
      const fuel = this.#tank.spent
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
    this.#fuel = plan.fuel
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
    const first = await this.#confirm(edited, reached, 1)
    const helps = first.fixed.length + first.advanced > 0 && first.broken === 0
    return verdictOf(first.dry && helps ? await this.#confirm(edited, reached, MORE_FUEL) : first)
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
      const ran = await runByKey(file, key, this.#fuelFor(key))
      if (ran.is === 'passed' || stepsOf(ran, from) - steps > NEARER_MIN) return true
      misses += this.#tank.isDry ? MISSES_OF_DRY : 1
      if (misses >= MISSES_MAX || file?.fault !== null) return false
    }
    return false
  }

  /** Whole files from a fresh start, in their order: the verdict that counts here. */
  async #confirm(edited: Edited, reached: ReadonlySet<number>, times: number): Promise<Confirmed> {
    const { fuel, cpuMs, testMs } = this.#limits
    const limits = { fuel: fuel * times, cpuMs: cpuMs * times, testMs }
    const all: Whole = { fixed: [], seen: 0, advanced: 0, broken: 0, dry: false }
    for (const module of reached) {
      const file = new TestFile(module, this.#modules, edited, limits)
      if (file.fault !== null) return { ...all, broken: 1, green: false }
      await this.#runWhole(file, { module, times }, all)
      if (all.broken > 0) return { ...all, green: false }
    }
    // A test that has vanished was not passed.
    const missing = this.#guardsIn(reached) - all.seen
    const broken = all.broken + Math.max(0, missing)
    return { ...all, broken, green: broken === 0 && all.fixed.length === this.#failing.length }
  }

  async #runWhole(
    file: TestFile,
    { module, times }: { module: number; times: number },
    whole: Whole,
  ): Promise<void> {
    // Where the file itself could not be loaded, every test in it must pass.
    const opened = this.#numbers.get(`${module}|`)
    let allPassed = true
    for (const test of file.tests) {
      const number = this.#numbers.get(test.key)
      const guards = this.#passing.has(test.key)
      if (test.is === 'skipped' || (number === undefined && !guards && opened === undefined)) continue
      const from = held.count
      const ran = await file.run(test, this.#fuelFor(test.key) * times)
      allPassed &&= ran.is === 'passed'
      if (guards) guard(whole, ran.is === 'passed')
      if (whole.broken > 0) return
      if (number !== undefined) this.#note(whole, number, { ran, from })
    }
    await file.finish()
    if (opened !== undefined && allPassed) whole.fixed.push(opened)
  }

  #note(whole: Whole, number: number, { ran, from }: { ran: Ran; from: number }): void {
    const further = stepsOf(ran, from) - (this.#failing[number]?.steps ?? 0)
    if (ran.is === 'passed') whole.fixed.push(number)
    else if (further > NEARER_MIN) whole.advanced += Math.min(1, further)
    whole.dry ||= this.#tank.isDry
  }

  #fuelFor(key: string): number {
    return this.#fuel[key] ?? this.#limits.fuel
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
  /** Tests that must stay green and do not. */
  broken: number
  /** A failing test ran out of fuel. */
  dry: boolean
}

function guard(whole: Whole, passed: boolean): void {
  whole.seen += 1
  if (!passed) whole.broken += 1
}

interface Confirmed extends Whole {
  readonly green: boolean
}

function verdictOf({ fixed, advanced, broken, green }: Confirmed): Verdict {
  return { is: 'ran', fixed, advanced, broken, green }
}

const FAILED: Ran = { is: 'failed', thrown: null }
const PASSED: Ran = { is: 'passed', thrown: null }

async function runByKey(file: TestFile | null, key: string, fuel: number): Promise<Ran> {
  // The file could not be loaded before either, if its loading is the failing test.
  if (file === null || file.fault !== null) return FAILED
  if (key.endsWith('|')) return PASSED
  const test = file.tests.find((found) => found.key === key)
  return test === undefined ? FAILED : await file.run(test, fuel)
}

/** Assertions that held since then, and as a part of one how near the one came that did not. */
function stepsOf({ thrown }: Ran, from: number): number {
  const near = thrown instanceof Mismatch ? NEAREST * nearness(thrown.actual, thrown.expected) : 0
  return held.count - from + near
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
