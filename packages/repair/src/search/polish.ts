// Several edits that are green together: each may be a lucky one, so that others are looked for in its place.
import type { Edit } from '../edits/edit.ts'
import { keyOf } from '../edits/edit.ts'
import { collides } from './pairs.ts'
import { rank } from './rank.ts'
import type { Candidate, CandidateResult } from './round.ts'

/** Edits of each place, by how many edits there are. */
const OF_EACH: readonly number[] = [5, 5, 5, 3]

export function keyOfAll(edits: Candidate): string {
  return edits.map(keyOf).sort().join('\n')
}

/** The likeliest first; what the compiler says is not known yet. */
export function byLikelihood(green: readonly CandidateResult[]): CandidateResult[] {
  return rank(green.map((found) => ({ found, types: 'unchecked' }))).map(({ found }) => found)
}

/** The last edits of these, which took the place of one: the likeliest, that one among them. */
export function choicesOf(green: readonly CandidateResult[], old: Edit, edits: number): Edit[] {
  const max = OF_EACH[edits] ?? 2
  const last = byLikelihood(green).flatMap(({ edits: all }) => all.at(-1) ?? [])
  const chosen = last.slice(0, max)
  return chosen.some((edit) => keyOf(edit) === keyOf(old)) ? chosen : [...chosen, old]
}

/** One choice for each place, in all ways that are not known yet. */
export function crossed(choices: readonly (readonly Edit[])[], known: ReadonlySet<string>): Candidate[] {
  let made: Edit[][] = [[]]
  for (const own of choices) {
    made = made.flatMap((edits) =>
      own.filter((edit) => edits.every((taken) => !collides(taken, edit))).map((edit) => [...edits, edit]),
    )
  }
  return made.filter((edits) => !known.has(keyOfAll(edits)))
}
