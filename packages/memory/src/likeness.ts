// Whether two lessons say the same, so that only one of them is kept.
import type { Lesson, NewLesson } from '@treadle/contracts/lesson'
import { tellsRemedy } from './remedy.ts'
import { areTurned, denials, readSentence } from './sentence.ts'

export type ComparableLesson = Pick<Lesson | NewLesson, 'type' | 'content' | 'glob' | 'action' | 'signature'>

/** Below it two texts are no longer the same; a lesson kept twice costs less than one that is lost. */
export const ALIKE_MIN = 0.85
/** Fewer words say too little to be compared. */
const WORDS_MIN = 3
/** The most words that one text may have more than the other. */
const MORE_MAX = 1

/** The words of a lesson, numbers and names included, without those that every sentence has. */
export function wordsOf(text: string): ReadonlySet<string> {
  return readSentence(text).words
}

/**
 * Words of which each text that is alike has at least one: as many as can be missing in it, and one more. The longest
 * come first, as they are the rarest.
 */
export function tellingWords(text: string): string[] {
  const words = [...wordsOf(text)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
  return words.slice(0, MORE_MAX + 1)
}

/** A lesson without words is a count that an engine keeps: only the very same one is the same. */
export function isAlike(one: ComparableLesson, other: ComparableLesson): boolean {
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
function covers(wide: ComparableLesson, narrow: ComparableLesson): boolean {
  return (
    (wide.glob === null || wide.glob === narrow.glob) &&
    (wide.action === null || wide.action === narrow.action)
  )
}

/**
 * From 0, nothing in common, to 1. To advise against something is the opposite of advising it, and where a word was
 * exchanged for another it is another advice: only one of the two may say more, and not by a number.
 */
export function likeness(one: string, other: string): number {
  if (one.trim() === other.trim()) return 1
  const [mine, theirs] = [readSentence(one), readSentence(other)]
  if (Math.min(mine.words.size, theirs.words.size) < WORDS_MIN) return 0
  if (denials(one) % 2 !== denials(other) % 2) return 0
  if (areTurned(mine.directions, theirs.directions)) return 0
  const [more, less] = mine.words.size < theirs.words.size ? [theirs, mine] : [mine, theirs]
  const missing = [...more.words].filter((word) => !less.words.has(word))
  if (missing.length > MORE_MAX || missing.some((word) => /\d/.test(word))) return 0
  const shared = more.words.size - missing.length
  return shared < less.words.size ? 0 : (2 * shared) / (more.words.size + less.words.size)
}

/** Nearly all words in common, and yet not the same advice: one denies it, turns it round, or names another number. */
export function areOpposed(one: string, other: string): boolean {
  const [mine, theirs] = [readSentence(one), readSentence(other)]
  const [plain, others] = [withoutNumbers(mine.words), withoutNumbers(theirs.words)]
  const less = Math.min(plain.size, others.size)
  const shared = [...plain].filter((word) => others.has(word)).length
  if (less < WORDS_MIN || shared < less * OPPOSED_MIN || Math.max(plain.size, others.size) > 2 * less)
    return false
  const numbers = [numbersIn(mine.words), numbersIn(theirs.words)]
  return (
    denials(one) % 2 !== denials(other) % 2 ||
    areTurned(mine.directions, theirs.directions) ||
    (numbers.every((list) => list !== '') && numbers[0] !== numbers[1])
  )
}

/** As much of the shorter text stands in the longer one. */
const OPPOSED_MIN = 0.8
const DENYING = /^(?:without|avoid|stop|instead|unles|forbid|none|nor|neither)$/

function withoutNumbers(words: ReadonlySet<string>): Set<string> {
  return new Set([...words].filter((word) => !/\d/.test(word) && !DENYING.test(word)))
}

function numbersIn(words: ReadonlySet<string>): string {
  return [...words]
    .filter((word) => /\d/.test(word))
    .sort()
    .join(' ')
}

/** One that may say the same. */
export type Kin = ComparableLesson & Pick<Lesson, 'id' | 'confidence' | 'verdict' | 'weighed' | 'unconfirmed'>

export type RecordChoice =
  | { readonly is: 'record' }
  | { readonly is: 'count'; readonly id: string }
  | { readonly is: 'supersede'; readonly id: string }

/**
 * One that is at least as sure is enough, and else the surest of the weaker is replaced. What the trial has retired,
 * and what use has weighed, is not escaped by other words.
 */
export function decideRecord(lesson: NewLesson, known: readonly Kin[]): RecordChoice {
  const alike = known.filter((each) => isAlike(each, lesson)).sort((a, b) => b.confidence - a.confidence)
  const active = alike.filter(({ verdict }) => verdict !== 'retired')
  const bare = active.find((each) => tellsMore(lesson, each) && covers(lesson, each))
  if (bare !== undefined) return { is: 'supersede', id: bare.id }
  const better = active.find((each) => isKept(each, lesson) && covers(each, lesson))
  if (better !== undefined) return { is: 'count', id: better.id }
  const weaker = active.find((each) => !isKept(each, lesson) && covers(lesson, each))
  if (weaker !== undefined) return { is: 'supersede', id: weaker.id }
  const retired = alike.find((each) => each.verdict === 'retired' && covers(each, lesson))
  return retired === undefined ? { is: 'record' } : { is: 'count', id: retired.id }
}

/** What a model said never takes the place of what was seen or a person said; the other way round always. */
function isKept(known: Kin, { confidence, unconfirmed }: NewLesson): boolean {
  if (known.unconfirmed !== unconfirmed) return unconfirmed
  return known.weighed || known.confidence >= confidence
}

/** The way out of a trap is worth more than a warning alone; a warning that is surer by now stays all the same. */
function tellsMore(lesson: NewLesson, known: Kin): boolean {
  return (
    lesson.type === 'gotcha' &&
    lesson.signature !== null &&
    lesson.signature === known.signature &&
    tellsRemedy(lesson) &&
    !tellsRemedy(known)
  )
}
