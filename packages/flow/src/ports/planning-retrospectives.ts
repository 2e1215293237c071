// Where the looks back on ideas, specifications and builds are kept. Types only.
import type { Planning, PlanningRetrospective } from '@treadle/contracts/planning-retrospective'

export interface PlanningRetrospectives {
  /** False: there is one already, and that stays. */
  add(made: PlanningRetrospective): Promise<boolean>
  find(planning: Planning): Promise<PlanningRetrospective | null>
  /** Of the last revision that was looked at, of the last end of a build; of an idea the only one. */
  latest(is: Planning['is'], slug: string): Promise<PlanningRetrospective | null>
  /** Newest first; of each specification, and of its builds, the last one that was looked at. */
  list(query: { is?: Planning['is'] | undefined; limit: number }): Promise<PlanningRetrospective[]>
}

/** A change of a template that a person was asked about. */
export interface TemplateProposal {
  /** Which improvement of which template, such as `spec/unchecked_criterion`. */
  readonly key: string
  /** The file in the checkout, relative to it. */
  readonly path: string
  readonly status: 'asked' | 'applied' | 'declined'
  readonly questionId: string
  /** The template as it stood when it was shown, and as it would stand. */
  readonly before: string
  readonly after: string
  readonly why: string | null
}

export interface TemplateProposals {
  find(workspace: string, key: string): Promise<TemplateProposal | null>
  /** Asks anew what is not settled; false: it is. */
  ask(workspace: string, proposal: Omit<TemplateProposal, 'status' | 'why'>, at: Date): Promise<boolean>
  /** Those that a person has not settled yet. */
  asked(workspace: string, limit: number): Promise<TemplateProposal[]>
  /** False: somebody else has settled it. */
  settle(
    workspace: string,
    key: string,
    end: { status: 'applied' | 'declined'; why: string | null; at: Date },
  ): Promise<boolean>
}
