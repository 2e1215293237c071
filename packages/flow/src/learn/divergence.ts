// What kind of divergence between plan and change this is.
import type { Divergence, DivergenceClass, DivergenceKind } from '@treadle/contracts/retrospective'

/** Null: no rule could tell. */
type Fact = boolean | null

export interface DivergenceFacts {
  readonly type: string
  readonly beneficial?: Fact
  readonly intentional?: Fact
  readonly improvement?: Fact
  /** It follows something that the run was shown as a known good way. */
  readonly followsPattern?: boolean
  /** It broke what worked before. */
  readonly broke?: boolean
}

export function classifyDivergence(facts: DivergenceFacts): DivergenceClass {
  switch (facts.type) {
    case 'addition':
      return choose(facts.beneficial, 'GOOD:enhancement', 'BAD:scope_creep')
    case 'omission':
      return choose(facts.intentional, 'NEUTRAL:intentional_skip', 'BAD:missed_requirement')
    case 'modification':
      return choose(facts.improvement, 'GOOD:optimization', 'BAD:deviation')
    default:
      return 'UNKNOWN'
  }
}

function choose(fact: Fact | undefined, yes: DivergenceClass, no: DivergenceClass): DivergenceClass {
  if (fact === null || fact === undefined) return 'UNKNOWN'
  return fact ? yes : no
}

/** Worth keeping, and worth learning from. */
export const DIVERGENCE_KINDS = {
  keep: ['enhancement', 'optimization', 'best_practice'],
  learn: ['shortcut', 'mistake', 'deviation'],
} as const satisfies Record<string, readonly DivergenceKind[]>

/** Null: neither to keep nor to learn from. */
export function kindOf(facts: DivergenceFacts): DivergenceKind | null {
  const known = classifyDivergence(facts)
  switch (known) {
    case 'GOOD:enhancement':
      return facts.followsPattern === true ? 'best_practice' : 'enhancement'
    case 'GOOD:optimization':
      return facts.followsPattern === true ? 'best_practice' : 'optimization'
    case 'BAD:missed_requirement':
      return 'shortcut'
    case 'BAD:scope_creep':
    case 'BAD:deviation':
      return facts.broke === true ? 'mistake' : 'deviation'
    default:
      return null
  }
}

export function divergenceOf(facts: DivergenceFacts, what: string, why: string): Divergence {
  return {
    type: facts.type,
    what: what.slice(0, 1_000),
    class: classifyDivergence(facts),
    kind: kindOf(facts),
    why: why.slice(0, 1_000),
  }
}
