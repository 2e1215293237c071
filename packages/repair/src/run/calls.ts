// Calls functions of the project with given arguments, each on modules of its own, and tells what came of it.
import vm from 'node:vm'
import { clock } from './clock.ts'
import { isExhausted } from './exhausted.ts'
import { Instances, Modules } from './modules.ts'
import type { CallResult, Limits, WireCall, WireModule } from './protocol.ts'
import { Hung, isThenable, settle } from './settle.ts'
import { showValue } from './show-value.ts'
import { Tank } from './tank.ts'

const NO_EDITS = new Map<number, never>()
const NO_WORDS = new Map<string, unknown>()

export class Caller {
  readonly #modules: Modules
  readonly #limits: Limits
  readonly #tank = new Tank()

  constructor(modules: readonly WireModule[], limits: Limits) {
    this.#modules = new Modules(modules, this.#tank)
    this.#limits = limits
  }

  /** Twice: what answers differently each time says nothing. */
  async call(call: WireCall): Promise<CallResult> {
    const first = await this.#once(call)
    if (first.is === 'none') return first
    const second = await this.#once(call)
    const isSame = second.is === first.is && second.text === first.text
    return isSame ? first : { is: 'none', why: 'it answers differently each time' }
  }

  async #once({ module, name, made, args }: WireCall): Promise<CallResult> {
    clock.reset()
    this.#tank.fill(this.#limits.fuel, this.#limits.cpuMs)
    let loaded: unknown
    try {
      loaded = new Instances(this.#modules, NO_EDITS, NO_WORDS).load(module)
    } catch (thrown) {
      return { is: 'none', why: `it cannot be loaded: ${wordsOf(thrown)}` }
    }
    const makes = made === undefined ? null : given(args.slice(0, made))
    return await this.#outcome(() => find(loaded, name, makes), given(args.slice(made ?? 0)))
  }

  async #outcome(found: () => unknown, args: unknown[]): Promise<CallResult> {
    try {
      const act = found()
      if (typeof act !== 'function') return { is: 'none', why: 'there is no such function' }
      const value: unknown = act(...args)
      if (isThenable(value)) await settle(value, this.#limits.testMs)
      const text = showValue(isThenable(value) ? await value : value)
      return this.#tank.isDry ? ENDLESS : { is: 'value', text }
    } catch (thrown) {
      if (this.#tank.isDry || isExhausted(thrown) || thrown instanceof Hung) return ENDLESS
      return { is: 'threw', text: wordsOf(thrown) }
    }
  }
}

const ENDLESS: CallResult = { is: 'none', why: 'it did not end in time' }

/** The arguments are written out in full by whoever asks, so that nothing of the project is in them. */
function given(args: readonly string[]): unknown[] {
  return new vm.Script(`([${args.join(',')}])`).runInThisContext() as unknown[]
}

function exported(exports: unknown, name: string): unknown {
  if (name === 'default' && typeof exports === 'function') return exports
  if ((typeof exports !== 'object' && typeof exports !== 'function') || exports === null) return undefined
  return (exports as Record<string, unknown>)[name]
}

/** A function that is exported, or a method: of a class, or of an object of it that is made for this call alone. */
function find(exports: unknown, name: string, makes: unknown[] | null): unknown {
  const [first = '', own] = name.split('.')
  const named = exported(exports, first) ?? exported(exported(exports, 'default'), first)
  if (own === undefined) return named
  if (makes !== null && typeof named !== 'function') return undefined
  const holder: unknown = makes === null ? named : Reflect.construct(named as () => unknown, makes)
  const method = exported(holder, own)
  return typeof method === 'function' ? method.bind(holder) : undefined
}

function wordsOf(thrown: unknown): string {
  return (thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : showValue(thrown)).slice(0, 500)
}
