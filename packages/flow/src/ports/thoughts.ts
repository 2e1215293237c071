// Thoughts as the flow needs them from the store. Types only.
import type { AgentId } from '@treadle/contracts/ids'
import type { Thought, ThoughtAnswer, ThoughtKind, ThoughtStatus } from '@treadle/contracts/thought'

export type NewThought = Pick<
  Thought,
  'id' | 'kind' | 'subject' | 'engine' | 'use' | 'system' | 'prompt' | 'schema'
> & {
  readonly work?: Thought['work']
  /** Null: said by each claim. */
  readonly deadlineAt: Date | null
}

export interface ThoughtClaim {
  readonly agentId: AgentId
  readonly at: Date
  /** Given where the claim says until when; else what was said at the asking stands. */
  readonly deadlineAt?: Date | null
  /** Names the key of the claim without showing it; null: it has none. */
  readonly keyHash?: string | null
}

/** How a thought is over. */
export type ThoughtOver =
  | { readonly is: 'done'; readonly answer: ThoughtAnswer }
  | { readonly is: 'failed' | 'withdrawn'; readonly why: string }

interface ThoughtFilter {
  readonly status?: ThoughtStatus | undefined
  readonly kind?: ThoughtKind | undefined
  readonly subject?: string | undefined
  /** True: only those that are not over. */
  readonly isOpen?: boolean | undefined
  readonly limit: number
}

/** The thoughts of this workspace; several may share one database. */
export interface Thoughts {
  /** Waiting agents hear of it when the transaction commits. False: it was added before. */
  add(thought: NewThought, at: Date): Promise<boolean>
  find(id: string): Promise<Thought | null>
  /** Locks the row until the transaction ends. */
  lock(id: string): Promise<Thought | null>
  /** Newest first. */
  list(filter: ThoughtFilter): Promise<Thought[]>
  /** What this agent has already, then what waits, the longest first; of all kinds, or of these. */
  open(agentId: AgentId, limit: number, kinds?: readonly ThoughtKind[]): Promise<Thought[]>
  /** True: some wait, or are in somebody's hands. */
  areOpen(): Promise<boolean>
  /** One conditional statement: null if it is over, or somebody has it who is not the same agent with the same key. */
  claim(id: string, claim: ThoughtClaim): Promise<Thought | null>
  /** The key of its claim, as a hash; null: it was claimed without one. */
  keyHash(id: string): Promise<string | null>
  /** What this agent has, or this one thought, is there for others again, in whichever workspace; what that was. */
  release(whose: { readonly agentId: AgentId; readonly id?: string }, why: string): Promise<Thought[]>
  /** Time in which it was not let work does not count. */
  extend(agentId: AgentId, byMs: number): Promise<void>
  /** One conditional statement: false if it is over, or has been claimed anew since that fence. */
  end(id: string, fence: number, over: ThoughtOver, at: Date): Promise<boolean>
  /** In somebody's hands, the oldest claim first. */
  claimed(limit: number): Promise<Thought[]>
  /** Nobody has answered by then. */
  overdue(now: Date, limit: number): Promise<Thought[]>
}
