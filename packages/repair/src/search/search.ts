// The whole search, in turns that grow: a slice of single edits, pairs of those that mended different tests, and
// further edits on top of those that mended a part.
import type { Scratch } from '../confined.ts'
import { type Edit, wireEdits } from '../edits/edit.ts'
import type { Project } from '../project/load.ts'
import type { TestResult } from '../run/protocol.ts'
import { loadMessage, observeEdited } from './baseline.ts'
import { type Base, Bases } from './bases.ts'
import type { Budget } from './budget.ts'
import { byWorth, collides, pairs } from './pairs.ts'
import { limitsFor, planFor } from './plan.ts'
import { byLikelihood, choicesOf, crossed, keyOfAll } from './polish.ts'
import { Pool, type PoolVerdict } from './pool.ts'
import { type Candidate, type CandidateResult, type RoundResult, runRound } from './round.ts'

export interface SearchOptions {
  readonly project: Project
  readonly scratch: Scratch
  readonly workers: number
  readonly failing: readonly TestResult[]
  readonly passing: readonly TestResult[]
  readonly edits: readonly Edit[]
  /** Further ones when these are tried; none: that were all. */
  moreEdits?(): Promise<readonly Edit[]>
  readonly budget: Budget
  readonly signal?: AbortSignal | undefined
  /** The edits for what still fails after others were taken. */
  editsFor?(
    failing: readonly TestResult[],
    passing: readonly TestResult[],
  ): readonly Edit[] | Promise<readonly Edit[]>
  onTried?(edit: Edit, verdict: PoolVerdict): void
  onStage?(stage: 'search' | 'combine'): void
  onGreen?(found: CandidateResult): void
}

export interface SearchResult {
  /** Every one turns all failing tests green. */
  readonly green: readonly CandidateResult[]
  readonly partial: readonly CandidateResult[]
}

/** Single edits before what they mended is taken together, turn by turn; the last one is for all further turns. */
const SLICES = [200, 300, 500, 1_000, 1_500, 2_000]
/** From this turn on, as many as so far in a turn are built on what mended a part. */
const BUILD_FROM = 2
const BUILD_MIN = 1_000
/** The same where nothing but a value came nearer, which says little. */
const BUILD_ON_NEARER_FROM = 4
/** Every so many turns it is not the best one that is built upon. */
const OTHERS_EVERY = 3
const SECOND_EDITS_MAX = 4_000
/** Edits that are tried in the place of one of several. */
const INSTEAD_MAX = 800

export async function search(options: SearchOptions): Promise<SearchResult> {
  return await new Search(options).run()
}

class Search {
  readonly #options: SearchOptions
  readonly #pool: Pool
  readonly #green = new Map<string, CandidateResult>()
  readonly #partial: CandidateResult[] = []
  readonly #paired = new Set<string>()
  readonly #bases = new Bases()
  readonly #edits: Edit[]
  #from = 0
  #polished = false

  constructor(options: SearchOptions) {
    const { project, scratch, workers } = options
    const { limits, silenceMs } = limitsFor(options)
    const place = { root: project.root, scratch, confined: true }
    this.#options = options
    this.#edits = [...options.edits]
    this.#pool = new Pool({
      place,
      workers,
      silenceMs,
      greeting: [loadMessage(project, limits, { hasNetwork: scratch.hasOwnNetwork === true })],
    })
  }

  async run(): Promise<SearchResult> {
    const unwatch = this.#options.budget.onOver(() => this.#pool.stop())
    try {
      await this.#turns()
    } finally {
      unwatch()
      this.#pool.stop()
    }
    return { green: [...this.#green.values()], partial: byWorth(this.#partial.filter(isTelling)) }
  }

  async #turns(): Promise<void> {
    for (let turn = 0; !this.#options.budget.isOver; turn += 1) {
      const slice = SLICES[Math.min(turn, SLICES.length - 1)] ?? 0
      const singles = await this.#singles(slice)
      let tried = singles + (await this.#pairs(slice / 2))
      const isDue = turn >= (this.#partial.some(isTelling) ? BUILD_FROM : BUILD_ON_NEARER_FROM)
      // Once something is green, what is looked for is smaller.
      if ((isDue || singles === 0) && this.#green.size === 0)
        tried += await this.#upon(Math.max(BUILD_MIN, slice), turn % OTHERS_EVERY === 0)
      if (this.#green.size > 0) await this.#polish()
      if (tried === 0) break
    }
  }

  async #singles(count: number): Promise<number> {
    const { failing, onStage, moreEdits } = this.#options
    onStage?.('search')
    if (this.#from + count > this.#edits.length) this.#edits.push(...((await moreEdits?.()) ?? []))
    const slice = this.#edits.slice(this.#from, this.#from + count).map((edit) => [edit])
    this.#from += slice.length
    const { partial } = await this.#try(slice, failing)
    this.#partial.push(...partial)
    return slice.length
  }

  /** Tries edits together that mended different parts. */
  async #pairs(max: number): Promise<number> {
    const { failing, onStage } = this.#options
    const made = pairs(this.#partial, failing.length).map((edits) => ({ edits, key: keyOfAll(edits) }))
    const fresh = made.filter(({ key }) => !this.#paired.has(key)).slice(0, max)
    for (const { key } of fresh) this.#paired.add(key)
    if (fresh.length === 0) return 0
    onStage?.('combine')
    await this.#try(
      fresh.map(({ edits }) => edits),
      failing,
    )
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
    const { partial } = await this.#try(slice, base.left)
    for (const more of partial) this.#partial.push({ ...more, fixed: [...found.fixed, ...more.fixed] })
    return Math.max(1, slice.length)
  }

  /** Others in the place of each of several edits that are green together. */
  async #polish(): Promise<void> {
    const { onStage, budget } = this.#options
    const [best] = byLikelihood([...this.#green.values()])
    if (this.#polished || best === undefined || best.edits.length < 2) return
    this.#polished = true
    onStage?.('combine')
    const choices: Edit[][] = []
    for (const old of best.edits) {
      if (budget.isOver) return
      const base = await this.#open({ ...best, edits: best.edits.filter((edit) => edit !== old), fixed: [] })
      const { green } = await this.#try(base.candidates.slice(0, INSTEAD_MAX), base.left)
      choices.push(choicesOf(green, old, best.edits.length))
    }
    await this.#try(crossed(choices, new Set(this.#green.keys())), this.#options.failing)
  }

  /** Looks anew at what is suspicious, because tests that came further run other code. */
  async #open(found: CandidateResult): Promise<Base> {
    const { project, scratch, signal, failing, passing, editsFor } = this.#options
    const seen = await observeEdited(project, scratch, found.edits.flatMap(wireEdits), signal)
    const known = new Set([...failing, ...passing].map((test) => test.key))
    const tests = seen?.filter((test) => known.has(test.key)) ?? []
    const failed = tests.filter((test) => test.is === 'failed')
    const passed = tests.filter((test) => test.is === 'passed')
    const left = failed.length > 0 ? failed : failing.filter((test) => !found.fixed.includes(test.key))
    const fresh = (failed.length > 0 ? await editsFor?.(failed, passed) : undefined) ?? this.#edits
    const fitting = fresh
      .slice(0, SECOND_EDITS_MAX)
      .filter((edit) => found.edits.every((taken) => !collides(taken, edit)))
    return { left, candidates: fitting.map((edit) => [...found.edits, edit]), next: 0 }
  }

  async #try(candidates: readonly Candidate[], left: readonly TestResult[]): Promise<RoundResult> {
    const { project, budget, onTried, onGreen } = this.#options
    const tried = await runRound({
      pool: this.#pool,
      candidates,
      plan: planFor(project, this.#options, left),
      budget,
      ...(onTried === undefined ? {} : { onTried }),
      ...(onGreen === undefined ? {} : { onGreen }),
    })
    for (const found of tried.green) this.#green.set(keyOfAll(found.edits), found)
    return tried
  }
}

/** A test passes or comes further than before. */
function isTelling({ fixed, advanced }: CandidateResult): boolean {
  return fixed.length > 0 || advanced >= 1
}
