// Questions and learned preferences as the flow needs them from the store. Types only.
import type { ItemRef, RunId } from '@treadle/contracts/ids'
import type {
  AgentQuestion,
  Preference,
  QuestionAnswer,
  QuestionRecord,
  QuestionStatus,
} from '@treadle/contracts/question'

export interface NewRecord {
  readonly question: AgentQuestion
  readonly event: string | null
  readonly template: string | null
  readonly subject: string | null
  readonly item: ItemRef | null
  readonly runId: RunId | null
  /** The id under which a run waits for the answer; null: no run does. */
  readonly askedAs: string | null
  /** What an earlier answer is found by. */
  readonly key: string
  readonly remindAt: Date | null
  readonly dueAt: Date | null
}

export interface QuestionFilter {
  readonly status?: QuestionStatus | undefined
  readonly item?: ItemRef | undefined
  readonly runId?: RunId | undefined
  readonly event?: string | undefined
  readonly sessionId?: string | undefined
  readonly limit: number
}

/** A question and what only the flow has to know of it. */
export interface KeptQuestion {
  readonly record: QuestionRecord
  readonly key: string
  readonly askedAs: string | null
}

export interface Questions {
  /** Whoever asks the same waits until this transaction ends, so that there is never a second one. */
  hold(key: string): Promise<void>
  /** Null: it is there already, under its id, its subject or the name by which a run asks it. */
  add(question: NewRecord, at: Date): Promise<QuestionRecord | null>
  find(id: string): Promise<KeptQuestion | null>
  /** Locks the row until the transaction ends; whoever locks an item too does so first. */
  lock(id: string): Promise<KeptQuestion | null>
  /** The question of a catalogue about a subject, whatever became of it. */
  about(template: string, subject: string): Promise<QuestionRecord | null>
  /** By the name under which a run waits for it. */
  ofRun(runId: RunId, askedAs: string): Promise<KeptQuestion | null>
  /** Asked in the same session, newest first. */
  inSession(by: { sessionId: string; key: string }): Promise<QuestionRecord[]>
  /** Answered by people, newest first. */
  answered(key: string, limit: number): Promise<QuestionRecord[]>
  /** Blocking ones first, then oldest first; those that are over newest first. */
  list(filter: QuestionFilter): Promise<QuestionRecord[]>
  /** Open, and it is time for a reminder or for the default. */
  due(now: Date, limit: number): Promise<QuestionRecord[]>
  /** Open, and somebody or something may have made them needless. */
  waiting(limit: number): Promise<KeptQuestion[]>
  settle(id: string, end: { status: QuestionStatus; answer: QuestionAnswer | null }): Promise<void>
  remind(id: string, at: Date): Promise<void>
}

interface NewPreference {
  readonly key: string
  readonly agent: string
  readonly event: string | null
  readonly tags: readonly string[]
  /** The question that taught it, as it was asked then. */
  readonly text: string
  readonly answer: string
  readonly option: string | null
  readonly by: string
}

export interface Preferences {
  find(key: string): Promise<Preference | null>
  /** A later answer to the same question takes the place of the earlier one. */
  learn(preference: NewPreference, at: Date): Promise<Preference>
  used(id: number, at: Date): Promise<void>
  /** Newest first. */
  list(limit: number): Promise<Preference[]>
  /** False: there is none. */
  forget(id: number): Promise<boolean>
}
