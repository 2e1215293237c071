// The whole search: single edits first, then a second and a third on top of those that mended a part.
import type { Edit } from '../edits/edit.ts'
import { sourceChanges } from '../edits/edit.ts'
import type { Project } from '../project/load.ts'
import { overlap } from '../rank/patch.ts'
import type { Plan, TestResult } from '../run/protocol.ts'
import { FUEL } from './baseline.ts'
import type { Budget } from './budget.ts'
import type { PoolVerdict } from './pool.ts'
import { type Found, type RoundResult, runRound } from './round.ts'

export interface SearchOptions {
  readonly project: Project
  readonly scratch: string
  readonly workers: number
  readonly failing: readonly TestResult[]
  readonly passing: readonly TestResult[]
  readonly edits: readonly Edit[]
  readonly budget: Budget
  onTried?(edit: Edit, verdict: PoolVerdict): void
  onStage?(stage: 'search' | 'combine'): void
  onGreen?(found: Found): void
}

export interface SearchResult {
  /** Every one turns all failing tests green. */
  readonly green: readonly Found[]
  readonly partial: readonly Found[]
}

const BASES_MAX = 6
const DEPTH_MAX = 3
const SECOND_EDITS_MAX = 1_500
const FUEL_MIN = 100_000
const FUEL_MAX = 20_000_000

export async function search(options: SearchOptions): Promise<SearchResult> {
  options.onStage?.('search')
  const keys = options.failing.map((test) => test.key)
  const round = await runRound(roundOf(options, [], options.edits, keys))
  if (round.green.length > 0 || round.partial.length === 0) return round
  options.onStage?.('combine')
  const green = await combine(options, round, { base: [], keys, depth: 2 })
  return { green, partial: byWorth(round.partial) }
}

interface Level {
  readonly base: readonly Edit[]
  /** Keys of the tests that still fail on the base. */
  readonly keys: readonly string[]
  readonly depth: number
}

async function combine(options: SearchOptions, round: RoundResult, level: Level): Promise<Found[]> {
  const partial = byWorth(round.partial)
  for (const found of distinct(partial).slice(0, BASES_MAX)) {
    if (options.budget.isOver) return []
    const left = level.keys.filter((_, index) => !found.fixed.includes(index))
    const next = await runRound(roundOf(options, found.edits, secondEdits(options, partial, found), left))
    if (next.green.length > 0) return [...next.green]
    if (next.partial.length > 0 && level.depth < DEPTH_MAX) {
      const deeper = await combine(options, next, { base: found.edits, keys: left, depth: level.depth + 1 })
      if (deeper.length > 0) return deeper
    }
  }
  return []
}

/** Most tests mended first, then the likeliest edit. */
function byWorth(partial: readonly Found[]): Found[] {
  const score = (found: Found) => found.edits.at(-1)?.score ?? 0
  return [...partial].sort((a, b) => b.fixed.length - a.fixed.length || score(b) - score(a))
}

/** The first two of each set of mended tests; more of the same would be the same search again. */
function distinct(partial: readonly Found[]): Found[] {
  const seen = new Map<string, number>()
  return partial.filter(({ fixed }) => {
    const key = fixed.join()
    const times = (seen.get(key) ?? 0) + 1
    seen.set(key, times)
    return times <= 2
  })
}

/** Edits that mend what the base does not come first, then the likeliest of all. */
function secondEdits(options: SearchOptions, partial: readonly Found[], base: Found): Edit[] {
  const fixed = new Set(base.fixed)
  const others = partial.filter((found) => found.fixed.some((test) => !fixed.has(test)))
  const edits = [
    ...others.flatMap((found) => found.edits.at(-1) ?? []),
    ...options.edits.slice(0, SECOND_EDITS_MAX),
  ]
  return [...new Set(edits)].filter((edit) => base.edits.every((taken) => !collides(taken, edit)))
}

function collides(a: Edit, b: Edit): boolean {
  return a.file === b.file && overlap(sourceChanges(a), sourceChanges(b))
}

function roundOf(
  options: SearchOptions,
  base: readonly Edit[],
  edits: readonly Edit[],
  keys: readonly string[],
) {
  const { project, scratch, workers, failing, passing, budget, onTried, onGreen } = options
  const wanted = new Set(keys)
  const cheapFirst = failing.filter((test) => wanted.has(test.key))
  const mended = failing.filter((test) => !wanted.has(test.key))
  const plan: Plan = {
    failing: cheapFirst.map((test) => test.key),
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
    base,
    edits,
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
