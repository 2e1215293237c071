// What one language's functions made of the same calls. Types only.
import type { InputFacts } from '../inputs/judge-inputs.ts'

export type LookedInputs =
  | ({ readonly is: 'looked' } & InputFacts)
  /** Nothing of it applies. */
  | { readonly is: 'skipped'; readonly why: string }
  | { readonly is: 'not_run'; readonly why: string }
