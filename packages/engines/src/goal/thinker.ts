// The thinker of a goal, and where the thinking is done.
import type { Plan, Reflection, Verified } from '@treadle/contracts/paor'
import type { Observation } from '@treadle/contracts/run'
import type { EngineAnswer, EngineEvent, EngineQuestion, GoalTask, TurnEnd } from '@treadle/flow/ports/engine'

/** Facts that a thinker knows when it is asked. */
export interface PaorFacts {
  readonly goal: string
  /** 1 for the first. */
  readonly iteration: number
  readonly iterationsMax: number
  readonly guidance: readonly string[]
  /** Folders that people have confined the work to; empty: none. */
  readonly scope: readonly string[]
  readonly plans: readonly Plan[]
  readonly reflections: readonly Reflection[]
  /** Observations of this iteration; before the act phase, of the one before it. */
  readonly observations: readonly Observation[]
  readonly said: string
  readonly verifyCommand: string | null
  readonly verified: Verified | null
  /** Why the plan that was just made cannot be followed. */
  readonly complaint: string | null
}

/** A model may be out of reach, or have had enough: then the turn is over. */
export type Thought<T> =
  | { readonly is: 'had'; readonly value: T }
  | { readonly is: 'ended'; readonly end: TurnEnd }

export type PlanDraft = Pick<Plan, 'tasks' | 'scope' | 'why'>
export type Judgement = Pick<Reflection, 'verdict' | 'why' | 'remaining' | 'question'>

export interface Acted {
  /** The thinker's words of what it did, for people. */
  readonly said: string
  /** Told as events while they were made, by the thinker. */
  readonly observations: readonly Observation[]
}

export interface Thinker {
  plan(facts: PaorFacts): Promise<Thought<PlanDraft>>
  act(plan: Plan, facts: PaorFacts): Promise<Thought<Acted>>
  reflect(facts: PaorFacts): Promise<Thought<Judgement>>
}

export interface PaorWorld {
  readonly signal: AbortSignal
  onEvent(event: EngineEvent): void
  onQuestion(question: EngineQuestion): Promise<EngineAnswer>
  verify(command: string): Promise<Verified & { readonly durationMs: number }>
  /** Resolves once what people have said by now is in `guidance`. */
  hear?(): Promise<void>
  /** Words of people since the turn began. */
  guidance(): readonly string[]
  /** Words of it that were answers: whoever asked has them already, and no plan is made for their sake alone. */
  answers?(): readonly string[]
  /** Whether there is something of that name in the worktree; left out: nobody can tell. */
  isPlace?(name: string): boolean
  /** From now on nothing that is said gets into a plan. */
  concluded(): void
}

export interface PaorGoal {
  readonly text: string
  readonly task: GoalTask
}
