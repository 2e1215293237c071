// What is asked for when a specification is made, and what there was before.
import type { SpecTask, TargetComplexity } from '@treadle/contracts/specification'
import type { WrittenSpecification } from '@treadle/contracts/written-specification'
import type { RevisionRequest } from '../ports/spec-writings.ts'
import type { KeptSpecification } from '../ports/specifications.ts'

/** Who decides what stands in it. */
export type SpecWriter =
  /** Null: nobody else was to. */
  | { readonly is: 'rules'; readonly why: string | null }
  | { readonly is: 'model'; readonly engine: string; readonly written: WrittenSpecification }
  /** It stays as it was written before, and what was asked for since stands open. */
  | { readonly is: 'kept'; readonly why: string }

export interface GenerateRequest {
  readonly ideaSlug: string
  readonly userSlug?: string | undefined
  /** Null: as it was the last time. */
  readonly complexity: TargetComplexity | null
  /** Requests for changes that are carried out with it. */
  readonly requests?: readonly RevisionRequest[]
  /** By rules unless told. */
  readonly writer?: SpecWriter
  /** In the transaction that records it; false: somebody else was faster, and nothing is to be recorded. */
  readonly settle?: () => Promise<boolean>
}

/** tasks.md as it stands, and what was kept of it. */
export interface Past {
  readonly kept: KeptSpecification | null
  /** The text of tasks.md; null: there is none. */
  readonly text: string | null
  readonly theirs: readonly SpecTask[] | null
  readonly notes: readonly string[]
}
