// Whether two titles name the same issue. A false yes loses a good idea, a false no costs one that is had twice.
import { areTurned, denials } from '@treadle/memory/sentence'
import { type TitleAction, type TitleWords, titleWords } from './title-words.ts'

/** Over it, two titles are of one issue. */
export const DUPLICATE_OVER = 0.8
/** Titles of one issue are at least as alike, whatever little words they differ by. */
const SAME_MIN = 0.85

/** From 0, nothing in common, to 1. Over 0.8 only where both titles have the same words that matter. */
export function titleLikeness(one: string, other: string): number {
  return likenessOf(titleWords(one), titleWords(other))
}

/** The same of titles whose words were read before. */
export function likenessOf(one: TitleWords, other: TitleWords): number {
  if (one.plain === other.plain) return one.plain === '' ? 0 : 1
  const [mine, theirs] = [allIn(one), allIn(other)]
  const shared = mine.size - lackedBy(theirs, mine)
  const dice = (2 * shared) / Math.max(1, mine.size + theirs.size)
  return areSame(one, other) ? Math.max(dice, SAME_MIN) : Math.min(dice, DUPLICATE_OVER)
}

function areSame(one: TitleWords, other: TitleWords): boolean {
  const differ = lackedBy(one.words, other.words) + lackedBy(other.words, one.words)
  if (differ > 0 || areApart(one, other)) return false
  const isExchanged = lackedBy(one.soft, other.soft) > 0 && lackedBy(other.soft, one.soft) > 0
  const isEnough = one.words.size > 1 || (one.words.size === 1 && one.action === other.action)
  return isEnough && !isExchanged
}

function allIn({ words, soft }: TitleWords): ReadonlySet<string> {
  return new Set([...words, ...soft])
}

function lackedBy(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return [...others].filter((word) => !words.has(word)).length
}

/** Whether they want different things of the same thing. */
function areApart(one: TitleWords, other: TitleWords): boolean {
  return (
    areOtherActions(one.action, other.action) ||
    denials(one.plain) % 2 !== denials(other.plain) % 2 ||
    areTurned(one.directions, other.directions)
  )
}

/** A title that only names a thing may want it, see it, or have it mended; other verbs are among the words. */
function areOtherActions(one: TitleAction | null, other: TitleAction | null): boolean {
  return one !== null && other !== null && one !== other
}
