// The words of tape and tap: one argument that compares, plans and ends, and tests inside of tests.

import { makeAssert } from './assert.ts'
import type { Act, Collector, How } from './collect.ts'
import { equals } from './equals.ts'
import { held, Mismatch, Unsupported } from './mismatch.ts'

type Checks = Record<string, Act>

const { deepStrictEqual, notDeepStrictEqual, strictEqual, notStrictEqual, match, doesNotMatch, ...others } =
  makeAssert(true) as unknown as Checks
const {
  equal: looseEqual,
  notEqual: notLooseEqual,
  deepEqual: looseDeep,
  notDeepEqual: notLooseDeep,
} = makeAssert(false) as unknown as Checks

/** `match` of tap takes a pattern for a text, or an object of which the value has at least the parts. */
const like: Act = (actual, wanted, message) => {
  if (wanted instanceof RegExp) return match?.(String(actual), wanted, message)
  if (!equals(actual, wanted, 'subset')) throw new Mismatch('match', actual, wanted, message)
  held.count += 1
}

const ofType: Act = (actual, wanted, message) => {
  const is = typeof wanted === 'function' ? actual instanceof wanted : isOfName(actual, String(wanted))
  if (!is) throw new Mismatch('type', actual, wanted, message)
  held.count += 1
}

function isOfName(value: unknown, name: string): boolean {
  return typeof value === name || (value as object | null)?.constructor?.name === name
}

/** With the text that the runners print where the test gives none. */
const WORDS: readonly (readonly [names: string, check: Act | undefined, says: string, texts: number])[] = [
  ['ok true assert', others.ok, 'should be truthy', 1],
  ['equal equals is isEqual strictEqual strictEquals', strictEqual, 'should be strictly equal', 2],
  [
    'notEqual not isNot notEquals isNotEqual notStrictEqual',
    notStrictEqual,
    'should not be strictly equal',
    2,
  ],
  ['looseEqual looseEquals', looseEqual, 'should be loosely equal', 2],
  ['notLooseEqual notLooseEquals', notLooseEqual, 'should not be loosely equal', 2],
  ['deepEqual deepEquals isEquivalent strictSame', deepStrictEqual, 'should be deeply equivalent', 2],
  [
    'notDeepEqual notDeepEquals notEquivalent notStrictSame',
    notDeepStrictEqual,
    'should not be deeply equivalent',
    2,
  ],
  ['deepLooseEqual same', looseDeep, 'should be loosely deeply equivalent', 2],
  ['notDeepLooseEqual notSame', notLooseDeep, 'should not be loosely deeply equivalent', 2],
  ['throws throw', others.throws, 'should throw', 2],
  ['doesNotThrow notThrow', others.doesNotThrow, 'should not throw', 2],
  ['match', like, 'should match', 2],
  ['doesNotMatch notMatch', doesNotMatch, 'should not match', 2],
  ['has hasStrict', like, 'should have', 2],
  ['type isa isA', ofType, 'should be of the type', 2],
  ['error ifError ifErr iferror', others.ifError, 'should not be an error', 1],
]

const CHECKS = new Map(
  WORDS.flatMap(([names, check, says, texts]) =>
    names.split(' ').map((name) => [name, { check, says, texts }] as const),
  ),
)

/** What a test of tape or tap is given. Its checks do not throw: the first that did not hold is told at the end. */
export class TapContext {
  readonly #inner: (name: string, act: Act) => void
  readonly #ended = Promise.withResolvers<void>()
  readonly afters: Act[] = []
  #fault: unknown = null
  #planned: number | null = null
  #checked = 0

  constructor(inner: (name: string, act: Act) => void) {
    this.#inner = inner
  }

  get fault(): unknown {
    return this.#fault
  }

  /** Resolves when the test said that it is over. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  get waits(): boolean {
    return this.#planned !== null
  }

  /** The object that the test sees; a word that is not known here is left to the real runner. */
  words(): object {
    const own: Record<string, unknown> = {
      end: (error?: unknown) => {
        if (error !== undefined && error !== null) this.#note(error)
        this.#ended.resolve()
      },
      plan: (count: number) => {
        this.#planned = count
        if (count <= this.#checked) this.#ended.resolve()
      },
      pass: () => this.#check(() => undefined),
      fail: (message: unknown) => this.#check(() => fault(message)),
      notOk: (value: unknown, message: unknown) => this.#check(() => refuse(value, message)),
      test: (...args: unknown[]) => {
        const act = args.find((arg) => typeof arg === 'function') as Act | undefined
        if (act !== undefined) this.#inner(String(args[0]), act)
        this.#count()
        return Promise.resolve()
      },
      rejects: async (act: unknown, ...rest: unknown[]) =>
        this.#later(async () => await others.rejects?.(act, ...rest)),
      resolves: async (act: unknown) =>
        this.#later(async () => await (typeof act === 'function' ? act() : act)),
      teardown: (act: Act) => this.afters.push(act),
      context: {},
    }
    for (const name of ['false', 'notok', 'assertNot']) own[name] = own.notOk
    for (const name of ['tearDown', 'after', 'onFinish']) own[name] = own.teardown
    for (const name of ['comment', 'timeoutAfter', 'setTimeout', 'diagnostic', 'skip'])
      own[name] = () => undefined
    for (const [name, { check, says, texts }] of CHECKS) {
      own[name] = (...args: unknown[]) => this.#check(() => check?.(...worded(args, says, texts)))
    }
    return new Proxy(own, {
      get: (words, name) => {
        if (typeof name === 'symbol' || name in words || name === 'then') return Reflect.get(words, name)
        throw new Unsupported(`t.${name}`)
      },
    })
  }

  #check(act: () => unknown): boolean {
    let holds = true
    try {
      act()
    } catch (thrown) {
      holds = false
      this.#note(thrown)
    }
    this.#count()
    return holds
  }

  async #later(act: () => Promise<unknown>): Promise<void> {
    try {
      await act()
      held.count += 1
    } catch (thrown) {
      this.#note(thrown)
    }
    this.#count()
  }

  #count(): void {
    this.#checked += 1
    if (this.#planned !== null && this.#checked >= this.#planned) this.#ended.resolve()
  }

  #note(thrown: unknown): void {
    this.#fault ??= thrown
  }
}

function worded(args: readonly unknown[], says: string, texts: number): unknown[] {
  const padded = [...args]
  while (padded.length < texts) padded.push(undefined)
  return typeof padded[texts] === 'string' ? padded : [...padded.slice(0, texts), says]
}

function fault(message: unknown): never {
  throw new Mismatch('fail', undefined, undefined, message ?? 'fail')
}

function refuse(value: unknown, message: unknown): void {
  if (value) throw new Mismatch('notOk', value, false, message ?? 'should be falsy')
  held.count += 1
}

/** A test whose parts are tests is a suite, if they are declared at once; its own checks are a test besides. */
export function declareTap(collector: Collector | null, name: unknown, act: Act | undefined, how: How): void {
  if (collector === null) return
  const isSuite = act !== undefined && act.constructor.name === 'Function' && /\.test\(/.test(String(act))
  if (!isSuite) {
    collector.test('tap', name, act, how)
    return
  }
  collector.describe(
    name,
    () => {
      const context = new TapContext((inner, own) => declareTap(collector, inner, own, 'plain'))
      act(context.words())
      collector.test('tap', '(its own checks)', () => reportOf(context), 'plain')
    },
    how,
  )
}

function reportOf({ fault: found }: TapContext): void {
  if (found !== null) throw found
}
