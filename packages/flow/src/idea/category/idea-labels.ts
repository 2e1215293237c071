// The labels that the parts of an idea stand under: `**Title:** …`, `## Description`, `Acceptance Criteria:`.

export type IdeaPart = 'title' | 'description' | 'criteria' | 'approach' | 'effort'

export interface IdeaLabel {
  readonly part: IdeaPart
  /** What stands behind it in its line. */
  readonly rest: string
  /** It is a heading or bold. */
  readonly isMarked: boolean
  /** It is an entry of a list. */
  readonly isListed: boolean
}

const PARTS: Readonly<Record<string, IdeaPart>> = {
  title: 'title',
  'idea title': 'title',
  description: 'description',
  'acceptance criteria': 'criteria',
  'technical approach': 'approach',
  'estimated effort': 'effort',
  'effort estimate': 'effort',
  effort: 'effort',
}
/** Labels are short; so no pattern is tried on a long line. */
const HEAD_CHARS = 120

const LIST_MARK = /^(?:[-*+•]|\d{1,2}[.)])\s+/
const HEADING = /^#{1,6}\s*/
/** A number or a picture before the word; what is quoted is no label. */
const ORNAMENT = /^[^\p{L}\n>]{0,8}/u
const NAMES = Object.keys(PARTS).join('|').replaceAll(' ', '\\s{1,4}')
const NAME = new RegExp(`^(${NAMES})(?![\\p{L}\\p{N}-])(?:\\s*\\([^()]{0,40}\\))?`, 'iu')
const PLAIN_END = /^\s*([:：]|[-–—]\s)?\s*/
const BOLD_END = /^\s*(?:[*_]{1,3}\s*([:：]|[-–—]\s)?|([:：])\s*[*_]{1,3})\s*/

/** Null: the line is no label. What is in a code fence is not asked about. */
export function labelIn(line: string): IdeaLabel | null {
  const whole = line.trim()
  const mark = LIST_MARK.exec(whole.slice(0, HEAD_CHARS))?.[0] ?? ''
  const unlisted = whole.slice(mark.length)
  const heading = HEADING.exec(unlisted.slice(0, HEAD_CHARS))?.[0] ?? ''
  const head = headIn(unlisted.slice(heading.length, heading.length + HEAD_CHARS))
  if (head === null) return null
  const rest = unlisted.slice(heading.length + head.length).trim()
  const isMarked = heading !== '' || head.isBold
  const isAlone = /^#*$/.test(rest)
  const isLabel = isMarked ? head.separator !== '' || isAlone : isPlainLabel(head, isAlone, mark)
  return isLabel ? { part: head.part, rest: isAlone ? '' : rest, isMarked, isListed: mark !== '' } : null
}

/** A word that a sentence or a list begins with is no label. Alone in its line, two words are one. */
function isPlainLabel({ separator, words }: LabelHead, isAlone: boolean, mark: string): boolean {
  if (/^[-*+•]/.test(mark)) return false
  return separator === ':' || separator === '：' || (isAlone && mark === '' && words > 1)
}

interface LabelHead {
  readonly part: IdeaPart
  readonly isBold: boolean
  /** A colon or a dash behind the name; empty: none. */
  readonly separator: string
  /** Of its name. */
  readonly words: number
  readonly length: number
}

function headIn(text: string): LabelHead | null {
  const ornament = ORNAMENT.exec(text)?.[0] ?? ''
  const name = NAME.exec(text.slice(ornament.length))
  const part = PARTS[name?.[1]?.toLowerCase().replace(/\s+/, ' ') ?? '']
  if (name === null || part === undefined) return null
  const behind = text.slice(ornament.length + name[0].length)
  const bold = /[*_]/.test(ornament) ? BOLD_END.exec(behind) : null
  const end = bold ?? PLAIN_END.exec(behind)
  return {
    part,
    isBold: bold !== null,
    separator: end?.[1] ?? end?.[2] ?? '',
    words: (name[1] ?? '').split(/\s+/).length,
    length: ornament.length + name[0].length + (end?.[0].length ?? 0),
  }
}

/** A heading, or a bold label of whatever name, alone or with a colon: it ends a list that stands above it. */
export function isMarkedLine(line: string): boolean {
  const head = line.trim().slice(0, HEAD_CHARS)
  return /^#{1,6}\s/.test(head) || /^(?:\*\*|__)[^*_]{1,80}(?::(?:\*\*|__)|(?:\*\*|__)\s?(?::|$))/.test(head)
}
