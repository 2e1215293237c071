// The known faults: every edit of the repair benchmark's bugs, each a fault of its own, and those made by rule.
import type { Bug, Edit } from '../repair/bug.ts'
import { bugs } from '../repair/bugs.ts'
import { drawNumber, drawOrder } from '../repair/draw.ts'
import { type Runner, runnerOf } from '../repair/materialise.ts'
import { madeFaults } from './made.ts'

export type Fault = {
  readonly id: string
  readonly program: string
  readonly runner: Runner
  readonly edit: Edit
}

export const sides = ['tuning', 'aside', 'made', 'fresh'] as const
export type Side = (typeof sides)[number]

const seed = 'treadle grouping bench, set aside, 1'

/** A third, and half of those made by rule, are put aside before anything is tuned, by the fault's id alone. */
function sideOf(faultId: string, isMade: boolean): Side {
  const number = drawNumber(seed, faultId)
  if (isMade) return number < 1 / 2 ? 'fresh' : 'made'
  return number < 1 / 3 ? 'aside' : 'tuning'
}

/** Of those made by rule so many for each program as a draw picks: there are far more than can be run. */
const madePerProgram = 8

export function faultsOf(side: Side, draw: string): Fault[] {
  if (side === 'tuning' || side === 'aside') return allFaults().filter(({ id }) => sideOf(id, false) === side)
  const mine = madeFaults().filter(({ id }) => sideOf(id, true) === side)
  return [...new Set(mine.map(({ program }) => program))].flatMap((program) => {
    const own = mine.filter((fault) => fault.program === program)
    return drawOrder(`${side} ${draw}`, own, ({ id }) => id).slice(0, madePerProgram)
  })
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

function allFaults(): Fault[] {
  const seen = new Set<string>()
  return bugs.flatMap(partsOf).filter(({ program, edit }) => {
    const key = JSON.stringify([program, edit])
    return !seen.has(key) && seen.add(key)
  })
}
