// Who has the conversation of an item that is free again. That agent goes first for a while: it can go on where it was,
// and whoever else takes the item pays once more for all that the model has read.
import type { StoredEvent } from '@treadle/contracts/event'
import type { AgentId } from '@treadle/contracts/ids'

/** How long others leave it to that agent; after that anybody may have it. */
export const KEPT_MS = 60_000

/** An agent with the conversation that an item would go on in. */
interface ConversationHolder {
  readonly agentId: AgentId
  readonly engine: string
  /** When the item could be had again. */
  readonly since: number
}

/** What has to be known of an item to tell. */
export const HOLDER_EVENTS = [
  'claim.taken',
  'claim.released',
  'claim.expired',
  'deadline.passed',
  'item.assigned',
  'item.escalated',
  'item.reopened',
  'merge.failed',
  'review.rejected',
  'run.session',
] as const satisfies readonly StoredEvent['event']['type'][]

type Told = Pick<StoredEvent, 'at' | 'agentId' | 'runId' | 'event'>

/** Of what happened to the item, oldest first. Null: it would be told everything anyway, or nobody knows whom it had. */
export function conversationHolder(events: readonly Told[]): ConversationHolder | null {
  const last = events.at(-1)
  const since = last === undefined ? null : freeSince(last)
  if (since === null) return null
  const claim = events.findLast(({ event }) => event.type === 'claim.taken')
  const talk = events.findLast(({ event }) => event.type === 'run.session')
  if (claim?.agentId == null || claim.runId === null || talk?.runId !== claim.runId) return null
  if (talk.event.type !== 'run.session') return null
  const { engine } = talk.event
  // Another engine was in trouble than the one that has the conversation.
  const isOther = last?.event.type === 'claim.released' && last.event.engine !== engine
  return isOther ? null : { agentId: claim.agentId, engine, since }
}

/** Null: it went back in a way after which no conversation goes on. */
function freeSince({ at, event }: Told): number | null {
  const from = Date.parse(at)
  switch (event.type) {
    case 'claim.released':
      return event.engine === undefined ? null : Math.max(from, Date.parse(event.restsUntil ?? at))
    case 'review.rejected':
      return event.fresh === true ? null : from
    case 'merge.failed':
      return from
    default:
      return null
  }
}

interface KeptFacts {
  readonly holder: ConversationHolder
  /** The engine that would build the item now. */
  readonly engine: string
  /** The holder is at work or waits for some. */
  readonly isThere: boolean
  readonly now: number
}

export function isKept({ holder, engine, isThere, now }: KeptFacts): boolean {
  return isThere && holder.engine === engine && now < holder.since + KEPT_MS
}
