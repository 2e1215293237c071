// Thoughts as the flow needs them from the store. Types only.
import type { AgentId } from '@treadle/contracts/ids'
import type { Thought, ThoughtAnswer, ThoughtKind, ThoughtStatus } from '@treadle/contracts/thought'

export type NewThought = Pick<
  Thought,
  'id' | 'kind' | 'subject' | 'engine' | 'use' | 'system' | 'prompt' | 'schema'
> & { readonly deadlineAt: Date }

/** How a thought is over. */
export type ThoughtOver =
  | { readonly is: 'done'; readonly answer: ThoughtAnswer }
  | { readonly is: 'failed' | 'withdrawn'; readonly why: string }

interface ThoughtFilter {
  readonly status?: ThoughtStatus | undefined
  readonly kind?: ThoughtKind | undefined
  readonly subject?: string | undefined
  readonly limit: number
}

export interface Thoughts {
  /** Waiting agents hear of it when the transaction commits. False: it was added before. */
  add(thought: NewThought, at: Date): Promise<boolean>
  find(id: string): Promise<Thought | null>
  /** Locks the row until the transaction ends. */
  lock(id: string): Promise<Thought | null>
  /** Newest first. */
  list(filter: ThoughtFilter): Promise<Thought[]>
  /** What this agent has already, then what waits, the longest first. */
  open(agentId: AgentId, limit: number): Promise<Thought[]>
  /** True: some wait, or are in somebody's hands. */
  areOpen(): Promise<boolean>
  /** One conditional statement: null if it is over or another agent has it. */
  claim(id: string, agentId: AgentId, at: Date): Promise<Thought | null>
  /** What this agent has, or this one thought, is there for others again; what that was. */
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
