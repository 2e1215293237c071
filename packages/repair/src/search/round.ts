// One round of the search: candidates of one or more edits, best first, until the budget is used.
import { type Edit, wireEdits } from '../edits/edit.ts'
import type { Plan, WireCandidate } from '../run/protocol.ts'
import type { Budget } from './budget.ts'
import type { Pool, PoolVerdict } from './pool.ts'

export interface CandidateResult {
  readonly edits: readonly Edit[]
  /** Keys of the failing tests that pass now. */
  readonly fixed: readonly string[]
  /** How many others came further than before; a value that came nearer is a part of one. */
  readonly advanced: number
  /** How many candidates had been tried. */
  readonly after: number
}

export type Candidate = readonly Edit[]

export interface RoundOptions {
  readonly pool: Pool
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
  const { candidates, budget, plan, pool } = options
  const green: CandidateResult[] = []
  const partial = new Map<number, CandidateResult>()
  const places = new Map(plan.failing.map((key, index) => [key, index]))
  let given = 0
  const next = (count: number): WireCandidate[] => {
    const taken: WireCandidate[] = []
    while (taken.length < count && given < candidates.length && !budget.isOver) {
      const edits = candidates[given] ?? []
      taken.push({ id: given, edits: edits.flatMap(wireEdits), tests: noticing(edits, places) })
      given += 1
    }
    return taken
  }
  const heard = (id: number, verdict: PoolVerdict): void => {
    const edits = candidates[id]
    const edit = edits?.at(-1)
    if (edits === undefined || edit === undefined) return
    budget.count(edit)
    options.onTried?.(edit, verdict)
    if (verdict.is !== 'ran' || !isProgress(verdict)) return
    const fixed = verdict.fixed.flatMap((index) => plan.failing[index] ?? [])
    const found = { edits, fixed, advanced: verdict.advanced, after: budget.tried }
    if (verdict.green) {
      green.push(found)
      budget.foundGreen(edits.length)
      options.onGreen?.(found)
    } else partial.set(id, found)
  }
  await pool.run({ plan, next, heard })
  // As they were handed out: which worker was faster must not matter.
  const inOrder = [...partial].sort(([a], [b]) => a - b).map(([, found]) => found)
  return { green, partial: inOrder }
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
