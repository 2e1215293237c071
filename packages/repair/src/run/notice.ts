// Runs the passing tests on a planted fault, and tells how they notice it.
import { type Ran, TestFile } from './execute.ts'
import { isExhausted } from './exhausted.ts'
import { Mismatch } from './mismatch.ts'
import { Modules } from './modules.ts'
import {
  type Limits,
  LOADING,
  type Noticed,
  type Plan,
  type WireCandidate,
  type WireModule,
} from './protocol.ts'
import { Hung } from './settle.ts'
import { Tank } from './tank.ts'

const NOT_AT_ALL: Noticed = { is: 'noticed', how: 'not_at_all', by: null }

export class Noticer {
  readonly #modules: Modules
  readonly #limits: Limits
  readonly #tank = new Tank()
  #passing: ReadonlySet<string> = new Set()
  #reach: Plan['reach'] = {}
  #fuel: Plan['fuel'] = {}

  constructor(modules: readonly WireModule[], limits: Limits) {
    this.#modules = new Modules(modules, this.#tank)
    this.#limits = limits
  }

  plan({ passing, reach, fuel }: Plan): void {
    this.#passing = new Set(passing)
    this.#reach = reach
    this.#fuel = fuel
  }

  /** An assertion counts for more than an error, and that for more than a run without an end: all tests are asked. */
  async notice(candidate: WireCandidate): Promise<Noticed | { readonly is: 'invalid' }> {
    let edited: ReturnType<Modules['edited']>
    try {
      edited = this.#modules.edited(candidate.edits)
    } catch {
      return { is: 'invalid' }
    }
    let best = NOT_AT_ALL
    for (const module of new Set(candidate.edits.flatMap((edit) => this.#reach[edit.module] ?? []))) {
      best = better(best, await this.#inFile(module, edited))
      if (best.how === 'assertion') return best
    }
    return best
  }

  async #inFile(module: number, edited: ReturnType<Modules['edited']>): Promise<Noticed> {
    const file = new TestFile(module, this.#modules, edited, this.#limits)
    if (file.fault !== null) return this.#noticed(file.fault, LOADING)
    let best = NOT_AT_ALL
    for (const test of file.tests) {
      if (test.is === 'skipped' || !this.#passing.has(test.key)) continue
      const ran = await file.run(test, this.#fuel[test.key] ?? this.#limits.fuel)
      if (ran.is === 'failed') best = better(best, this.#noticed(ran, test.name))
      if (best.how === 'assertion') break
    }
    await file.finish()
    return best
  }

  #noticed({ is, thrown }: Ran, by: string): Noticed {
    if (is === 'left') return NOT_AT_ALL
    if (this.#tank.isDry || isExhausted(thrown) || thrown instanceof Hung)
      return { is: 'noticed', how: 'time', by }
    return { is: 'noticed', how: isAssertion(thrown) ? 'assertion' : 'error', by }
  }
}

const RANK: readonly Noticed['how'][] = ['not_at_all', 'time', 'error', 'assertion']

function better(one: Noticed, other: Noticed): Noticed {
  return RANK.indexOf(other.how) > RANK.indexOf(one.how) ? other : one
}

/** Ours, or one of a library that the tests bring along. */
function isAssertion(thrown: unknown): boolean {
  if (thrown instanceof Mismatch) return true
  const { name, code } = (thrown ?? {}) as { name?: unknown; code?: unknown }
  return code === 'ERR_ASSERTION' || name === 'AssertionError'
}
