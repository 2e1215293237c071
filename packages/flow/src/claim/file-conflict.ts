// Two want one file: who gets it. The decision of the PM agent, as a table of facts.
import { itemLabel } from '@treadle/contracts/ids'
import type { ConflictDecision, ConflictParty } from '@treadle/contracts/lock'

interface FileConflict {
  readonly file: string
  readonly requestor: ConflictParty
  /** Null: nobody has the file. */
  readonly owner: FileOwner | null
}

interface FileOwner extends ConflictParty {
  /** An agent is at work on it; what is on its way into the branch is not called back. */
  readonly isAtWork: boolean
}

export function decideFileConflict({ file, requestor, owner }: FileConflict): ConflictDecision {
  const asking = itemLabel(requestor.item)
  if (owner === null)
    return { action: 'GRANT', target: asking, reason: 'File unowned - granting to first requestor' }
  const having = itemLabel(owner.item)
  if (owner.isAtWork && isMoreUrgent(requestor, owner))
    return {
      action: 'PREEMPT',
      target: having,
      message: `${asking} needs ${file} for higher priority work`,
      followUp: 'PAUSE_AND_YIELD',
    }
  return {
    action: 'DENY',
    target: asking,
    reason: `File owned by ${having}`,
    suggestion: 'Wait or request change',
  }
}

/** Smaller is sooner, and none is last. Two that are equal do not take from each other. */
function isMoreUrgent(one: ConflictParty, other: ConflictParty): boolean {
  return (one.priority ?? Number.POSITIVE_INFINITY) < (other.priority ?? Number.POSITIVE_INFINITY)
}
