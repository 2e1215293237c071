// What looks for improvements need of the world.
import type { Category } from '@treadle/contracts/categories'
import type { Config } from '@treadle/contracts/config'
import type { AgentRow } from '../../ports/agents.ts'
import type { Store } from '../../ports/store.ts'

export interface LookWorld {
  readonly store: Pick<
    Store,
    'tx' | 'ideations' | 'items' | 'events' | 'thoughts' | 'healthCounts' | 'agents'
  >
  readonly now: () => Date
  readonly uuid: () => string
  readonly config: () => Config
  /** The template of a category, filled with what is known of the repository. */
  readonly prompt: (category: Category) => Promise<CategoryPrompt>
  /** Packages that the repository asks for already; null: nobody knows. */
  readonly packages: () => Promise<readonly string[] | null>
  /** When the code was changed last; null, or left out: nobody knows. */
  readonly changedAt?: () => Promise<Date | null>
  /** Categories that a program can look at, without a model. */
  readonly surveyed: readonly Category[]
  readonly hasTests: () => boolean
  /** Why the tests of the target cannot be run now; null: they can. */
  readonly unready: () => string | null
  /** Why nobody may begin what costs money; null: they may. */
  readonly hold: () => string | null
  readonly isIdle: (agent: AgentRow) => boolean
}

export type CategoryPrompt =
  | { readonly is: 'prompt'; readonly text: string }
  | { readonly is: 'missing'; readonly why: string }
