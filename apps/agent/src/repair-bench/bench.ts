// Walks the history and tries every fix that is fit, newest first, until enough were tried.
import { messageOf } from '@treadle/flow/fault'
import type { Git } from '@treadle/git/git'
import { attempt, type Row, rowOf } from './attempt.ts'
import { readCommits } from './history.ts'
import { type Fix, type Skipped, sift } from './mine.ts'

interface BenchOptions {
  readonly git: Git
  /** How many valid fixes are tried at most. */
  readonly limit: number
  /** What the repair may spend on each of them. */
  readonly seconds: number
  readonly since: string | null
  readonly env: Readonly<Record<string, string>>
  /** A compiler for projects that have none installed. */
  readonly tsc: string | null
  readonly signal: AbortSignal
  readonly tell: (text: string) => void
  /** Hears of the figures so far, for whoever is ended before the last. */
  onProgress?(run: BenchRun): void
}

export interface BenchRun {
  readonly commits: number
  readonly skipped: Readonly<Partial<Record<Skipped, number>>>
  readonly mined: number
  readonly rows: readonly Row[]
  /** The one that a signal ended, with the patches that were found by then. */
  readonly interrupted: Row | null
  readonly seconds: number
  readonly isStopped: boolean
}

const COMMITS_MAX = 20_000
/** So many candidates are looked at for each valid fix that is wanted. */
const TRIES_PER_FIX = 8

export async function bench(options: BenchOptions): Promise<BenchRun> {
  const started = performance.now()
  const { git, since, tell } = options
  tell('Reading the history')
  const commits = await readCommits(git, { since, max: COMMITS_MAX })
  const { fixes, skipped } = siftAll(commits)
  tell(`${commits.length} commits, ${fixes.length} candidates`)
  const rows: Row[] = []
  const soFar = (): BenchRun => ({
    commits: commits.length,
    skipped,
    mined: fixes.length,
    rows: rows.filter(({ outcome }) => outcome !== 'stopped'),
    interrupted: rows.find(({ outcome }) => outcome === 'stopped') ?? null,
    seconds: (performance.now() - started) / 1_000,
    isStopped: options.signal.aborted,
  })
  options.onProgress?.(soFar())
  await tryAll(fixes, rows, { ...options, onRow: () => options.onProgress?.(soFar()) })
  return soFar()
}

function siftAll(commits: Parameters<typeof sift>[0][]) {
  const fixes: Fix[] = []
  const skipped: Partial<Record<Skipped, number>> = {}
  for (const commit of commits) {
    const sifted = sift(commit)
    if (sifted.is === 'candidate') fixes.push(sifted.fix)
    else skipped[sifted.why] = (skipped[sifted.why] ?? 0) + 1
  }
  return { fixes, skipped }
}

async function tryAll(
  fixes: readonly Fix[],
  rows: Row[],
  options: BenchOptions & { onRow(): void },
): Promise<void> {
  const { limit, signal, tell } = options
  let valid = 0
  for (const fix of fixes.slice(0, limit * TRIES_PER_FIX)) {
    if (valid >= limit || signal.aborted) return
    const row = await tryOne(fix, options)
    // What was interrupted says nothing about the fix.
    if (row === null) return
    rows.push(row)
    options.onRow()
    if (row.outcome === 'stopped') return
    if (row.outcome !== 'invalid') valid += 1
    tell(`${rows.length}/${fixes.length} (${valid} valid) ${fix.commit.slice(0, 10)} ${wordsFor(row)}`)
  }
}

async function tryOne(fix: Fix, options: BenchOptions): Promise<Row | null> {
  try {
    return await attempt(fix, options)
  } catch (error) {
    if (options.signal.aborted) return null
    return rowOf(fix, { outcome: 'broke', reason: messageOf(error) })
  }
}

export function wordsFor(row: Row): string {
  if (row.outcome !== 'plausible') return `${row.outcome}: ${row.reason}`
  const [first] = row.patches
  const { verdict, by, detail } = first?.judgement ?? { verdict: 'not_judged', by: 'nothing', detail: '' }
  const rank = row.patches.findIndex((patch) => patch.judgement?.verdict === 'correct')
  const lower = rank > 0 ? `; number ${rank + 1} is correct` : ''
  const judged = verdict === 'not_judged' ? 'not judged' : `${verdict} by ${by}`
  return `plausible, ${judged} (${detail})${lower}`
}
