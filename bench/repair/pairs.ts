// Faults that come together, for tuning: two faults of one program that were written or seeded one by one, or that
// are parts of different combined bugs. Only the tuning side is drawn from.
import type { Bug, Edit } from './bug.ts'
import { drawOrder } from './draw.ts'
import { sourcesOf } from './materialise.ts'
import { sideOf } from './split.ts'

const ofEachProgram = 2

type Part = { id: string; bug: Bug; edit: Edit }

export function drawPairs(bugs: readonly Bug[]): Bug[] {
  const parts = bugs.filter((bug) => sideOf(bug.id) === 'tuning').flatMap(partsOf)
  const programs = Map.groupBy(parts, ({ bug }) => bug.program)
  return [...programs].flatMap(([program, own]) => drawOf(program, own))
}

function partsOf(bug: Bug): Part[] {
  const several = bug.edits.length > 1
  return bug.edits.map((edit, index) => ({ id: several ? `${bug.id}.${index + 1}` : bug.id, bug, edit }))
}

// One in two files where there is one, and any other.
function drawOf(program: string, parts: readonly Part[]): Bug[] {
  const all = parts
    .flatMap((one, index) => parts.slice(index + 1).map((other) => [one, other] as const))
    .filter(([one, other]) => one.bug !== other.bug && goTogether(program, [one.edit, other.edit]))
    .map(([one, other]): Bug => {
      const edits = [one.edit, other.edit]
      return { id: `${one.id}+${other.id}`, program, kind: 'pair', origin: 'hand', edits }
    })
  const apart = all.filter((bug) => bug.edits[0]?.file !== bug.edits[1]?.file)
  const [first] = drawOrder('treadle repair bench, pairs in two files, 1', apart, ({ id }) => id)
  const drawn = drawOrder('treadle repair bench, pairs, 1', all, ({ id }) => id)
  return [...new Set([...(first === undefined ? [] : [first]), ...drawn])].slice(0, ofEachProgram)
}

// Each has its place in the other's program too.
function goTogether(program: string, edits: readonly Edit[]): boolean {
  try {
    const [one, other] = [sourcesOf(program, edits), sourcesOf(program, edits.toReversed())]
    return [...one].every(([path, text]) => other.get(path) === text)
  } catch {
    // An edit that stands in the other's text cannot be made any more.
    return false
  }
}
