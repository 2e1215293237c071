// One round of the search: candidates of one or more edits, best first, until the budget is used.
import { type Edit, wireEdits } from '../edits/edit.ts'
import type { Project } from '../project/load.ts'
import type { Plan, WireCandidate } from '../run/protocol.ts'
import { loadMessage } from './baseline.ts'
import type { Budget } from './budget.ts'
import { Pool, type PoolVerdict } from './pool.ts'

export interface Found {
  readonly edits: readonly Edit[]
  /** Keys of the failing tests that pass now. */
  readonly fixed: readonly string[]
  /** How many others came further than before. */
  readonly advanced: number
  /** How many candidates had been tried. */
  readonly after: number
}

export type Candidate = readonly Edit[]

export interface RoundOptions {
  readonly project: Project
  readonly scratch: string
  readonly workers: number
  /** Best first; the last edit of each is the one that is tried. */
  readonly candidates: readonly Candidate[]
  readonly plan: Plan
  readonly limits: { readonly fuel: number; readonly testMs: number }
  readonly silenceMs: number
  readonly budget: Budget
  onTried?(edit: Edit, verdict: PoolVerdict): void
  onGreen?(found: Found): void
}

export interface RoundResult {
  readonly green: readonly Found[]
  readonly partial: readonly Found[]
}

export async function runRound(options: RoundOptions): Promise<RoundResult> {
  const { candidates, budget, plan } = options
  const green: Found[] = []
  const partial = new Map<number, Found>()
  const places = new Map(plan.failing.map((key, index) => [key, index]))
  let next = 0
  const take = (count: number): WireCandidate[] => {
    const taken: WireCandidate[] = []
    while (taken.length < count && next < candidates.length && !budget.isOver) {
      const edits = candidates[next] ?? []
      const tests = noticing(edits, places)
      taken.push({ id: next, edits: edits.flatMap(wireEdits), tests })
      next += 1
    }
    return taken
  }
  const heard = (id: number, verdict: PoolVerdict): void => {
    const edits = candidates[id]
    const edit = edits?.at(-1)
    if (edits === undefined || edit === undefined) return
    budget.count(edit)
    options.onTried?.(edit, verdict)
    if (verdict.is !== 'ran' || verdict.fixed.length + verdict.advanced === 0 || verdict.broken > 0) return
    const fixed = verdict.fixed.flatMap((index) => plan.failing[index] ?? [])
    const found = { edits, fixed, advanced: verdict.advanced, after: budget.tried }
    if (verdict.green) {
      green.push(found)
      budget.foundGreen(edits.length)
      options.onGreen?.(found)
    } else partial.set(id, found)
  }
  const { project, scratch, limits, workers, silenceMs } = options
  const place = { root: project.root, scratch, confined: true }
  const greeting = [loadMessage(project, limits), { is: 'plan', plan } as const]
  const pool = new Pool({ place, workers, silenceMs, greeting, next: take, heard })
  const unwatch = budget.onOver(() => pool.stop())
  await pool.run()
  unwatch()
  // As they were handed out: which worker was faster must not matter.
  const inOrder = [...partial].sort(([a], [b]) => a - b).map(([, found]) => found)
  return { green, partial: inOrder }
}

/** A single edit shows only in the tests that run it; several together may lead a test to new places. */
function noticing(edits: Candidate, places: ReadonlyMap<string, number>): number[] {
  const [only, ...more] = edits
  if (only === undefined || more.length > 0) return []
  return only.tests.flatMap((key) => places.get(key) ?? [])
}
