// What a talk has brought so far, with what a message adds to it.
import type { Artifact, IdeaDecision, IdeaRisk, IdeaSignals } from '@treadle/contracts/idea'

export const NO_SIGNALS: IdeaSignals = { artifacts: [], decisions: [], risks: [], confidence: 0 }

/** As many as the contract keeps of each; the earliest stay. */
const MANY_MAX = 200
/** So many a model leaves to people, whose answers must find room. */
const FOR_PEOPLE = 50

/**
 * A later artifact of a type takes the place of the earlier one, but none of a model that of a person. A model that
 * repeats itself adds nothing; a person who says the same twice has answered twice.
 */
export function mergeSignals(before: IdeaSignals, brought: IdeaSignals, by: Artifact['by']): IdeaSignals {
  return {
    artifacts: brought.artifacts.reduce(withArtifact, before.artifacts),
    decisions: added<IdeaDecision>(before.decisions, brought.decisions, by),
    risks: added<IdeaRisk>(before.risks, brought.risks, by),
    confidence: brought.confidence,
  }
}

function withArtifact(known: readonly Artifact[], next: Artifact): Artifact[] {
  const at = known.findIndex(({ type }) => type === next.type)
  const earlier = known[at]
  if (earlier === undefined) return [...known, next]
  if (earlier.by === 'person' && next.by === 'model') return [...known]
  return known.with(at, next)
}

function added<T extends { readonly text: string }>(
  before: readonly T[],
  brought: readonly T[],
  by: Artifact['by'],
): T[] {
  const isNew = (one: T) => !before.some((known) => sameWords(known, one))
  if (by === 'person') return [...before, ...brought].slice(0, MANY_MAX)
  const room = Math.max(0, MANY_MAX - FOR_PEOPLE - before.length)
  return [...before, ...brought.filter(isNew).slice(0, room)]
}

function sameWords<T extends object>(a: T, b: T): boolean {
  return JSON.stringify(Object.entries(a)).toLowerCase() === JSON.stringify(Object.entries(b)).toLowerCase()
}
