// What people say to a run at work, and what it asks them, as the agent brings it.
import type { Guidance, Plan, Question, Reflection } from '@treadle/contracts/paor'

/** What a goal has behind it when its loop begins again. */
export interface GoalPast {
  readonly plans: readonly Plan[]
  readonly reflections: readonly Reflection[]
}

export interface GuidanceChannel {
  /** All that was said about the item so far, oldest first. */
  said(): readonly Guidance[]
  /** Resolves once all that was said by now is known; a daemon that is away is not waited for. */
  refresh(): Promise<void>
  /** Of these, what no engine has been told yet; they count as told from now on. */
  hear(guidance: readonly Guidance[]): readonly Guidance[]
  /** What no engine has been told yet. */
  unheard(): readonly Guidance[]
  /** Hands on what is said from now on, until the result is called. */
  listen(onGuidance: (guidance: Guidance) => void): () => void
  /** What was asked under an id in this run; null: that is not known. */
  asked(id: string): string | null
  /** The question that a predecessor has left open; null: there is none. */
  left(): Question | null
  /** The question under the id by which it is answered, and whether a predecessor has asked it already. */
  put(question: Question): { readonly question: Question; readonly asked: boolean }
  /** The answer to a question that was put, however long that takes. Null: the work was ended before it came. */
  answer(question: Question, signal: AbortSignal): Promise<Guidance | null>
  /** True while somebody waits for the answer to this question. */
  awaits(id: string): boolean
  /** A question that a predecessor has left is over with the next plan. */
  planned(plan: Plan): void
  reflected(reflection: Reflection): void
  /** What each engine calls its conversation in this run, by the engine's name. */
  conversations(): ReadonlyMap<string, string>
  /** What this process, and those before it, have done for the goal in this run. */
  past(): GoalPast
}
