// Reads the answer to a category prompt: one idea in the form that was asked for, no idea, or neither.
import { CATEGORY_IDEA_MAX, CategoryIdea } from '@treadle/contracts/category-idea'
import { criteriaIn } from './criteria-list.ts'
import { effortHours } from './effort-hours.ts'
import { type IdeaLabel, type IdeaPart, labelIn } from './idea-labels.ts'
import { fenceIn, type IdeaLine, ideaLines, withCode } from './idea-lines.ts'

export type IdeaRead =
  | { readonly is: 'idea'; readonly idea: CategoryIdea }
  | { readonly is: 'none' }
  /** `why` is for the log and for the model, which is asked once more. */
  | { readonly is: 'unreadable'; readonly why: string }

const ANSWER_CHARS_MAX = 100_000
const QUOTED_CHARS = 80

/** The names of the parts as a model was asked to write them. */
const PART_WORDS: Readonly<Record<IdeaPart, string>> = {
  title: 'Title',
  description: 'Description',
  criteria: 'Acceptance Criteria',
  approach: 'Technical Approach',
  effort: 'Estimated Effort',
}

export function parseIdea(text: string): IdeaRead {
  if (text.trim() === '') return { is: 'unreadable', why: 'the answer is empty' }
  if (text.length > ANSWER_CHARS_MAX)
    return { is: 'unreadable', why: `the answer has more than ${ANSWER_CHARS_MAX} characters` }
  const lines = unwrapped(ideaLines(text))
  const labels = lines.map(({ text: line, isCode }) => (isCode ? null : labelIn(line)))
  const first = labels.find((label) => label?.part === 'title') ?? null
  if (saysNone(lines, first)) return { is: 'none' }
  if (first === null) return { is: 'unreadable', why: 'it has no line that begins with **Title:**' }
  const sameStyle = ({ isMarked, isListed }: IdeaLabel) =>
    isMarked === first.isMarked && isListed === first.isListed
  const strict = labels.map((label) => (label !== null && sameStyle(label) ? label : null))
  const read = firstIdea(lines, strict)
  return read.is === 'idea' ? read : firstIdea(lines, labels)
}

// ── No idea ─────────────────────────────────────────────────────────────────────────────────────

const NONE = 'NO_IDEA_AVAILABLE'
const LOOSE_NONE = /^no[ _-]ideas?[ _-]available$/i
const LINE_CHARS_MAX = 400

/**
 * The first line says it alone, or any line says it where no idea is begun. An idea that only quotes the word stays
 * one.
 */
function saysNone(lines: readonly IdeaLine[], title: IdeaLabel | null): boolean {
  const said = lines.map(({ text }) => text.trim()).filter((line) => line !== '' && fenceIn(line) === null)
  const [begin = ''] = said
  if (isNone(begin) || (title !== null && isNone(title.rest))) return true
  return title === null && said.some(endsInNone)
}

function isNone(line: string): boolean {
  const bare = bareWords(line)
  return bare === NONE || LOOSE_NONE.test(bare)
}

/** As the first or last word of a line, with a reason before or behind it. */
function endsInNone(line: string): boolean {
  const begin = bareWords(line)
  const end = bareWords(line.slice(-LINE_CHARS_MAX))
  return isNone(line) || begin.startsWith(`${NONE} `) || end.endsWith(` ${NONE}`)
}

/** Without emphasis, quotation marks and the backslashes that keep underscores from being emphasis. */
function bareWords(line: string): string {
  const words =
    line
      .slice(0, LINE_CHARS_MAX)
      .replaceAll('\\_', '_')
      .match(/[\p{L}\p{N}_-]+/gu) ?? []
  return words.map((word) => word.replace(/^_{1,3}|_{1,3}$/g, '')).join(' ')
}

// ── The idea ────────────────────────────────────────────────────────────────────────────────────

/** Without the code fence in which a model has put all of its idea. */
function unwrapped(lines: readonly IdeaLine[]): readonly IdeaLine[] {
  const open = lines.findIndex(({ text }, at) => fenceIn(text) !== null && titleFollows(lines, at + 1))
  const isBare = lines.slice(0, open).every(({ text, isCode }) => isCode || labelIn(text)?.part !== 'title')
  if (open < 0 || !isBare) return lines
  const inner = lines.slice(open + 1).map(({ text }) => text)
  const fences = inner.flatMap((line, at) => (fenceIn(line) === null ? [] : [at]))
  const close = fences.length % 2 === 1 ? inner.findLastIndex((line) => fenceIn(line)?.isBare === true) : -1
  const before = lines.slice(0, open).map(({ text }) => text)
  return withCode([...before, ...inner.map((line, at) => (at === close ? '' : line))])
}

function titleFollows(lines: readonly IdeaLine[], from: number): boolean {
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at]?.text ?? ''
    if (line.trim() !== '') return labelIn(line)?.part === 'title'
  }
  return false
}

type Parts = ReadonlyMap<IdeaPart, readonly IdeaLine[]>

/** The first that is complete; else what the first lacks that is more than the form that the prompt has shown. */
function firstIdea(lines: readonly IdeaLine[], labels: readonly (IdeaLabel | null)[]): IdeaRead {
  const starts = labels.flatMap((label, at) => (label?.part === 'title' ? [at] : []))
  let refused: IdeaRead | null = null
  for (const [nth, start] of starts.entries()) {
    const end = starts[nth + 1] ?? lines.length
    const parts = partsIn(lines.slice(start, end), labels.slice(start, end))
    if (isForm(titleIn(parts))) continue
    const read = ideaOf(parts)
    if (read.is === 'idea') return read
    refused ??= read
  }
  return (
    refused ?? {
      is: 'unreadable',
      why: 'it repeats the form that was asked for, and has no title of its own',
    }
  )
}

/** Of two parts with one label the first counts; the label of the second is text like any other. */
function partsIn(lines: readonly IdeaLine[], labels: readonly (IdeaLabel | null)[]): Parts {
  const parts = new Map<IdeaPart, IdeaLine[]>()
  let open: IdeaLine[] = []
  for (const [at, line] of lines.entries()) {
    const label = labels[at] ?? null
    if (label !== null && !parts.has(label.part)) {
      open = label.rest === '' ? [] : [{ text: label.rest, isCode: false }]
      parts.set(label.part, open)
    } else open.push(line)
  }
  return parts
}

function ideaOf(parts: Parts): IdeaRead {
  const title = titleIn(parts)
  const description = proseIn(parts, 'description')
  const acceptanceCriteria = criteriaIn(parts.get('criteria') ?? [])
  const technicalApproach = proseIn(parts, 'approach')
  const effortLines = (parts.get('effort') ?? []).map(({ text }) => text)
  const effort = effortHours(effortLines)
  const problems = [
    ...textProblems('title', title, CATEGORY_IDEA_MAX.title),
    ...textProblems('description', description, CATEGORY_IDEA_MAX.description),
    ...criteriaProblems(acceptanceCriteria),
    ...textProblems('approach', technicalApproach, CATEGORY_IDEA_MAX.technicalApproach),
    ...effortProblems(effort, effortLines),
  ]
  if (problems.length > 0 || effort === null) return { is: 'unreadable', why: problems.join('; ') }
  return {
    is: 'idea',
    idea: CategoryIdea.parse({ title, description, acceptanceCriteria, technicalApproach, effort }),
  }
}

const WRAPPED = /^(\*{1,3}|_{1,3}|["'“”`])(.+?)(\*{1,3}|_{1,3}|["'“”`])$/

/** The first line behind the label, without the quotation marks or emphasis around all of it. */
function titleIn(parts: Parts): string {
  const line = (parts.get('title') ?? []).map(({ text }) => text.trim()).find((text) => text !== '') ?? ''
  const [, open = '', inner = '', close = ''] = WRAPPED.exec(line.slice(0, QUOTED_CHARS * 10)) ?? []
  const isAround =
    open !== '' && !inner.includes(open) && !inner.includes(close) && open + inner + close === line
  return isAround ? inner.trim() : line
}

/** `[Concise improvement title]`, as the prompt has it. */
function isForm(title: string): boolean {
  return /^\[[^\]]*\]$/.test(title)
}

/** Without the rules that models draw between the parts. */
function proseIn(parts: Parts, part: IdeaPart): string {
  const lines = (parts.get(part) ?? []).map(({ text }) => text.trimEnd())
  const isNothing = (line: string | undefined) =>
    line !== undefined && /^\s{0,3}(?:[-*_]\s?){0,80}$/.test(line)
  let end = lines.length
  while (end > 0 && isNothing(lines[end - 1])) end -= 1
  return lines.slice(0, end).join('\n').trim()
}

function textProblems(part: IdeaPart, text: string, max: number): string[] {
  if (text === '') return [`**${PART_WORDS[part]}:** is missing or empty`]
  return text.length > max
    ? [`**${PART_WORDS[part]}:** has ${text.length} characters, and at most ${max} are read`]
    : []
}

function criteriaProblems(criteria: readonly string[]): string[] {
  const { criteria: most, criterion: longest } = CATEGORY_IDEA_MAX
  const words = `**${PART_WORDS.criteria}:**`
  if (criteria.length === 0) return [`${words} is missing or has no line that begins with "- AC-1.a:"`]
  if (criteria.length > most) return [`${words} has ${criteria.length} entries, and at most ${most} are read`]
  return criteria.some(({ length }) => length > longest)
    ? [`${words} has an entry of more than ${longest} characters`]
    : []
}

function effortProblems(effort: number | null, lines: readonly string[]): string[] {
  const words = `**${PART_WORDS.effort}:**`
  const said = lines.find((line) => line.trim() !== '')?.trim()
  if (said === undefined) return [`${words} is missing or empty`]
  if (effort === null)
    return [
      `${words} is not one number of hours, such as "6 hours": ${JSON.stringify(said.slice(0, QUOTED_CHARS))}`,
    ]
  const most = CATEGORY_IDEA_MAX.effortHours
  return effort > most ? [`${words} is more than ${most} hours`] : []
}
