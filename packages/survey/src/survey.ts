// A survey looks at a repository with a program and says what is measurably wrong. It reads, and runs nothing of it.
import type { Category } from '@treadle/contracts/categories'
import type { Finding } from '@treadle/contracts/survey'
import type { Project } from './project.ts'

/** What a survey says; how it is measured follows from its key. */
export type FindingFacts = Omit<Finding, 'category' | 'measure'>

export type Looked =
  | {
      readonly is: 'looked'
      readonly findings: readonly FindingFacts[]
      /** What of it cannot be judged, for people; null: nothing. */
      readonly leftOut: string | null
    }
  /** There is nothing to look at, or what is there cannot be judged. */
  | { readonly is: 'skipped'; readonly why: string }

export interface Survey {
  readonly category: Category
  /** The first part of its keys, and what it is called while it looks. */
  readonly name: string
  readonly look: (project: Project) => Promise<Looked>
  /**
   * By the keys that they would have: what is of the same kind as a finding, whether anybody finds it or not. A finding
   * that is gone while its key is still among these was only put out of sight; one that came along was moved. Left out:
   * nothing but the trouble itself decides whether it is found.
   */
  readonly kin?: (project: Project, key: string) => Promise<readonly string[]>
}

export function looked(findings: readonly FindingFacts[], leftOut: string | null = null): Looked {
  return { is: 'looked', findings, leftOut }
}
