// Planted faults in the processes of the search: hundreds in a second, confined as candidates are.
import type { Scratch } from '../confined.ts'
import { wireEdits } from '../edits/edit.ts'
import type { Project } from '../project/load.ts'
import type { TestResult, WireCandidate } from '../run/protocol.ts'
import { loadMessage } from '../search/baseline.ts'
import { limitsFor, planFor } from '../search/plan.ts'
import { Pool, type PoolVerdict } from '../search/pool.ts'
import type { Planted } from './mutants.ts'

export interface InProcess {
  readonly project: Project
  readonly scratch: Scratch
  readonly passing: readonly TestResult[]
  readonly planted: readonly Planted[]
  readonly budgetMs: number
  readonly workers: number
  readonly signal?: AbortSignal | undefined
}

/** The notices of each fault, by its place; nothing where the time was up. */
export async function noticeAll(options: InProcess): Promise<ReadonlyMap<number, PoolVerdict>> {
  const { project, scratch, passing, planted, workers, signal } = options
  const tests = { failing: [], passing }
  const { limits, silenceMs } = limitsFor(tests)
  const place = { root: project.root, scratch, confined: true }
  const pool = new Pool({ place, workers, silenceMs, greeting: [loadMessage(project, limits)] })
  const stop = () => pool.stop()
  const timer = setTimeout(stop, options.budgetMs)
  signal?.addEventListener('abort', stop)
  if (signal?.aborted === true) stop()
  const verdicts = new Map<number, PoolVerdict>()
  let given = 0
  const next = (count: number): WireCandidate[] => {
    const from = given
    given = Math.min(planted.length, given + count)
    return planted.slice(from, given).map(({ edit }, at) => {
      return { id: from + at, edits: wireEdits(edit), tests: [], planted: true }
    })
  }
  try {
    await pool.run({
      plan: planFor(project, tests, []),
      next,
      heard: (id, { verdict }) => verdicts.set(id, verdict),
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
    pool.stop()
  }
  return verdicts
}
