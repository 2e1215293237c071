// Ideas as the flow needs them from the store. Types only.
import type { Idea, IdeaMessage, IdeaStatus } from '@treadle/contracts/idea'

/** An idea and what only the flow has to know of it. */
export interface KeptIdea {
  readonly idea: Idea
  /** Counts what has changed of it. */
  readonly revision: number
  /** The revision that the documents in the checkout were written from. */
  readonly documented: number
}

export type IdeaChanges = Partial<
  Pick<
    Idea,
    | 'phase'
    | 'status'
    | 'mode'
    | 'engine'
    | 'modeWhy'
    | 'signals'
    | 'questions'
    | 'candidateAt'
    | 'completedAt'
  >
>

/** The ideas of this workspace; several may share one database. */
export interface Ideas {
  /** False: the slug is taken, maybe in another workspace. */
  add(idea: Idea): Promise<boolean>
  find(slug: string): Promise<KeptIdea | null>
  /** Locks the row until the transaction ends; whoever locks questions too does so after it. */
  lock(slug: string): Promise<KeptIdea | null>
  /** The last changed first. */
  list(filter: { status?: IdeaStatus | undefined; limit: number }): Promise<KeptIdea[]>
  /** A later revision of it. */
  patch(slug: string, changes: IdeaChanges, at: Date): Promise<void>
  /** Kept once by its id; false: it is there already. */
  say(slug: string, message: IdeaMessage): Promise<boolean>
  /** Which idea a message was said to. */
  ofMessage(id: string): Promise<string | null>
  /** The newest so many, oldest first; with `role`, only of those. */
  messages(slug: string, query: { limit: number; role?: IdeaMessage['role'] }): Promise<IdeaMessage[]>
  messageCount(slug: string): Promise<number>
  /** The documents were written from this revision. */
  markDocumented(slug: string, revision: number): Promise<void>
  /** Candidates whose documents are older than they are. */
  undocumented(limit: number): Promise<KeptIdea[]>
}
