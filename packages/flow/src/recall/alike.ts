// Whether two lessons say the same, so that only one of them is kept.
import type { Lesson, NewLesson } from '@treadle/contracts/lesson'

export type Said = Pick<Lesson | NewLesson, 'type' | 'content' | 'glob' | 'action' | 'signature'>

/** Lies between the pairs of alike.test.ts; a lesson kept twice costs less than one that is lost. */
export const ALIKE_MIN = 0.7
/** Fewer words say too little to be compared. */
const WORDS_MIN = 3
const WORDS_MAX = 400

const EMPTY = new Set(
  `a an and are as at be been but by can do does for from had has have if in into is it its must of on or
  should so that the their them then there these they this those to use used using was we were when where
  which will with you your`.split(/\s+/),
)
const DENIAL =
  /\b(?:not|never|no|none|nor|neither|without|avoid|avoids|cannot|stop|instead|unless|forbid|forbidden)\b|n['’]t\b/giu

/** Where one text has the one word and the other text the other, they do not say the same, however much they share. */
const OPPOSITES = [
  ['before', 'after'],
  ['always', 'sometime'],
  ['enable', 'disable'],
  ['add', 'remove'],
  ['open', 'close'],
  ['first', 'last'],
  ['real', 'mock'],
  ['allow', 'refuse'],
  ['increase', 'decrease'],
  ['raise', 'lower'],
  ['start', 'end'],
  ['sync', 'async'],
  ['true', 'false'],
  ['client', 'server'],
  ['read', 'write'],
] as const

/** What the lesson says, numbers and names included, without words that every sentence has. */
export function wordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const own = words
    .slice(0, WORDS_MAX)
    .filter((word) => !EMPTY.has(word) && (word.length > 1 || /\d/.test(word)))
  return new Set(own.map((word) => (word.length > 3 ? word.replace(/s$/, '') : word)))
}

/**
 * Words of which each text that is alike has at least one: as many as can be missing in it, and one more. The longest
 * come first, as they are the rarest.
 */
export function tellingWords(text: string): string[] {
  const words = [...wordsOf(text)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  const shared = Math.ceil((ALIKE_MIN * words.length) / (2 - ALIKE_MIN))
  return words.slice(0, words.length - shared + 1)
}

/** A lesson without words is a count that an engine keeps: only the very same one is the same. */
export function isAlike(one: Said, other: Said): boolean {
  if (one.type !== other.type || one.content === '' || other.content === '') return false
  const signed = one.signature !== null && other.signature !== null
  const sameSignature = signed && one.signature === other.signature
  // An error that was met again is the same trap, whatever was said about it; but it may have several ways out.
  if (sameSignature && (one.type === 'gotcha' || one.type === 'unresolved_error')) return true
  if (signed && !sameSignature) return false
  if (one.type === 'resolution' && one.signature !== other.signature) return false
  return likeness(one.content, other.content) >= ALIKE_MIN
}

/** Whether what the narrow one is about is all within what the wide one is about. */
function covers(wide: Said, narrow: Said): boolean {
  return (
    (wide.glob === null || wide.glob === narrow.glob) &&
    (wide.action === null || wide.action === narrow.action)
  )
}

/** From 0, nothing in common, to 1; to advise against something is the opposite of advising it. */
export function likeness(one: string, other: string): number {
  const [mine, theirs] = [wordsOf(one), wordsOf(other)]
  if (one.trim() === other.trim()) return 1
  if (Math.min(mine.size, theirs.size) < WORDS_MIN) return 0
  if (denials(one) % 2 !== denials(other) % 2) return 0
  // A number in one that the other does not have is a fact of its own.
  if (!sameNumbers(mine, theirs) || areOpposed(mine, theirs)) return 0
  let shared = 0
  for (const word of mine) if (theirs.has(word)) shared += 1
  return (2 * shared) / (mine.size + theirs.size)
}

function denials(text: string): number {
  return text.match(DENIAL)?.length ?? 0
}

function sameNumbers(mine: ReadonlySet<string>, theirs: ReadonlySet<string>): boolean {
  const numbers = (words: ReadonlySet<string>) =>
    [...words]
      .filter((word) => /^\d+$/.test(word))
      .sort()
      .join()
  const [one, other] = [numbers(mine), numbers(theirs)]
  return one === '' || other === '' || one === other
}

function areOpposed(mine: ReadonlySet<string>, theirs: ReadonlySet<string>): boolean {
  const only = (word: string, here: ReadonlySet<string>, there: ReadonlySet<string>) =>
    here.has(word) && !there.has(word)
  return OPPOSITES.some(
    ([one, other]) =>
      (only(one, mine, theirs) && only(other, theirs, mine)) ||
      (only(one, theirs, mine) && only(other, mine, theirs)),
  )
}

/** One that may say the same. */
export type Kin = Said & Pick<Lesson, 'id' | 'confidence'>

export type RecordChoice =
  | { readonly is: 'record' }
  | { readonly is: 'count'; readonly id: string }
  | { readonly is: 'supersede'; readonly id: string }

/** Surest first is not needed: one that is at least as sure is enough, and else the surest of the weaker is replaced. */
export function decideRecord(lesson: NewLesson, known: readonly Kin[]): RecordChoice {
  const alike = known.filter((each) => isAlike(each, lesson)).sort((a, b) => b.confidence - a.confidence)
  const better = alike.find((each) => each.confidence >= lesson.confidence && covers(each, lesson))
  if (better !== undefined) return { is: 'count', id: better.id }
  const weaker = alike.find((each) => each.confidence < lesson.confidence && covers(lesson, each))
  return weaker === undefined ? { is: 'record' } : { is: 'supersede', id: weaker.id }
}
