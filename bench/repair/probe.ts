// A search taken apart: what repair() does before it tries candidates is done once, then candidates can be
// tried in any order and for as long as wanted.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeEdits } from '@treadle/repair/edits/catalogue'
import { contextsFor } from '@treadle/repair/edits/context'
import type { Edit } from '@treadle/repair/edits/edit'
import { localise } from '@treadle/repair/localise/localise'
import { loadProject, type Project } from '@treadle/repair/project/load'
import type { Split } from '@treadle/repair/rank/conclude'
import { runBaseline } from '@treadle/repair/search/baseline'
import { Budget } from '@treadle/repair/search/budget'
import { search } from '@treadle/repair/search/search'
import { splitTests } from '@treadle/repair/split-tests'
import type { Bug } from './bug.ts'
import { materialise, testCommandOf } from './materialise.ts'

const editsMax = 40_000

export type Probe = {
  project: Project
  split: Split
  // Best first, as the engine orders them.
  edits: readonly Edit[]
  // From a folder with sources to the ordered candidates.
  seconds: number
  scratch: string
}

export type Order = (edits: readonly Edit[]) => readonly Edit[]

export const asMade: Order = (edits) => edits

export type Trial = {
  order: Order
  workers: number
  candidatesMax: number
  secondsMax: number
  // What ends the trial before its bounds do.
  until: 'first_green' | 'all_tried'
}

export type Tried = { firstGreen: number | null; candidates: number; seconds: number }

export async function withProbe<T>(bug: Bug, act: (probe: Probe) => Promise<T>): Promise<T> {
  return await withFolder(async (root) => {
    materialise(root, bug.program, bug.edits)
    return await probeFolder(root, testCommandOf(bug.program), act)
  })
}

export async function probeFolder<T>(
  root: string,
  testCommand: string,
  act: (probe: Probe) => Promise<T>,
): Promise<T> {
  const started = performance.now()
  return await withFolder(async (scratch) => {
    const project = loadProject(root, testCommand)
    const baseline = await runBaseline(project, { path: scratch, before: [] })
    if (baseline === null) throw new Error('the fast path cannot run this project')
    const split = splitTests(baseline)
    const edits = editsOf(project, split)
    return await act({ project, split, edits, seconds: secondsSince(started), scratch })
  })
}

function editsOf(project: Project, split: Split): readonly Edit[] {
  const suspects = localise(project, split.failing, split.passing)
  return makeEdits({ suspects, contextOf: contextsFor(project, split.failing), max: editsMax })
}

export async function withFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-bench-')))
  try {
    return await act(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function secondsSince(started: number): number {
  return (performance.now() - started) / 1_000
}

// The engine stops soon after its first green patch; here that would cut the measurement short.
class FullBudget extends Budget {
  override foundGreen(): void {
    // Nothing is noted, so nothing ends.
  }
}

export async function tryEdits({ project, split, edits, scratch }: Probe, trial: Trial): Promise<Tried> {
  const stop = new AbortController()
  const Kind = trial.until === 'first_green' ? Budget : FullBudget
  const limits = { seconds: trial.secondsMax, candidates: trial.candidatesMax, processes: null }
  const budget = new Kind({ ...limits, signal: stop.signal })
  const started = performance.now()
  try {
    await search({
      ...split,
      project,
      scratch: { path: scratch, before: [] },
      workers: trial.workers,
      edits: trial.order(edits),
      editsFor: (failing, passing) => trial.order(editsOf(project, { failing, passing })),
      budget,
      signal: stop.signal,
      onGreen: () => {
        if (trial.until === 'first_green') stop.abort()
      },
    })
    return {
      firstGreen: budget.firstGreen?.candidates ?? null,
      candidates: budget.tried,
      seconds: secondsSince(started),
    }
  } finally {
    budget.close()
  }
}
