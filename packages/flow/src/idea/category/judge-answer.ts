// What follows an answer to a look for an improvement. Pure.

import type { IdeationOutcome } from '@treadle/contracts/category'
import type { CategoryIdea } from '@treadle/contracts/category-idea'
import { judgeIdea } from './judge-idea.ts'
import { parseIdea } from './parse-idea.ts'

export interface AnswerFacts {
  readonly text: string
  /** 1, or 2 after a reminder. */
  readonly attempt: number
  readonly titles: readonly { readonly number: number; readonly title: string }[]
  readonly packages: readonly string[] | null
}

export type AnswerJudged =
  | { readonly is: 'idea'; readonly idea: CategoryIdea }
  /** The same category is asked again, with these words below the request. */
  | {
      readonly is: 'again'
      readonly outcome: IdeationOutcome
      readonly why: string
      readonly reminder: string
    }
  /** The category is left alone: for long where nothing is worth doing, for a round where the answer did not hold. */
  | {
      readonly is: 'exhausted'
      readonly outcome: IdeationOutcome
      readonly why: string
      readonly lasts: 'long' | 'round'
    }

export function judgeAnswer({ text, attempt, titles, packages }: AnswerFacts): AnswerJudged {
  const read = parseIdea(text)
  if (read.is === 'none')
    return { is: 'exhausted', outcome: 'none', why: 'nothing in it is worth doing', lasts: 'long' }
  if (read.is === 'unreadable')
    return onceMore(
      attempt,
      { outcome: 'unreadable', why: `the answer could not be read: ${read.why}` },
      FORM,
    )
  const { idea } = read
  const judged = judgeIdea(idea, { titles, packages })
  switch (judged.is) {
    case 'valid':
      return { is: 'idea', idea }
    case 'duplicate':
      return forNow('duplicate', `"${idea.title}" is like #${judged.of}`)
    case 'unknown_dependency':
      return forNow('unknown_dependency', `"${idea.title}" counts on ${judged.name}, which is not there`)
    case 'too_long':
      return onceMore(attempt, { outcome: 'too_long', why: judged.why }, SHORTER)
    case 'too_few_criteria':
      return onceMore(attempt, { outcome: 'too_few_criteria', why: judged.why }, FORM)
  }
}

const FORM =
  'Keep exactly to the output format: **Title:**, **Description:**, **Acceptance Criteria:** with at least three lines that begin with "- AC-1.a: ", **Technical Approach:**, **Estimated Effort:** with one number of hours. Or answer NO_IDEA_AVAILABLE.'
const SHORTER =
  'The improvement must take at most 8 hours. Name a smaller one, or the most valuable part of this one. Or answer NO_IDEA_AVAILABLE.'

type Refused = { readonly outcome: IdeationOutcome; readonly why: string }

function onceMore(attempt: number, { outcome, why }: Refused, rule: string): AnswerJudged {
  if (attempt > 1) return forNow(outcome, why)
  return { is: 'again', outcome, why, reminder: `Your last answer was not taken: ${why}. ${rule}` }
}

function forNow(outcome: IdeationOutcome, why: string): AnswerJudged {
  return { is: 'exhausted', outcome, why, lasts: 'round' }
}
