// What was noted of a delivery, read back; and what comes of its comments.
import { LineComment, type LineFate, type TracedComment } from '@treadle/contracts/delivery'

/** What a reader has noted of a delivery. */
export interface Marks {
  readonly viewed: readonly string[]
  readonly drafts: readonly LineComment[]
  readonly words: string
  /** Earlier comments that the reader has ticked, by `commentKey`. */
  readonly ticked: readonly string[]
}

export const NO_MARKS: Marks = { viewed: [], drafts: [], words: '', ticked: [] }

/** What cannot be read was never noted. */
export function readMarks(text: string | null): Marks {
  const kept = parsed(text)
  const drafts = listIn(kept.drafts).flatMap((draft) => {
    const read = LineComment.safeParse(draft)
    return read.success ? [read.data] : []
  })
  const words = typeof kept.words === 'string' ? kept.words : ''
  return { viewed: textsIn(kept.viewed), drafts, words, ticked: textsIn(kept.ticked) }
}

function parsed(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(text ?? '{}')
    return typeof read === 'object' && read !== null ? { ...read } : {}
  } catch {
    return {}
  }
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const textsIn = (value: unknown) => listIn(value).filter((each): each is string => typeof each === 'string')

export const COMMENT_CHARS_MAX = 1_500

/** Where a comment is: one place has one. */
export function placeOf({ path, line, side }: Pick<LineComment, 'path' | 'line' | 'side'>): string {
  return `${side} ${line} ${path}`
}

export function withDraft(drafts: readonly LineComment[], draft: LineComment): LineComment[] {
  return [...withoutDraft(drafts, draft), draft]
}

export function withoutDraft(
  drafts: readonly LineComment[],
  draft: Omit<LineComment, 'text'>,
): LineComment[] {
  return drafts.filter((each) => placeOf(each) !== placeOf(draft))
}

export function toggled(all: readonly string[], one: string): string[] {
  return all.includes(one) ? all.filter((each) => each !== one) : [...all, one]
}

export function commentKey(comment: TracedComment): string {
  return `${comment.askedIn} ${placeOf(comment)} ${comment.text.slice(0, 40)}`
}

export const FATE_WORDS: Readonly<Record<LineFate, { readonly words: string; readonly tone: string }>> = {
  changed: { words: 'Line changed', tone: 'good' },
  beside: { words: 'Not changed, lines beside it did', tone: 'attention' },
  unchanged: { words: 'Not changed', tone: 'bad' },
  file_deleted: { words: 'File deleted', tone: 'attention' },
  unknown: { words: 'Cannot be told', tone: 'plain' },
}

/** What the button that sends changes back is called. */
export function requestWords(drafts: number): string {
  if (drafts === 0) return 'Request changes'
  return `Request changes (${drafts === 1 ? '1 comment' : `${drafts} comments`})`
}

/** Why a request cannot be sent; null if it can. */
export function requestProblem(words: string, drafts: readonly LineComment[]): string | null {
  return words.trim() === '' && drafts.length === 0
    ? 'Say what should change, here or on a line of the diff.'
    : null
}
