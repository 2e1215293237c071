// Which lessons are worth a place in the file that every agent reads, and what a person's answer means.
import type { Lesson } from '@treadle/contracts/lesson'
import type { QuestionAnswer } from '@treadle/contracts/question'
import type { Promotion } from './promotions.ts'

export const CONFIDENCE_MIN = 0.9
export const OCCURRENCES_MIN = 3
/** Seen in one item only, it may be a matter of that item. */
export const PLACES_MIN = 2

export interface PromotionFacts {
  readonly lesson: Pick<
    Lesson,
    'type' | 'content' | 'glob' | 'confidence' | 'occurrences' | 'seenIn' | 'verdict' | 'supersededAt'
  >
  /** The text of the file now; null: there is none. */
  readonly text: string | null
  /** The outcome of an earlier question about it. */
  readonly before: Pick<Promotion, 'status' | 'occurrences'> | null
}

export type PromotionChoice = { readonly is: 'ask' } | { readonly is: 'no'; readonly why: string }

export function decidePromotion({ lesson, text, before }: PromotionFacts): PromotionChoice {
  const against: [boolean, string][] = [
    [lesson.type !== 'pattern' && lesson.type !== 'gotcha', 'only patterns and gotchas hold for everybody'],
    [lesson.content.trim() === '', 'it has no words'],
    [lesson.supersededAt !== null || lesson.verdict === 'retired', 'it does not hold any more'],
    [lesson.confidence < CONFIDENCE_MIN, `it is less sure than ${CONFIDENCE_MIN}`],
    [lesson.occurrences < OCCURRENCES_MIN, `it was seen less than ${OCCURRENCES_MIN} times`],
    [!isUniversal(lesson), 'it is about one item or one folder'],
    [text !== null && isSaid(text, lesson.content), 'the file says it already'],
    [before !== null && before.status !== 'declined', 'somebody was asked already'],
    [
      before !== null && lesson.occurrences < 2 * before.occurrences,
      'somebody said no, and it was not seen twice as often since',
    ],
  ]
  const reason = against.find(([holds]) => holds)?.[1]
  return reason === undefined ? { is: 'ask' } : { is: 'no', why: reason }
}

/** Seen in several items, and about no folder in particular. */
export function isUniversal({ glob, seenIn }: Pick<Lesson, 'glob' | 'seenIn'>): boolean {
  return seenIn.length >= PLACES_MIN && (glob === null || !glob.replace(/^\*\*\//, '').includes('/'))
}

/** The same words, whatever the case, the spaces and the full stop. */
export function isSaid(text: string, content: string): boolean {
  const plain = (of: string) => of.toLowerCase().replace(/\s+/g, ' ').trim().replace(/\.$/, '')
  return plain(text).includes(plain(content))
}

export interface Conventions {
  readonly claude: string | null
  readonly agents: string | null
}

/** CLAUDE.md, unless there is only AGENTS.md, or CLAUDE.md does nothing but point to it. */
export function fileFor({ claude, agents }: Conventions): { file: string; text: string | null } {
  const points = claude !== null && /^@?(\.\/)?AGENTS\.md$/.test(claude.trim())
  if (agents !== null && (claude === null || points)) return { file: 'AGENTS.md', text: agents }
  return { file: 'CLAUDE.md', text: points ? null : claude }
}

const HEADING = '## What the crew has learned'

/** As a line under a heading of its own, in the line ends that the file has. */
export function withLesson(text: string | null, content: string): string {
  const eol = text?.includes('\r\n') === true ? '\r\n' : '\n'
  const lines = (text ?? '').split(/\r?\n/)
  const line = `- ${content.trim().replace(/\s*\r?\n\s*/g, ' ')}`
  while (lines.at(-1)?.trim() === '') lines.pop()
  const heading = lines.findIndex((each) => each.trim() === HEADING)
  if (heading < 0) return [...lines, ...(lines.length === 0 ? [] : ['']), HEADING, '', line, ''].join(eol)
  const next = lines.findIndex((each, at) => at > heading && /^#{1,2} /.test(each))
  const end = lastLine(lines, next < 0 ? lines.length : next)
  return [...lines.slice(0, end), line, ...lines.slice(end), ''].join(eol)
}

function lastLine(lines: readonly string[], end: number): number {
  let at = end
  while (at > 0 && lines[at - 1]?.trim() === '') at -= 1
  return at
}

export type Answered =
  | { readonly is: 'promote'; readonly text: string }
  | { readonly is: 'decline'; readonly why: string }

/** An answer changes a file only if it is a clear yes, or words of the person's own for it. */
export function readAnswer(
  { option, text }: Pick<QuestionAnswer, 'option' | 'text'>,
  proposed: string,
): Answered {
  if (option === 'Yes, promote it') return { is: 'promote', text: proposed }
  if (option === 'Modify it...') {
    const words = text.replace(/^Modify it(\.\.\.|…)?\s*:\s*/, '').trim()
    return words === '' ? { is: 'decline', why: 'no words were given' } : { is: 'promote', text: words }
  }
  return { is: 'decline', why: text }
}

const TRIES_MAX = 5
const WAIT_MS = 60_000

/** Longer after each time that it could not be written. */
export function isDue({ tries, triedAt }: Pick<Promotion, 'tries' | 'triedAt'>, now: Date): boolean {
  return triedAt === null || now.getTime() - triedAt.getTime() >= WAIT_MS * 2 ** (tries - 1)
}

export function isGivenUp(tries: number): boolean {
  return tries >= TRIES_MAX
}

/** The reason why a lesson does not hold any more since somebody was asked; null: it holds as it did. */
export function whyNotNow({
  verdict,
  supersededAt,
}: Pick<Lesson, 'verdict' | 'supersededAt'>): string | null {
  if (verdict === 'retired') return 'since it was asked about it was found not to help'
  return supersededAt === null ? null : 'since it was asked about it was taken back'
}

export function branchFor(lessonId: string): string {
  return `treadle/lessons-${lessonId.slice(0, 8)}`
}

export function messageFor({ id, occurrences }: Pick<Lesson, 'id' | 'occurrences'>, file: string): string {
  return `docs: ${file} says what was learned\n\nSeen ${occurrences} times.\n\nLesson: ${id}`
}
