// What a reviewer answered: JSON where it is there, the Markdown of the prompt otherwise. Whatever can be read in two
// ways is not read at all.
import { WrittenAnswer, type WrittenCriterion, type WrittenQuality } from '@treadle/contracts/review'
import { jsonObjectsIn } from './json-objects.ts'

type Verdict = 'APPROVED' | 'REJECTED'
type Quality = 'tests' | 'linting' | 'security' | 'documentation'

export interface CriterionAnswer {
  /** As it was written: an id, "Criterion 2", or the words of the criterion. */
  readonly about: string
  readonly met: boolean
  readonly note: string
}
interface QualityAnswer {
  readonly quality: Quality
  readonly passes: boolean
  readonly details: string
}
export interface ReviewAnswer {
  readonly status: Verdict
  readonly criteria: readonly CriterionAnswer[]
  readonly quality: readonly QualityAnswer[]
  readonly feedback: readonly string[]
}
export type AnswerRead =
  | { readonly is: 'read'; readonly answer: ReviewAnswer }
  | { readonly is: 'unreadable'; readonly why: string }

const PARTS_MAX = 200
const NOTE_MAX = 2_000

export function readAnswer(text: string): AnswerRead {
  if (text.trim() === '') return { is: 'unreadable', why: 'the answer is empty' }
  const fromJson = readJson(text)
  const status = statusOf(prose(text))
  if (status === 'both') return { is: 'unreadable', why: 'the answer both approves and rejects' }
  if (fromJson !== null && fromJson.is === 'unreadable') return fromJson
  if (fromJson !== null) {
    // One answer in two forms counts only if both say the same.
    return status !== null && status !== fromJson.answer.status
      ? { is: 'unreadable', why: 'the JSON and the text of the answer contradict each other' }
      : fromJson
  }
  if (status === null) return { is: 'unreadable', why: 'the answer has no status APPROVED or REJECTED' }
  const lines = prose(text).split(/\r?\n/)
  return {
    is: 'read',
    answer: {
      status,
      criteria: lines.flatMap(criterionIn).slice(0, PARTS_MAX),
      quality: lines.flatMap(qualityIn).slice(0, PARTS_MAX),
      feedback: feedbackIn(lines).slice(0, PARTS_MAX),
    },
  }
}

// ── JSON ────────────────────────────────────────────────────────────────────────────────────────

function readJson(written: string): AnswerRead | null {
  const found = jsonObjectsIn(written).filter(
    (object) => 'status' in object && verdictIn(object.status) !== null,
  )
  if (found.length === 0) return null
  const read = found.map((object) => WrittenAnswer.safeParse(object))
  const [first] = read
  const verdicts = new Set(found.map(({ status }) => verdictIn(status)))
  if (verdicts.size > 1) return { is: 'unreadable', why: 'the answer both approves and rejects' }
  if (read.length > 1) return { is: 'unreadable', why: 'there are several answers in one' }
  const status = verdictIn(found[0]?.status)
  if (first === undefined || !first.success || status === null)
    return { is: 'unreadable', why: 'the JSON of the answer does not have the form that was asked for' }
  const { criteria, quality, feedback } = first.data
  return {
    is: 'read',
    answer: {
      status,
      criteria: (criteria ?? []).map((each) => ({
        about: String(each.id ?? each.criterion ?? each.description ?? ''),
        met: isMet(each),
        note: clipped(noteOf(each)),
      })),
      quality: Object.entries(quality ?? {}).flatMap(([name, value]) => qualityOf(name, value)),
      feedback: [feedback ?? []]
        .flat()
        .map(clipped)
        .filter((line) => line !== ''),
    },
  }
}

/** The place, and what is quoted from there. */
function noteOf({ evidence, quote, reason, details }: WrittenCriterion): string {
  const said = evidence ?? reason ?? details ?? ''
  return quote == null || quote.trim() === ''
    ? said
    : `${said} \`${quote.replace(/`/g, "'").replace(/\s+/g, ' ').trim()}\``
}

/** Both ways to say it have to agree. */
function isMet({
  met,
  status,
}: {
  met?: boolean | null | undefined
  status?: string | null | undefined
}): boolean {
  const word = status == null ? null : /^met$/i.test(status.trim())
  return met == null ? word === true : met && word !== false
}

function qualityOf(name: string, value: WrittenQuality): QualityAnswer[] {
  const quality = qualityNamed(name)
  const word = typeof value === 'string' ? value : (value.result ?? value.status ?? '')
  if (quality === null || !/^(pass|fail)/i.test(word.trim())) return []
  const details = typeof value === 'string' ? '' : (value.details ?? '')
  return [{ quality, passes: /^pass/i.test(word.trim()), details: clipped(details) }]
}

function verdictIn(status: unknown): Verdict | null {
  if (typeof status !== 'string') return null
  const word = status.trim().toUpperCase()
  if (word === 'APPROVED' || word === 'APPROVE') return 'APPROVED'
  return word === 'REJECTED' || word === 'REJECT' || word === 'NOT APPROVED' ? 'REJECTED' : null
}

// ── Markdown ────────────────────────────────────────────────────────────────────────────────────

/** Without what is quoted in fences; an answer that is one fence as a whole is unwrapped. */
function prose(written: string): string {
  const wrapped = /^\s*```[\w-]*[ \t]*\r?\n([\s\S]*?)\r?\n```\s*$/.exec(written)
  const inner = wrapped?.[1] !== undefined && !wrapped[1].includes('```') ? wrapped[1] : written
  const outside: string[] = []
  let fence: string | null = null
  for (const line of inner.split(/\r?\n/)) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1]
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null
    else if (fence === null) outside.push(line)
  }
  return outside.join('\n')
}

const LABELLED =
  /^[\s>#*_-]*(?:status|verdict|decision)[\s*_]*:[\s*_`]*(not\s+approved|approved|rejected)\b(.*)$/gim
const ALONE = /^[\s>#*_`-]*(not\s+approved|approved|rejected)[\s.!*_`]*$/gim

function statusOf(written: string): Verdict | 'both' | null {
  const labelled = [...written.matchAll(LABELLED)]
    // The line of the prompt itself, repeated.
    .filter(([, , rest]) => !/[|/]\s*(approved|rejected)/i.test(rest ?? ''))
    .map(([, word]) => verdictIn(word?.replace(/\s+/g, ' ')))
  const said =
    labelled.length > 0
      ? labelled
      : [...written.matchAll(ALONE)].map(([, word]) => verdictIn(word?.replace(/\s+/g, ' ')))
  const verdicts = new Set(said)
  if (verdicts.size > 1) return 'both'
  return [...verdicts][0] ?? null
}

const CHECKED = /^\s*(?:[-*+]|\d{1,4}[.)])?\s*\[([ xX✓✔✗✘])\]\s*(.+)$/u
const NOT_MET = /\b(not|un|isn'?t|wasn'?t)[\s_-]*met\b/i

function criterionIn(line: string): CriterionAnswer[] {
  const [, box, rest] = CHECKED.exec(line) ?? []
  if (box === undefined || rest === undefined) return []
  const [, about, note] =
    /^(.+?)[*_`]*:[*_`]*\s*(?:\*\*)?(?:not[\s_-]?met|met|unmet)\b[*_]*(.*)$/i.exec(rest) ?? []
  return [
    {
      about: plain(about ?? rest),
      // A tick beside the words "not met" is no tick.
      met: /[xX✓✔]/u.test(box) && !NOT_MET.test(about === undefined ? rest : rest.slice(about.length)),
      note: clipped(noteIn(note ?? rest)),
    },
  ]
}

function noteIn(rest: string): string {
  const inner = /\((?:(?:evidence|reason|details)\s*:?\s*)?(.*)\)\s*[.*_]*\s*$/i.exec(rest)?.[1]
  const bare = rest.replace(/^[\s:,;.–—-]+/, '').replace(/^(?:evidence|reason|details)\s*:\s*/i, '')
  return (inner ?? bare).trim()
}

const QUALITY = /^[\s>*_+-]*([a-z]+)[*_]*\s*:[*_]*\s*[*_`]*(pass|fail)(?:ed|s|es)?\b[*_`]*(.*)$/i

function qualityIn(line: string): QualityAnswer[] {
  const [, name = '', word = '', rest = ''] = QUALITY.exec(line) ?? []
  const quality = qualityNamed(name)
  if (quality === null || /^\s*[|/]\s*(pass|fail)/i.test(rest)) return []
  return [{ quality, passes: /^pass$/i.test(word), details: clipped(noteIn(rest)) }]
}

function qualityNamed(name: string): Quality | null {
  const word = name.trim().toLowerCase()
  if (/^tests?(ing)?$/.test(word)) return 'tests'
  if (/^(lint|linter|linting)$/.test(word)) return 'linting'
  if (word === 'security') return 'security'
  return /^(docs?|documentation)$/.test(word) ? 'documentation' : null
}

const FEEDBACK =
  /^[\s#*_>]*(?:feedback for (?:the )?(?:execution|build(?:er|ing)?) ?agent|feedback|requested changes)[\s*_]*:?[\s*_]*(.*)$/i
const HEADING = /^\s*(#{1,6}\s|\*\*[^*]+:?\*\*:?\s*$)/
const NOTHING = /^[\s(*_-]*(none|n\/a|nothing|no feedback|-|only if rejected\b.*)[\s.)*_]*$/i

function feedbackIn(lines: readonly string[]): string[] {
  const start = lines.findIndex((line) => FEEDBACK.test(line))
  if (start < 0) return []
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => HEADING.test(line) && !FEEDBACK.test(line))
  const own = FEEDBACK.exec(lines[start] ?? '')?.[1] ?? ''
  return [own, ...(end < 0 ? rest : rest.slice(0, end))]
    .map((line) => clipped(line.replace(/^\s*(?:[-*+]|\d{1,4}[.)])\s+/, '')))
    .filter((line) => line !== '' && !NOTHING.test(line))
}

function plain(written: string): string {
  return written.replace(/[*_`]+/g, '').trim()
}

function clipped(written: string): string {
  return written.trim().slice(0, NOTE_MAX)
}
