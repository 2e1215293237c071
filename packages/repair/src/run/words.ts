// The modules that test runners offer, as far as a test needs them: node:test, vitest, jest, mocha's globals.
import { makeAssert } from './assert.ts'
import { clock, sleepPromise, timers } from './clock.ts'
import type { Act, Collector, HookName, RunnerName } from './collect.ts'
import { makeDeclarer } from './collect.ts'
import { expect } from './expect.ts'
import { Unsupported } from './mismatch.ts'
import { makeSpy, nodeMock, restoreAll, spyOn } from './spies.ts'
import { environment, stubs } from './stubs.ts'
import { declareTap } from './tap-words.ts'

type Bag = Record<string, unknown>

/** The file whose tests are being declared; the words are made once, and speak of it. */
const current: { collector: Collector | null } = { collector: null }

function declarers(runner: RunnerName): Bag {
  const test = makeDeclarer((name, act, how) => current.collector?.test(runner, name, act, how))
  const describe = makeDeclarer((name, act, how) => current.collector?.describe(name, act, how))
  const hook = (name: HookName) => (act: Act) => current.collector?.hook(name, act)
  return {
    test,
    it: test,
    specify: test,
    describe,
    suite: describe,
    context: describe,
    before: hook('before'),
    after: hook('after'),
    beforeAll: hook('before'),
    afterAll: hook('after'),
    beforeEach: hook('beforeEach'),
    afterEach: hook('afterEach'),
    // mocha's words for the other style
    setup: hook('beforeEach'),
    teardown: hook('afterEach'),
  }
}

const asyncly =
  (act: (ms: number) => void) =>
  async (ms = 0): Promise<void> => {
    await Promise.resolve()
    act(ms)
    await Promise.resolve()
  }

function runPending(): void {
  for (let left = clock.count; left > 0; left -= 1) clock.step()
}

function runAll(): void {
  for (let steps = 0; steps < 10_000 && clock.step(); steps += 1);
}

function refuse(what: string): () => never {
  return () => {
    throw new Unsupported(what)
  }
}

function moment(at: unknown): number {
  return at instanceof Date ? at.getTime() : new Date(at as string | number).getTime()
}

/** `vi` and `jest`. */
function toolbox(): Bag {
  const box: Bag = {}
  /** Every tool gives the box back, so that calls can be chained. */
  const then = (_done: unknown) => box
  return Object.assign(box, {
    fn: makeSpy,
    spyOn,
    isMockFunction: (value: unknown) => typeof value === 'function' && 'mock' in value,
    mocked: (value: unknown) => value,
    restoreAllMocks: restoreAll,
    resetAllMocks: restoreAll,
    clearAllMocks: () => undefined,
    useFakeTimers: (options?: { now?: unknown }) => {
      clock.freeze(options?.now === undefined ? undefined : moment(options.now))
      return box
    },
    useRealTimers: () => then(clock.thaw()),
    isFakeTimers: () => clock.isManual,
    setSystemTime: (at: unknown) => then(clock.freeze(moment(at))),
    advanceTimersByTime: (ms: number) => then(clock.advance(ms)),
    advanceTimersToNextTimer: () => then(clock.step()),
    runAllTimers: () => then(runAll()),
    runOnlyPendingTimers: () => then(runPending()),
    advanceTimersByTimeAsync: asyncly((ms) => clock.advance(ms)),
    runAllTimersAsync: asyncly(runAll),
    runOnlyPendingTimersAsync: asyncly(runPending),
    getTimerCount: () => clock.count,
    clearAllTimers: () => clock.clearAll(),
    getMockedSystemTime: () => new Date(clock.now()),
    mock: refuse('a mocked module'),
    doMock: refuse('a mocked module'),
    unmock: refuse('a mocked module'),
    hoisted: (act: Act) => act(),
    stubGlobal: (name: string, value: unknown) => then(stubs.set(globalThis, name, value)),
    stubEnv: (name: string, value: unknown) => then(stubs.set(environment, name, value)),
    unstubAllGlobals: () => then(stubs.restore(globalThis)),
    unstubAllEnvs: () => then(stubs.restore(environment)),
    setConfig: () => undefined,
    setTimeout: () => box,
  })
}

function nodeTimers(): Bag {
  return {
    enable: (options?: { now?: unknown }) =>
      clock.freeze(options?.now === undefined ? undefined : moment(options.now)),
    tick: (ms = 1) => clock.advance(ms),
    runAll,
    setTime: (at: unknown) => clock.freeze(moment(at)),
    reset: () => clock.thaw(),
  }
}

/** Whatever is said of a type: it is the compiler's business, and at run time does nothing. */
const anyType: unknown = new Proxy(() => undefined, {
  get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : anyType),
  apply: () => anyType,
})

const nothing = () => Promise.resolve()

/** The argument of a test of node:test. */
export class NodeContext {
  readonly afters: Act[] = []
  readonly name = 'test'
  readonly test: Act
  readonly it: Act
  readonly beforeEach = refuse('a hook inside a test')
  readonly afterEach = refuse('a hook inside a test')
  readonly skip = nothing
  readonly todo = nothing
  readonly plan = nothing
  readonly diagnostic = nothing

  constructor(run: (act: Act) => Promise<void>) {
    const test = (...args: unknown[]) => {
      const act = args.find((arg) => typeof arg === 'function') as Act | undefined
      return act === undefined ? Promise.resolve() : run(act)
    }
    this.test = Object.assign(test, { skip: nothing, todo: nothing })
    this.it = this.test
  }

  get mock(): Bag {
    return { ...nodeMock(), timers: nodeTimers() }
  }

  get assert(): object {
    return makeAssert(true)
  }

  get signal(): AbortSignal {
    return new AbortController().signal
  }

  after(act: Act): void {
    this.afters.push(act)
  }

  before(act: Act): unknown {
    return act()
  }
}

/** The shims by the names they are asked for; a request that is not here means the real module. */
function makeWords(): ReadonlyMap<string, unknown> {
  const node: Bag = { ...declarers('node'), mock: { ...nodeMock(), timers: nodeTimers() } }
  // `import test from 'node:test'` gives the function itself, with the other words on it.
  const nodeTest = Object.assign(node.test as object, node)
  const vi = toolbox()
  const types = { expectTypeOf: () => anyType, assertType: () => undefined }
  const vitest = { ...declarers('vitest'), expect, vi, vitest: vi, assert: makeAssert(false), ...types }
  const jest = { ...declarers('jest'), expect, jest: vi }
  const assert = makeAssert(false)
  const strict = makeAssert(true)
  const promises = { setTimeout: sleepPromise, setImmediate: (value: unknown) => Promise.resolve(value) }
  const both = (name: string, value: unknown) => [[name, value] as const, [`node:${name}`, value] as const]
  const tap = makeTap()
  return new Map<string, unknown>([
    ['tape', tap],
    ['tap', tap],
    ...both('test', nodeTest),
    ['vitest', { __esModule: true, ...vitest }],
    ['@jest/globals', { __esModule: true, ...jest }],
    ['mocha', jest],
    ...both('assert', assert),
    ...both('assert/strict', strict),
    ...both('timers/promises', promises),
    ...both('timers', { ...timers, setImmediate, clearImmediate }),
  ])
}

/** `require('tape')` is the function, `require('tap')` has it as a word. */
function makeTap(): object {
  const test = makeDeclarer((name, act, how) => declareTap(current.collector, name, act, how))
  return Object.assign(test, {
    test,
    default: test,
    onFinish: () => undefined,
    onFailure: () => undefined,
    beforeEach: (act: Act) => current.collector?.hook('beforeEach', act),
    afterEach: (act: Act) => current.collector?.hook('afterEach', act),
    before: (act: Act) => current.collector?.hook('before', act),
    teardown: (act: Act) => current.collector?.hook('after', act),
  })
}

/** The words that jest, mocha and vitest with globals put everywhere. */
function makeGlobals(): Bag {
  const vi = toolbox()
  return { ...declarers('jest'), expect, vi, jest: vi, expectTypeOf: () => anyType }
}

let made: { words: ReadonlyMap<string, unknown>; globals: Bag } | null = null

/** From here on tests are declared to this collector. */
export function speakTo(collector: Collector): ReadonlyMap<string, unknown> {
  current.collector = collector
  made ??= { words: makeWords(), globals: makeGlobals() }
  Object.assign(globalThis, made.globals)
  return made.words
}
