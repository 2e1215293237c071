// The whole search: single edits first, then pairs of those that mended different tests, then further edits on top of
// those that mended a part.
import type { Edit } from '../edits/edit.ts'
import { sourceChanges, wireEdits } from '../edits/edit.ts'
import type { Project } from '../project/load.ts'
import type { Plan, TestResult } from '../run/protocol.ts'
import { FUEL, observeEdited } from './baseline.ts'
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

/** After so many single edits it is worth to look at what they mended so far. */
const STOPS = [3_000, 16_000, Number.POSITIVE_INFINITY]
const BASES_MAX = 5
const DEPTH_MAX = 3
const SECOND_EDITS_MAX = 4_000
const FUEL_MIN = 100_000
const FUEL_MAX = 20_000_000

export async function search(options: SearchOptions): Promise<SearchResult> {
  const { edits, budget } = options
  const partial: Found[] = []
  const whole: Found[] = []
  const tried = new Set<string>()
  let from = 0
  for (const stop of STOPS) {
    if (from > 0 && from >= edits.length) break
    options.onStage?.('search')
    const singles = edits.slice(from, stop).map((edit) => [edit])
    from = stop
    const round = await runRound(roundOf(options, singles, options.failing))
    partial.push(...round.partial)
    whole.push(...round.green)
    if (budget.isOver) break
    // The budget says how long to look for more of the same.
    if (whole.length > 0) continue
    const green = partial.length === 0 ? [] : await join(options, partial, { stop, tried })
    if (green.length > 0) return { green, partial: byWorth(partial) }
  }
  return { green: whole, partial: byWorth(partial) }
}

/** What mended a part, taken together; early on only the small edits, and nothing new upon them. */
async function join(
  options: SearchOptions,
  partial: readonly Found[],
  { stop, tried }: { readonly stop: number; readonly tried: Set<string> },
): Promise<readonly Found[]> {
  const { failing, edits } = options
  options.onStage?.('combine')
  const isEarly = stop === STOPS[0] && edits.length > stop
  const small = partial.filter((found) => found.edits.every(({ trust }) => trust === 'token'))
  const two = pairs(isEarly ? small : partial, failing.length)
  const paired = two.length === 0 ? [] : (await runRound(roundOf(options, two, failing))).green
  if (paired.length > 0 || isEarly) return paired
  return await combine(options, partial, { left: failing, depth: 2, tried })
}

interface Level {
  /** Tests that still fail. */
  readonly left: readonly TestResult[]
  readonly depth: number
  /** Bases that were built upon already. */
  readonly tried: Set<string>
}

async function combine(options: SearchOptions, partial: readonly Found[], level: Level): Promise<Found[]> {
  const bases = distinct(byWorth(partial)).slice(0, level.depth === 2 ? BASES_MAX : 2)
  for (const found of bases) {
    const key = found.edits.map((edit) => `${edit.file.index}:${JSON.stringify(sourceChanges(edit))}`).join()
    if (options.budget.isOver) return []
    if (level.tried.has(key)) continue
    level.tried.add(key)
    const next = await buildOn(options, found, level)
    if (next.green.length > 0) return [...next.green]
    const further = next.partial.filter((more) => more.fixed.length + more.advanced > 0)
    if (further.length === 0 || level.depth >= DEPTH_MAX) continue
    const fixed = new Set(found.fixed)
    const left = level.left.filter((test) => !fixed.has(test.key))
    const deeper = await combine(options, further, { ...level, left, depth: level.depth + 1 })
    if (deeper.length > 0) return deeper
  }
  return []
}

/** One more edit on top of others; looks anew at what is suspicious, because tests that came further run other code. */
async function buildOn(options: SearchOptions, base: Found, level: Level): Promise<RoundResult> {
  const { project, scratch, signal } = options
  const seen = await observeEdited(project, scratch, base.edits.flatMap(wireEdits), signal)
  const known = new Set([...options.failing, ...options.passing].map((test) => test.key))
  const tests = seen?.filter((test) => known.has(test.key)) ?? []
  const failing = tests.filter((test) => test.is === 'failed')
  const fixed = new Set(base.fixed)
  const left = failing.length > 0 ? failing : level.left.filter((test) => !fixed.has(test.key))
  const passing = tests.filter((test) => test.is === 'passed')
  const fresh = failing.length > 0 ? options.editsFor?.(failing, passing) : undefined
  const edits = (fresh ?? options.edits).slice(0, SECOND_EDITS_MAX)
  const fitting = edits.filter((edit) => base.edits.every((taken) => !collides(taken, edit)))
  const candidates = fitting.map((edit) => [...base.edits, edit])
  return await runRound(roundOf(options, candidates, left))
}

/** The first two of each set of mended tests; more of the same would be the same search again. */
function distinct(partial: readonly Found[]): Found[] {
  const seen = new Map<string, number>()
  return partial.filter(({ fixed, advanced }) => {
    const key = `${advanced}|${fixed.join()}`
    const times = (seen.get(key) ?? 0) + 1
    seen.set(key, times)
    return times <= 2
  })
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
