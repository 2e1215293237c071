// One round of the search: candidates of one or more edits, best first, until the budget is used. They end in any
// order, and count in the order in which they were handed out: which process is faster must not matter.
import { type Edit, wireEdits } from '../edits/edit.ts'
import type { Plan, WireCandidate } from '../run/protocol.ts'
import type { Budget } from './budget.ts'
import type { Heard, Pool, PoolVerdict } from './pool.ts'

export interface CandidateResult {
  readonly edits: readonly Edit[]
  /** Keys of the failing tests that pass now. */
  readonly fixed: readonly string[]
  /** How many others came further than before; a value that came nearer is a part of one. */
  readonly advanced: number
  /** Its place among all candidates that were tried. */
  readonly after: number
}

export type Candidate = readonly Edit[]

export interface RoundOptions {
  readonly pool: Pick<Pool, 'run'>
  /** Best first; the last edit of each is the one that is tried. */
  readonly candidates: readonly Candidate[]
  readonly plan: Plan
  readonly budget: Budget
  onTried?(edit: Edit, verdict: PoolVerdict): void
  onGreen?(found: CandidateResult): void
}

export interface RoundResult {
  readonly green: readonly CandidateResult[]
  readonly partial: readonly CandidateResult[]
}

export async function runRound(options: RoundOptions): Promise<RoundResult> {
  const round = new Round(options)
  await options.pool.run(round)
  round.close()
  return { green: round.green, partial: round.partial }
}

class Round {
  readonly plan: Plan
  readonly green: CandidateResult[] = []
  readonly partial: CandidateResult[] = []
  readonly #options: RoundOptions
  readonly #places: ReadonlyMap<string, number>
  /** Verdicts of candidates before which others are still at work. */
  readonly #early = new Map<number, Heard>()
  #given = 0
  #counted = 0

  constructor(options: RoundOptions) {
    this.plan = options.plan
    this.#options = options
    this.#places = new Map(options.plan.failing.map((key, index) => [key, index]))
  }

  next(count: number): WireCandidate[] {
    const { candidates, budget } = this.#options
    const room = budget.isOver ? 0 : budget.left - (this.#given - this.#counted)
    const taken = candidates.slice(this.#given, this.#given + Math.max(0, Math.min(count, room)))
    const from = this.#given
    this.#given += taken.length
    return taken.map((edits, at) => {
      return { id: from + at, edits: edits.flatMap(wireEdits), tests: noticing(edits, this.#places) }
    })
  }

  heard(id: number, heard: Heard): void {
    this.#early.set(id, heard)
    for (;;) {
      const due = this.#early.get(this.#counted)
      if (due === undefined || this.#options.budget.isOver) return
      this.#count(this.#counted, due)
    }
  }

  /** What was cut off in the middle counts without those that were never heard of. */
  close(): void {
    for (const [id, heard] of [...this.#early].sort(([a], [b]) => a - b)) {
      if (this.#options.budget.left <= 0) return
      this.#count(id, heard)
    }
  }

  #count(id: number, { verdict, cpuMs }: Heard): void {
    const { candidates, plan, budget, onTried, onGreen } = this.#options
    this.#early.delete(id)
    this.#counted = id + 1
    const edits = candidates[id]
    const edit = edits?.at(-1)
    if (edits === undefined || edit === undefined) return
    budget.count(edit, cpuMs)
    onTried?.(edit, verdict)
    if (verdict.is !== 'ran' || !isProgress(verdict)) return
    const fixed = verdict.fixed.flatMap((index) => plan.failing[index] ?? [])
    const found = { edits, fixed, advanced: verdict.advanced, after: budget.tried }
    if (verdict.green) {
      this.green.push(found)
      budget.foundGreen(edits.length)
      onGreen?.(found)
    } else this.partial.push(found)
  }
}

/** Something passes or came further, and nothing is broken. */
function isProgress({ fixed, advanced, broken }: Extract<PoolVerdict, { is: 'ran' }>): boolean {
  return broken === 0 && fixed.length + advanced > 0
}

/** A single edit shows only in the tests that run it; several together may lead a test to new places. */
function noticing(edits: Candidate, places: ReadonlyMap<string, number>): number[] {
  const [only, ...more] = edits
  if (only === undefined || more.length > 0) return []
  return only.tests.flatMap((key) => places.get(key) ?? [])
}
