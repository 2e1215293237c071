// The whole search, in turns that grow: a slice of single edits, pairs of those that mended different tests, and
// further edits on top of those that mended a part.
import type { Edit } from '../edits/edit.ts'
import { keyOf, wireEdits } from '../edits/edit.ts'
import type { Project } from '../project/load.ts'
import type { Plan, TestResult } from '../run/protocol.ts'
import { FUEL, observeEdited } from './baseline.ts'
import { type Base, Bases } from './bases.ts'
import type { Budget } from './budget.ts'
import { byWorth, collides, pairs } from './pairs.ts'
import type { PoolVerdict } from './pool.ts'
import { type Candidate, type Found, type RoundResult, runRound } from './round.ts'

export interface SearchOptions {
  readonly project: Project
  readonly scratch: string
  readonly workers: number
  readonly failing: readonly TestResult[]
  readonly passing: readonly TestResult[]
  readonly edits: readonly Edit[]
  readonly budget: Budget
  readonly signal?: AbortSignal | undefined
  /** The edits for what still fails after others were taken. */
  editsFor?(failing: readonly TestResult[], passing: readonly TestResult[]): readonly Edit[]
  onTried?(edit: Edit, verdict: PoolVerdict): void
  onStage?(stage: 'search' | 'combine'): void
  onGreen?(found: Found): void
}

export interface SearchResult {
  /** Every one turns all failing tests green. */
  readonly green: readonly Found[]
  readonly partial: readonly Found[]
}

/** Single edits before what they mended is taken together, turn by turn; the last one is for all further turns. */
const SLICES = [200, 300, 500, 1_000, 1_500, 2_000]
/** From this turn on, as many as so far in a turn are built on what mended a part. */
const BUILD_FROM = 2
const BUILD_MIN = 1_000
/** Every so many turns it is not the best one that is built upon. */
const OTHERS_EVERY = 3
const SECOND_EDITS_MAX = 4_000
const FUEL_MIN = 100_000
const FUEL_MAX = 20_000_000

export async function search(options: SearchOptions): Promise<SearchResult> {
  return await new Search(options).run()
}

class Search {
  readonly #options: SearchOptions
  readonly #green: Found[] = []
  readonly #partial: Found[] = []
  readonly #paired = new Set<string>()
  readonly #bases = new Bases()
  #from = 0

  constructor(options: SearchOptions) {
    this.#options = options
  }

  async run(): Promise<SearchResult> {
    const { budget } = this.#options
    for (let turn = 0; !budget.isOver; turn += 1) {
      const slice = SLICES[Math.min(turn, SLICES.length - 1)] ?? 0
      let tried = await this.#singles(slice)
      tried += await this.#pairs(slice / 2)
      // Once something is green, what is looked for is smaller.
      if (turn >= BUILD_FROM && this.#green.length === 0)
        tried += await this.#upon(Math.max(BUILD_MIN, slice), turn % OTHERS_EVERY === 0)
      if (tried === 0) break
    }
    return { green: this.#green, partial: byWorth(this.#partial) }
  }

  async #singles(count: number): Promise<number> {
    const { edits, failing, onStage } = this.#options
    onStage?.('search')
    const slice = edits.slice(this.#from, this.#from + count).map((edit) => [edit])
    this.#from += slice.length
    const { green, partial } = await this.#try(slice, failing)
    this.#green.push(...green)
    this.#partial.push(...partial)
    return slice.length
  }

  /** What mended different parts, taken together. */
  async #pairs(max: number): Promise<number> {
    const { failing, onStage } = this.#options
    const made = pairs(this.#partial, failing.length).map((edits) => ({ edits, key: keyOfAll(edits) }))
    const fresh = made.filter(({ key }) => !this.#paired.has(key)).slice(0, max)
    for (const { key } of fresh) this.#paired.add(key)
    if (fresh.length === 0) return 0
    onStage?.('combine')
    const { green } = await this.#try(
      fresh.map(({ edits }) => edits),
      failing,
    )
    this.#green.push(...green)
    return fresh.length
  }

  /** One more edit on top of what mended a part: the best one, or for a change the one that was least tried. */
  async #upon(size: number, forChange: boolean): Promise<number> {
    const { onStage } = this.#options
    const found = this.#bases.choose(this.#partial, forChange)
    if (found === null) return 0
    onStage?.('combine')
    const base = this.#bases.get(found) ?? this.#bases.put(found, await this.#open(found))
    // A test that only came further says less than one that passes.
    const slice = base.candidates.slice(base.next, base.next + (found.fixed.length > 0 ? size : size / 2))
    base.next += slice.length
    const { green, partial } = await this.#try(slice, base.left)
    this.#green.push(...green)
    for (const more of partial) this.#partial.push({ ...more, fixed: [...found.fixed, ...more.fixed] })
    return Math.max(1, slice.length)
  }

  /** Looks anew at what is suspicious, because tests that came further run other code. */
  async #open(found: Found): Promise<Base> {
    const { project, scratch, signal, failing, passing, edits, editsFor } = this.#options
    const seen = await observeEdited(project, scratch, found.edits.flatMap(wireEdits), signal)
    const known = new Set([...failing, ...passing].map((test) => test.key))
    const tests = seen?.filter((test) => known.has(test.key)) ?? []
    const failed = tests.filter((test) => test.is === 'failed')
    const passed = tests.filter((test) => test.is === 'passed')
    const left = failed.length > 0 ? failed : failing.filter((test) => !found.fixed.includes(test.key))
    const fresh = (failed.length > 0 ? editsFor?.(failed, passed) : undefined) ?? edits
    const fitting = fresh
      .slice(0, SECOND_EDITS_MAX)
      .filter((edit) => found.edits.every((taken) => !collides(taken, edit)))
    return { left, candidates: fitting.map((edit) => [...found.edits, edit]), next: 0 }
  }

  async #try(candidates: readonly Candidate[], left: readonly TestResult[]): Promise<RoundResult> {
    return await runRound(roundOf(this.#options, candidates, left))
  }
}

function keyOfAll(edits: Candidate): string {
  return edits.map(keyOf).sort().join('\n')
}

function roundOf(options: SearchOptions, candidates: readonly Candidate[], left: readonly TestResult[]) {
  const { project, scratch, workers, failing, passing, budget, onTried, onGreen } = options
  const wanted = new Set(left.map((test) => test.key))
  const mended = failing.filter((test) => !wanted.has(test.key))
  const plan: Plan = {
    failing: left.map((test) => test.key),
    steps: left.map((test) => test.steps),
    passing: [...passing, ...mended].map((test) => test.key),
    reach: reachOf(project),
  }
  const all = [...failing, ...passing]
  // What ran dry says nothing of how much a sound run takes.
  const taken = all.map((test) => test.fuel).filter((used) => used < FUEL)
  const fuel = Math.min(FUEL_MAX, Math.max(FUEL_MIN, 10 * Math.max(0, ...taken)))
  const ms = all.filter((test) => test.fuel < FUEL).reduce((sum, test) => sum + test.ms, 0)
  return {
    project,
    scratch,
    workers,
    candidates,
    plan,
    limits: { fuel, testMs: 1_500 },
    silenceMs: Math.min(60_000, 5_000 + 10 * ms),
    budget,
    ...(onTried === undefined ? {} : { onTried }),
    ...(onGreen === undefined ? {} : { onGreen }),
  }
}

/** The test modules from which each module is reached. */
export function reachOf(project: Project): Record<number, number[]> {
  const reach: Record<number, number[]> = {}
  for (const test of project.tests) {
    const seen = new Set<number>()
    const visit = (index: number): void => {
      if (seen.has(index)) return
      seen.add(index)
      for (const target of Object.values(project.files[index]?.requests ?? {})) {
        if (typeof target === 'number') visit(target)
      }
    }
    visit(test)
    for (const index of seen) reach[index] = [...(reach[index] ?? []), test]
  }
  return reach
}
