// Edits that mended different tests, taken together.
import type { Edit } from '../edits/edit.ts'
import { sourceChanges } from '../edits/edit.ts'
import { overlap } from '../edits/patch.ts'
import type { Candidate, CandidateResult } from './round.ts'

const PAIRS_MAX = 1_200
const GROUPS_MAX = 12
const OF_EACH = 30
const OF_EACH_OF_THREE = 3
const EDITS_MAX = 3

/** Most tests mended first, with few edits; then most that came further, then the likeliest edit. */
export function byWorth(partial: readonly CandidateResult[]): CandidateResult[] {
  const score = (found: CandidateResult) => found.edits.at(-1)?.score ?? 0
  return [...partial].sort(
    (a, b) =>
      b.fixed.length - a.fixed.length ||
      a.edits.length - b.edits.length ||
      b.advanced - a.advanced ||
      score(b) - score(a),
  )
}

export function collides(a: Edit, b: Edit): boolean {
  return a.file === b.file && overlap(sourceChanges(a), sourceChanges(b))
}

/** Two or three of them that leave none of so many failing tests, the likeliest first. */
export function pairs(partial: readonly CandidateResult[], failing: number): Candidate[] {
  const groups = groupsOf(partial)
  const made = [...twos(groups, failing), ...threes(groups, failing)].flatMap(
    (found) => together(found, failing) ?? [],
  )
  const best = made.toSorted((a, b) => a.edits.length - b.edits.length || b.score - a.score)
  return best.slice(0, PAIRS_MAX).map(({ edits }) => edits)
}

/** The best of each set of mended tests. */
function groupsOf(partial: readonly CandidateResult[]): CandidateResult[][] {
  const groups = new Map<string, CandidateResult[]>()
  for (const found of byWorth(partial).filter(({ fixed }) => fixed.length > 0)) {
    const key = found.fixed.toSorted().join('\n')
    const group = groups.get(key) ?? []
    if (group.length < OF_EACH) groups.set(key, [...group, found])
  }
  return [...groups.values()].slice(0, GROUPS_MAX)
}

function twos(groups: readonly (readonly CandidateResult[])[], failing: number): CandidateResult[][] {
  return groups.flatMap((list, at) => {
    const fitting = groups
      .slice(at + 1)
      .filter(([other]) => other && covered([...list.slice(0, 1), other]) >= failing)
    return fitting.flatMap((others) => list.flatMap((a) => others.map((b) => [a, b])))
  })
}

/** A third edit is one too many where two of the three leave nothing to mend. */
function threes(groups: readonly (readonly CandidateResult[])[], failing: number): CandidateResult[][] {
  const short = groups.map((group) => group.slice(0, OF_EACH_OF_THREE))
  return short.flatMap((first, at) =>
    short.slice(at + 1).flatMap((second, between) => {
      const thirds = short.slice(at + between + 2).flat()
      const two = first.flatMap((a) => second.map((b) => [a, b] as const))
      const three = two.flatMap(([a, b]) => thirds.map((c) => [a, b, c]))
      return three.filter((all) =>
        all.every((one) => covered(all.filter((other) => other !== one)) < failing),
      )
    }),
  )
}

function covered(found: readonly CandidateResult[]): number {
  return new Set(found.flatMap(({ fixed }) => fixed)).size
}

function together(
  found: readonly CandidateResult[],
  failing: number,
): { edits: Edit[]; score: number } | null {
  if (covered(found) < failing) return null
  const edits = found.flatMap((one) => one.edits)
  if (edits.length > EDITS_MAX) return null
  if (edits.some((a, at) => edits.slice(at + 1).some((b) => collides(a, b)))) return null
  const product = edits.reduce((all, edit) => all * edit.score, 1)
  return { edits, score: product ** (1 / edits.length) }
}
