// Whether an idea that was read may become an item: enough criteria, small enough, new, and on ground that is there.
import type { CategoryIdea } from '@treadle/contracts/category-idea'
import { unknownDependency } from './named-dependencies.ts'
import { DUPLICATE_OVER, likenessOf } from './title-likeness.ts'
import { titleWords } from './title-words.ts'

const CRITERIA_MIN = 3
const EFFORT_HOURS_MAX = 8

export interface KnownToIdeas {
  /** Titles that an idea must not repeat. */
  readonly titles: readonly { readonly number: number; readonly title: string }[]
  /** What the manifests of the repository ask for; null: they do not tell. */
  readonly packages: readonly string[] | null
}

export type IdeaJudgement =
  | { readonly is: 'valid' }
  /** `why` is told to the model, which is asked once more. */
  | { readonly is: 'too_few_criteria' | 'too_long'; readonly why: string }
  | { readonly is: 'duplicate'; readonly of: number; readonly likeness: number }
  | { readonly is: 'unknown_dependency'; readonly name: string }

export function judgeIdea(idea: CategoryIdea, known: KnownToIdeas): IdeaJudgement {
  const { acceptanceCriteria, effort } = idea
  if (acceptanceCriteria.length < CRITERIA_MIN)
    return {
      is: 'too_few_criteria',
      why: `it has ${acceptanceCriteria.length} acceptance criteria, and at least ${CRITERIA_MIN} are needed`,
    }
  if (effort > EFFORT_HOURS_MAX)
    return {
      is: 'too_long',
      why: `it is estimated at ${effort} hours, and at most ${EFFORT_HOURS_MAX} are allowed`,
    }
  const twin = likest(idea.title, known.titles)
  if (twin !== null) return { is: 'duplicate', ...twin }
  const name = known.packages === null ? null : unknownDependency(idea.technicalApproach, known.packages)
  return name === null ? { is: 'valid' } : { is: 'unknown_dependency', name }
}

function likest(title: string, titles: KnownToIdeas['titles']): { of: number; likeness: number } | null {
  const words = titleWords(title)
  let best: { of: number; likeness: number } | null = null
  for (const known of titles) {
    const likeness = likenessOf(words, titleWords(known.title))
    if (likeness > Math.max(DUPLICATE_OVER, best?.likeness ?? 0)) best = { of: known.number, likeness }
  }
  return best
}
