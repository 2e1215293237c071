// The log of what happened: appended to, never changed.
import type { Cursor, EventType, RunNote, StoredEvent, TreadleEvent } from '@treadle/contracts/event'
import type { AgentId, EventId, ItemRef, RunId } from '@treadle/contracts/ids'

export interface NewEvent {
  readonly id: EventId
  readonly at: Date
  readonly item: ItemRef | null
  readonly agentId: AgentId | null
  readonly runId: RunId | null
  readonly state: string | null
  readonly event: TreadleEvent
}

interface HeldNote {
  readonly id: EventId
  readonly at: Date
  readonly runId: RunId
  readonly fence: number
  readonly event: RunNote
}

export interface EventQuery {
  readonly after: Cursor
  readonly limit: number
  readonly type?: string | undefined
  /** Item label, run id or agent id. */
  readonly correlationId?: string | undefined
}

export interface ThoughtEventQuery extends Pick<EventQuery, 'after' | 'limit'> {
  readonly thought: string
  /** The event that it began with: nothing before it is looked at. */
  readonly begunBy: EventId
}

export interface Events {
  /** False if an event with this id was already recorded for the same subject. */
  append(event: NewEvent): Promise<boolean>
  /**
   * Records what an agent notes of its run, in one statement, if it speaks under the fence of the run and of the item
   * and the id is new. False: nothing was recorded; why not is another question.
   */
  note(note: HeldNote): Promise<boolean>
  /** Has this event id already been recorded for the item or run? */
  seen(id: EventId): Promise<boolean>
  after(query: EventQuery): Promise<{ items: StoredEvent[]; cursor: Cursor }>
  ofThought(query: ThoughtEventQuery): Promise<{ items: StoredEvent[]; cursor: Cursor }>
  /** Is there an event of this type for a correlation id? */
  exists(type: string, correlationId: string): Promise<boolean>
  /** The last so many, oldest first; with `types`, only of those. */
  ofItem(ref: ItemRef, limit: number, types?: readonly EventType[]): Promise<StoredEvent[]>
  /** Newest first; with `before`, from that place backwards. */
  newest(query: { type: EventType; limit: number; before?: Cursor | undefined }): Promise<StoredEvent[]>
  /** The end of the feed as `after` would bring it, oldest first, and where it goes on. */
  tail(query: {
    limit: number
    without: readonly EventType[]
  }): Promise<{ items: StoredEvent[]; cursor: Cursor }>
}
