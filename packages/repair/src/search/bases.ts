// Edits that mended a part and can be built upon: which of it, and how far that has been tried.
import type { TestResult } from '../run/protocol.ts'
import { byWorth } from './pairs.ts'
import type { Candidate, CandidateResult } from './round.ts'

const DEPTH_MAX = 3
const OPEN_MAX = 10
const OTHERS_MAX = 3
/** More of those that mend the same tests would be the same search again. */
const OF_THE_SAME = 2
/** Edits that mend no part; these may well be different. */
const OF_NONE = 4

export interface Base {
  /** Tests that still fail. */
  readonly left: readonly TestResult[]
  readonly candidates: readonly Candidate[]
  next: number
}

export class Bases {
  readonly #open = new Map<Candidate, Base>()

  get(found: CandidateResult): Base | undefined {
    return this.#open.get(found.edits)
  }

  put(found: CandidateResult, base: Base): Base {
    this.#open.set(found.edits, base)
    return base
  }

  /** The best of each set of mended tests is looked at, sets that are a part of another one last. */
  choose(partial: readonly CandidateResult[], forChange: boolean): CandidateResult | null {
    const open = groupsOf(partial).flatMap((group) => group.find((found) => !this.#isUsedUp(found)) ?? [])
    const isPart = (found: CandidateResult) => open.some((other) => isWithin(found.fixed, other.fixed))
    const [best, ...others] = [...open.filter((found) => !isPart(found)), ...open.filter(isPart)]
    const tried = (found: CandidateResult) => this.get(found)?.next ?? 0
    const [other] = others.slice(0, OTHERS_MAX).toSorted((a, b) => tried(a) - tried(b))
    return (forChange ? other : best) ?? best ?? null
  }

  #isUsedUp(found: CandidateResult): boolean {
    const base = this.#open.get(found.edits)
    return base === undefined ? this.#open.size >= OPEN_MAX : base.next >= base.candidates.length
  }
}

function groupsOf(partial: readonly CandidateResult[]): CandidateResult[][] {
  const shallow = byWorth(partial).filter((found) => found.edits.length < DEPTH_MAX)
  const mending = shallow.filter(({ fixed }) => fixed.length > 0)
  const groups = new Map<string, CandidateResult[]>()
  for (const found of mending.length > 0 ? mending : shallow) {
    const key = found.fixed.toSorted().join('\n')
    const group = groups.get(key) ?? []
    const alike = group.filter((other) => other.edits.length === found.edits.length)
    if (alike.length < (found.fixed.length > 0 ? OF_THE_SAME : OF_NONE)) groups.set(key, [...group, found])
  }
  return [...groups.values()]
}

function isWithin(few: readonly string[], many: readonly string[]): boolean {
  return few.length < many.length && few.every((key) => many.includes(key))
}
