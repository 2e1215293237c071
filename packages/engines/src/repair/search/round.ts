// One round of the search: single edits on top of what is already taken, best first, until the budget is used.
import { type Edit, wireEdits } from '../edits/edit.ts'
import type { Project } from '../project/load.ts'
import type { Plan, WireCandidate } from '../run/protocol.ts'
import { loadMessage } from './baseline.ts'
import type { Budget } from './budget.ts'
import { Pool, type PoolVerdict } from './pool.ts'

export interface Found {
  readonly edits: readonly Edit[]
  /** Places in the round's list of failing tests. */
  readonly fixed: readonly number[]
  /** How many candidates had been tried. */
  readonly after: number
}

export interface RoundOptions {
  readonly project: Project
  readonly scratch: string
  readonly workers: number
  /** Edits that every candidate has. */
  readonly base: readonly Edit[]
  /** Best first. */
  readonly edits: readonly Edit[]
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
  const { edits, base, budget } = options
  const green: Found[] = []
  const partial: Found[] = []
  const shared = base.flatMap(wireEdits)
  let next = 0
  const take = (count: number): WireCandidate[] => {
    const taken: WireCandidate[] = []
    while (taken.length < count && next < edits.length && !budget.isOver) {
      const edit = edits[next]
      if (edit !== undefined) taken.push({ id: next, edits: [...shared, ...wireEdits(edit)] })
      next += 1
    }
    return taken
  }
  const heard = (id: number, verdict: PoolVerdict): void => {
    const edit = edits[id]
    if (edit === undefined) return
    budget.count(edit)
    options.onTried?.(edit, verdict)
    if (verdict.is !== 'ran' || verdict.fixed.length === 0 || verdict.broken > 0) return
    const found = { edits: [...base, edit], fixed: verdict.fixed, after: budget.tried }
    if (verdict.green) {
      green.push(found)
      budget.foundGreen()
      options.onGreen?.(found)
    } else partial.push(found)
  }
  const { project, scratch, plan, limits, workers, silenceMs } = options
  const place = { root: project.root, scratch, confined: true }
  const greeting = [loadMessage(project, limits, false), { is: 'plan', plan } as const]
  const pool = new Pool({ place, workers, silenceMs, greeting, next: take, heard })
  const unwatch = budget.onOver(() => pool.stop())
  await pool.run()
  unwatch()
  return { green, partial }
}
