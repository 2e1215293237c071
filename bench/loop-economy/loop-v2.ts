// The test loop of seed 004 ("Loop V2"), from its document alone: STEP 6 to the final sweep, with its thresholds.
// Where the document can be read in two ways, the reading that needs fewer calls is taken.
import type { ScriptedEngine, Tree } from './engine.ts'
import type { Limits } from './limits.ts'

/** Calls that are about tests. */
export interface TestCalls {
  /** LOOP-TEST-8: the test runner is a model. */
  run: number
  /** LOOP-TEST-20 */
  fix: number
  /** LOOP-TEST-20: re-test immediately. */
  again: number
  /** LOOP-REGR-1: every test marked [x], one call each. */
  regression: number
  /** LOOP-SPOT-1 */
  spot: number
  /** LOOP-POST-1 */
  sweep: number
}

export interface LoopV2End {
  readonly calls: TestCalls
  /** Vision checks and value discovery, for which the other flow has no counterpart. */
  readonly otherPrompts: number
  /** Marked [x] in the test plan. */
  readonly marked: number
  readonly blocked: number
}

export interface LoopV2Facts {
  /** In the order of the test plan. */
  readonly tests: readonly string[]
  readonly brokenBy: ReadonlyMap<string, string>
  readonly tree: Tree
  readonly engine: Pick<ScriptedEngine, 'fix'>
  readonly limits: Limits
  /** The next number from 0 to 1. */
  readonly dice: () => number
}

export function runLoopV2(facts: LoopV2Facts): LoopV2End {
  return new LoopV2(facts).run()
}

type Mark = 'pending' | 'passed' | 'blocked'

class LoopV2 {
  readonly #facts: LoopV2Facts
  readonly #marks: Map<string, Mark>
  readonly #attempts = new Map<string, number>()
  readonly #calls: TestCalls = { run: 0, fix: 0, again: 0, regression: 0, spot: 0, sweep: 0 }
  #otherPrompts = 0
  #iteration = 0
  #fixesSinceRegression = 0
  #stuckInner = 0
  #stuckOuter = 0
  #lastProgress = ''

  constructor(facts: LoopV2Facts) {
    this.#facts = facts
    this.#marks = new Map(facts.tests.map((test) => [test, 'pending']))
  }

  run(): LoopV2End {
    const { loopIterations } = this.#facts.limits
    // LOOP-OUTER-2: stops when exceeded. LOOP-S6-1: one test iteration in each pass of the outer loop.
    for (let pass = 1; pass <= loopIterations; pass += 1) {
      const test = this.#next()
      if (test === null) break
      this.#iterate(test)
    }
    // LOOP-S7-1
    if (this.#count('blocked') > this.#count('passed')) this.#discoverValue()
    // LOOP-S8-1, and the vision counts as delivered: whatever else would follow costs more.
    this.#otherPrompts += 1
    // LOOP-POST-1. No fix breaks a passing test here, so the sweep finds nothing and LOOP-POST-2 does not occur.
    this.#calls.sweep += this.#count('passed')
    return {
      calls: this.#calls,
      otherPrompts: this.#otherPrompts,
      marked: this.#count('passed'),
      blocked: this.#count('blocked'),
    }
  }

  #count(mark: Mark): number {
    return [...this.#marks.values()].filter((each) => each === mark).length
  }

  /** LOOP-TEST-2: the first pending line. One at the limit is marked in its own iteration, so LOOP-TEST-3 and 4 skip nothing. */
  #next(): string | null {
    return this.#facts.tests.find((test) => this.#marks.get(test) === 'pending') ?? null
  }

  #passes(test: string): boolean {
    const cause = this.#facts.brokenBy.get(test)
    return cause === undefined || !this.#facts.tree.left.has(cause)
  }

  #iterate(test: string): void {
    const { limits, dice } = this.#facts
    this.#iteration += 1
    const before = this.#count('passed') + this.#count('blocked')
    // Not annotated as E2E (LOOP-TEST-7), as in the document's trace: the sub-agent runs it.
    this.#calls.run += 1
    const newTask = this.#passes(test) ? this.#pass(test) : this.#fail(test)
    // LOOP-TEST-24, LOOP-THRESH-11
    if (this.#fixesSinceRegression >= limits.regressionInterval) {
      this.#calls.regression += this.#count('passed')
      this.#fixesSinceRegression = 0
    }
    // LOOP-TEST-25, LOOP-THRESH-12 and 13
    if (dice() < limits.spotCheckChance)
      this.#calls.spot += Math.min(limits.spotCheckCount, this.#count('passed'))
    this.#watchInner(test, before)
    // LOOP-S6-3: only if there is a new task.
    if (newTask && this.#iteration % 10 === 0) this.#otherPrompts += 1
    this.#watchOuter()
  }

  #pass(test: string): false {
    // LOOP-TEST-13
    this.#marks.set(test, 'passed')
    this.#attempts.delete(test)
    return false
  }

  /** True if a FIX task was added to the plan that was not there before. */
  #fail(test: string): boolean {
    const { brokenBy, engine, limits } = this.#facts
    const attempts = (this.#attempts.get(test) ?? 0) + 1
    this.#attempts.set(test, attempts)
    // LOOP-TEST-21: at the limit it is blocked without another fix, so a limit of 3 allows two fixes.
    if (attempts >= limits.testFixAttempts) {
      this.#marks.set(test, 'blocked')
      return false
    }
    // LOOP-TEST-20, LOOP-FIX-1: the fix agent gets the test's block and tasks, no error (Known Issue Points 1 and 3).
    this.#calls.fix += 1
    engine.fix([{ cause: brokenBy.get(test) ?? '', evidence: false }])
    this.#calls.again += 1
    if (this.#passes(test)) {
      // LOOP-TEST-22
      this.#pass(test)
      this.#fixesSinceRegression += 1
    }
    return attempts === 1
  }

  /** LOOP-TEST-26 and 27 */
  #watchInner(test: string, before: number): void {
    const after = this.#count('passed') + this.#count('blocked')
    this.#stuckInner = after === before ? this.#stuckInner + 1 : 0
    if (this.#stuckInner < this.#facts.limits.noProgress) return
    this.#marks.set(test, 'blocked')
    this.#stuckInner = 0
  }

  /** LOOP-S6-4 to 6; no task of the plan is ever done by the test loop. */
  #watchOuter(): void {
    const progress = `${this.#count('passed')}-${this.#count('blocked')}-0`
    this.#stuckOuter = progress === this.#lastProgress ? this.#stuckOuter + 1 : 0
    this.#lastProgress = progress
    if (this.#stuckOuter >= this.#facts.limits.noProgress) this.#discoverValue()
  }

  /** LOOP-VALUE-1, and the blocker check of the planning that it invalidates. */
  #discoverValue(): void {
    this.#otherPrompts += 3
    this.#stuckOuter = 0
  }
}
