// The known faults: every edit of the repair benchmark's bugs, each a fault of its own.
import type { Bug, Edit } from '../repair/bug.ts'
import { bugs } from '../repair/bugs.ts'
import { drawNumber } from '../repair/draw.ts'
import { type Runner, runnerOf } from '../repair/materialise.ts'

export type Fault = {
  readonly id: string
  readonly program: string
  readonly runner: Runner
  readonly edit: Edit
}

export type Side = 'tuning' | 'aside'

const seed = 'treadle grouping bench, set aside, 1'

/** A third is put aside before anything is tuned, by the fault's id alone. */
export function sideOf(faultId: string): Side {
  return drawNumber(seed, faultId) < 1 / 3 ? 'aside' : 'tuning'
}

function partsOf(bug: Bug): Fault[] {
  const { id, program, edits } = bug
  return edits.map((edit, at) => ({
    id: edits.length === 1 ? id : `${id}-part-${at + 1}`,
    program,
    runner: runnerOf(program),
    edit,
  }))
}

export function allFaults(): Fault[] {
  const seen = new Set<string>()
  return bugs.flatMap(partsOf).filter(({ program, edit }) => {
    const key = JSON.stringify([program, edit])
    return !seen.has(key) && seen.add(key)
  })
}
