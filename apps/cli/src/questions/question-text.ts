// Questions as people read them in a terminal: who is held up, why it is asked, what may be answered, what else happens.
import { itemLabel } from '@treadle/contracts/ids'
import {
  isOfTalk,
  type QuestionOption,
  type QuestionRecord,
  specAskedAbout,
} from '@treadle/contracts/question'
import { answeredBy } from '@treadle/contracts/words/question'
import { duration, timeAgo } from '@treadle/contracts/words/time'
import { paint } from '../output.ts'

const INDENT = '     '
const WIDTH_MAX = 100
const WIDTH_MIN = 40
/** Lines of context that are shown; all of them are in `treadle questions show`. */
const LINES_MAX = 12

export interface QuestionView {
  readonly now: number
  /** The width of the terminal; null without one, then lines are as long as they are. */
  readonly columns: number | null
  readonly whole?: boolean
  /** The answer is asked for at once, so that nobody has to be told how to give it. */
  readonly isAsking?: boolean
}

export function inboxHead(open: readonly QuestionRecord[]): string {
  const held = open.filter(({ blocking }) => blocking).length
  const all = open.length === 1 ? '1 question waits for you' : `${open.length} questions wait for you`
  if (held === 0) return `${all}. No agent is waiting.`
  const who = held === 1 ? '1 of them holds somebody up' : `${held} of them hold somebody up`
  return `${all}. ${paint('yellow', open.length === held && held === 1 ? 'It holds somebody up' : who)}.`
}

export function questionView(question: QuestionRecord, shown: QuestionView): string {
  const { text, context, options, allowFreeText, header, multiple } = question
  const wrap = (words: string, indent: string) => wrapped(words, indent, shown.columns)
  const asked = wrap(text, INDENT)
  const cut = shown.whole || asked.length <= LINES_MAX ? asked : asked.slice(0, LINES_MAX - 1)
  const more =
    cut.length < asked.length
      ? [`${INDENT}${paint('dim', `… (all of it: treadle questions show ${question.number})`)}`]
      : []
  return [
    headOf(question, shown.now),
    ...(header === undefined ? [] : [`${INDENT}${paint('cyan', header)}`]),
    ...cut.map((line) => paint('bold', line)),
    ...more,
    ...(context === '' ? [] : wrap(`Why: ${context}`, INDENT).map((line) => paint('dim', line))),
    '',
    ...options.flatMap((option, at) => optionLines(option, at + 1, wrap)),
    ...(multiple === true ? [`${INDENT}  ${paint('dim', 'Several may be chosen: 1, 2')}`] : []),
    ...(allowFreeText
      ? [
          `${INDENT}  ${paint('dim', options.length === 0 ? 'Answer in your own words' : 'or your own words')}`,
        ]
      : []),
    ...endOf(question, shown).map((line) => `${INDENT}${line}`),
  ].join('\n')
}

function headOf(question: QuestionRecord, now: number): string {
  const { number, type, blocking, agent, askedAt, status } = question
  const mark =
    blocking && status === 'open' ? paint(['bgYellow', 'black'], ' WAITS FOR YOU ') : paint('cyan', type)
  const subject = subjectOf(question)
  const about = subject === null ? '' : ` about ${subject}`
  return `${paint('bold', String(number).padStart(3))}  ${mark}  ${agent} asks${about}, ${timeAgo(askedAt, now)}`
}

/** An item, or the specification or the talk of an idea, by the name that commands know. */
function subjectOf(question: QuestionRecord): string | null {
  const { item, sessionId } = question
  if (item !== null) return itemLabel(item)
  return isOfTalk(question) ? sessionId : specAskedAbout(question)
}

function optionLines(
  { label, description, recommended, implications }: QuestionOption,
  number: number,
  wrap: (words: string, indent: string) => string[],
): string[] {
  const best = recommended ? paint('green', ' (recommended)') : ''
  const more = [description, implications === undefined ? undefined : `Then: ${implications}`]
  return [
    `${INDENT}  ${paint('cyan', String(number))} ${label}${best}`,
    ...more.flatMap((words) =>
      words === undefined ? [] : wrap(words, `${INDENT}    `).map((line) => paint('dim', line)),
    ),
  ]
}

/** The last lines of a question: its answer, or the default if nobody gives one. */
function endOf(question: QuestionRecord, { now, isAsking = false }: QuestionView): string[] {
  const { status, answer, blocking, dueAt, defaultOption, number, options, item } = question
  if (answer !== null) {
    return [
      `${paint('green', 'Answer:')} ${answer.text} ${paint('dim', `(${answeredBy(answer)}, ${timeAgo(answer.at, now)})`)}`,
      ...(answer.why === undefined ? [] : [paint('dim', answer.why)]),
    ]
  }
  if (status === 'withdrawn') return [paint('dim', 'It is over; nobody waits for an answer any more.')]
  const leftMs = dueAt === null ? 0 : Math.max(0, Date.parse(dueAt) - now)
  const late = leftMs < 60_000 ? 'in less than a minute' : `in ${duration(leftMs)}`
  const waits =
    item === null
      ? 'It waits for you, however long that takes.'
      : `${itemLabel(item)} waits for you, however long that takes.`
  const silent = silenceWords(defaultOption, dueAt === null ? null : late)
  const example = options.length === 0 ? '"…"' : '1'
  return [
    blocking ? paint('yellow', `If nobody answers: ${waits}`) : `If nobody answers: ${silent}`,
    ...(isAsking ? [] : [paint('dim', `treadle answer ${number} ${example}`)]),
  ]
}

function silenceWords(defaultOption: string | undefined, late: string | null): string {
  if (late === null) return 'it stays open, and holds nobody up.'
  return defaultOption === undefined ? `It is dropped ${late}.` : `"${defaultOption}" holds ${late}.`
}

function wrapped(text: string, indent: string, columns: number | null): string[] {
  const lines = text.trimEnd().split('\n')
  if (columns === null) return lines.map((line) => `${indent}${line}`.trimEnd())
  const width = Math.max(WIDTH_MIN, Math.min(WIDTH_MAX, columns)) - indent.length
  return lines.flatMap((line) => fold(line, width)).map((line) => `${indent}${line}`.trimEnd())
}

function fold(line: string, width: number): string[] {
  const folded: string[] = []
  let rest = line
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width)
    const at = space > width / 3 ? space : width
    folded.push(rest.slice(0, at).trimEnd())
    rest = rest.slice(at).trimStart()
  }
  return [...folded, rest]
}
