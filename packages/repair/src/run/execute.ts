// Runs tests of one test file on one generation of modules.
import { clock, realNow } from './clock.ts'
import { type Act, type Collected, Collector, type HookName, type Suite } from './collect.ts'
import { isExhausted } from './exhausted.ts'
import { Unsupported } from './mismatch.ts'
import { Instances, type Modules } from './modules.ts'
import type { Limits } from './protocol.ts'
import { isThenable, settle } from './settle.ts'
import { restoreAll } from './spies.ts'
import { stubs } from './stubs.ts'
import { OutOfFuel } from './tank.ts'
import { TapContext } from './tap-words.ts'
import { NodeContext, speakTo } from './words.ts'

export interface Ran {
  readonly is: 'passed' | 'failed' | 'left'
  readonly thrown: unknown
}

const PASSED: Ran = { is: 'passed', thrown: null }

/** A test file that was loaded for one candidate. */
export class TestFile {
  readonly tests: readonly Collected[]
  /** Why the file could not be loaded. */
  readonly fault: Ran | null
  readonly #modules: Modules
  readonly #limits: Limits
  readonly #started: Suite[] = []

  constructor(
    module: number,
    modules: Modules,
    edited: ConstructorParameters<typeof Instances>[1],
    limits: Limits,
  ) {
    this.#modules = modules
    this.#limits = limits
    clock.reset()
    const collector = new Collector(module)
    const words = speakTo(collector)
    this.#fill()
    this.fault = this.#load(() => new Instances(modules, edited, words).load(module))
    this.tests = collector.wanted()
  }

  async run(test: Collected, fuel = this.#limits.fuel): Promise<Ran> {
    if (this.fault !== null) return this.fault
    this.#fill(fuel)
    const ran = await this.#attempt(test)
    const { isDry } = this.#modules.tank
    if (isDry && ran.is === 'passed') return { is: 'failed', thrown: new OutOfFuel() }
    if (test.is !== 'inverted' || ran.is === 'left') return ran
    if (isDry || isExhausted(ran.thrown)) return ran
    return ran.is === 'failed' ? PASSED : { is: 'failed', thrown: new Error('the test was to fail') }
  }

  /** The hooks that end suites; what they throw is no test's fault. */
  async finish(): Promise<void> {
    this.#fill()
    try {
      for (const suite of this.#started.reverse())
        for (const act of suite.hooks.after) await this.#call(act, [])
    } catch {
      // A suite that cannot tidy up has given its verdicts already.
    }
    restoreAll()
    stubs.restoreAll()
  }

  #fill(fuel = this.#limits.fuel): void {
    const { cpuMs, testMs, fuel: usual } = this.#limits
    // One that may take more steps may take more time for them.
    this.#modules.tank.fill(fuel, Math.max(cpuMs, Math.min(testMs, cpuMs * (fuel / usual))))
  }

  #load(act: () => unknown): Ran | null {
    try {
      act()
      return null
    } catch (thrown) {
      return { is: thrown instanceof Unsupported ? 'left' : 'failed', thrown }
    }
  }

  async #attempt(test: Collected): Promise<Ran> {
    const chain = chainOf(test.suite)
    let ran = PASSED
    try {
      for (const suite of chain) await this.#start(suite)
      for (const suite of chain) await this.#hooks(suite, 'beforeEach')
      await this.#body(test)
    } catch (thrown) {
      ran = { is: thrown instanceof Unsupported ? 'left' : 'failed', thrown }
    }
    try {
      for (const suite of chain.toReversed()) await this.#hooks(suite, 'afterEach')
    } catch (thrown) {
      if (ran.is === 'passed') ran = { is: 'failed', thrown }
    }
    return ran
  }

  async #start(suite: Suite): Promise<void> {
    if (suite.started) return
    suite.started = true
    this.#started.push(suite)
    await this.#hooks(suite, 'before')
  }

  async #hooks(suite: Suite, name: HookName): Promise<void> {
    for (const act of suite.hooks[name]) await this.#call(act, [])
  }

  async #body(test: Collected): Promise<void> {
    if (test.runner === 'node') {
      await this.#nodeTest(test.act)
      return
    }
    if (test.runner === 'tap') {
      await this.#tapTest(test.act)
      return
    }
    const takesDone = test.runner === 'jest' && test.act.length > 0
    await this.#call(test.act, takesDone ? null : [])
  }

  async #nodeTest(act: Act): Promise<void> {
    const context = new NodeContext((inner) => this.#nodeTest(inner))
    try {
      const done = act.length > 1 ? callback((resolve) => act(context, resolve)) : act(context)
      if (isThenable(done)) await settle(done, this.#limits.testMs)
    } finally {
      for (const after of context.afters) await this.#call(after, [])
    }
  }

  /** A test of tape or tap is over when it says so, or when what it returned is done; then come the tests in it. */
  async #tapTest(act: Act): Promise<void> {
    const inner: Act[] = []
    const context = new TapContext((_, own) => inner.push(own))
    const done = act.length === 0 ? act() : act(context.words())
    if (isThenable(done)) await settle(done, this.#limits.testMs)
    if (act.length > 0 && (!isThenable(done) || context.waits))
      await settle(context.ended, this.#limits.testMs)
    for (const own of inner) await this.#tapTest(own)
    for (const after of context.afters) await this.#call(after, [])
    if (context.fault !== null) throw context.fault
  }

  /** Calls a function; null arguments: it is to be given a callback that ends the test. */
  async #call(act: Act, args: unknown[] | null): Promise<void> {
    const done = args === null ? callback((resolve) => act(resolve)) : act(...args)
    if (isThenable(done)) await settle(done, this.#limits.testMs)
  }
}

function callback(start: (done: (error?: unknown) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => {
      if (error === undefined || error === null) resolve()
      else reject(error instanceof Error ? error : new Error(String(error)))
    })
  })
}

function chainOf(suite: Suite): Suite[] {
  const chain: Suite[] = []
  for (let at: Suite | null = suite; at !== null; at = at.parent) chain.unshift(at)
  return chain
}

export function timed(): () => number {
  const from = realNow()
  return () => realNow() - from
}
