// The terms of a thought by its kind: who is offered it, and how long it may take.
import type { Config } from '@treadle/contracts/config'
import type { AgentId } from '@treadle/contracts/ids'
import { isReviewer } from '@treadle/contracts/review'
import type { ThoughtKind } from '@treadle/contracts/thought'

type Limits = Pick<Config['limits'], 'thoughtMs' | 'reviewWaitMs'>

interface Terms {
  /** Reviewers judge what others have built, and are offered nothing else. */
  readonly offeredTo: 'builders' | 'reviewers'
  /** Counted from the asking: somebody waits. Counted from the claim: it may lie, and is told of in another way. */
  readonly countedFrom: 'asking' | 'claim'
  readonly ms: (limits: Limits) => number
}

const reply: Terms = { offeredTo: 'builders', countedFrom: 'asking', ms: ({ thoughtMs }) => thoughtMs }

/** Nobody waits for it: it may lie until somebody is free. */
const look: Terms = { offeredTo: 'builders', countedFrom: 'claim', ms: ({ thoughtMs }) => thoughtMs }

const TERMS: Readonly<Record<ThoughtKind, Terms>> = {
  idea_reply: reply,
  idea_signals: reply,
  spec_write: reply,
  category_idea: look,
  category_survey: look,
  review_judge: { offeredTo: 'reviewers', countedFrom: 'claim', ms: ({ reviewWaitMs }) => reviewWaitMs },
}

/** What this agent may be offered. */
export function kindsFor(agentId: AgentId): ThoughtKind[] {
  const mine = isReviewer(agentId) ? 'reviewers' : 'builders'
  return (Object.keys(TERMS) as ThoughtKind[]).filter((kind) => TERMS[kind].offeredTo === mine)
}

/** When a thought that is asked for, or claimed, at this moment is given up; null: that is not said by this moment. */
export function deadlineFrom(
  moment: Terms['countedFrom'],
  kind: ThoughtKind,
  { at, limits }: { readonly at: Date; readonly limits: Limits },
): Date | null {
  const { countedFrom, ms } = TERMS[kind]
  return countedFrom === moment ? new Date(at.getTime() + ms(limits)) : null
}

/** How long a thought of this kind may take. */
export function timeFor(kind: ThoughtKind, limits: Limits): number {
  return TERMS[kind].ms(limits)
}
