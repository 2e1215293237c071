// The talk without a model: fields in a fixed order, and what a message answers. Whatever its words, it answers the
// first question that is open.
import type {
  ArtifactType,
  IdeaDecision,
  IdeaPhase,
  IdeaQuestion,
  IdeaSignals,
} from '@treadle/contracts/idea'
import { readReply } from '../ask/reply.ts'
import { summaryOf } from './answer-lines.ts'
import { mergeSignals } from './merge-signals.ts'
import { CONFIDENCE_TO_VALIDATE, VALIDATIONS_MIN, validations } from './phases.ts'

export const FIELDS = [
  'target-user',
  'problem',
  'solution-concept',
  'mvp-features',
  'differentiator',
  'validation-1',
  'validation-2',
  'validation-3',
  'risk',
  'done',
] as const
export type Field = (typeof FIELDS)[number]

/** As many questions are shown at a time; more would be a form. */
const SHOWN_MAX = 2

/** What is asked about a field where the catalogue does not say it. */
const QUESTIONS: Readonly<Record<Field, Omit<IdeaQuestion, 'id'>>> = {
  'target-user': asks('Who would be the ideal first user of this?'),
  problem: asks('What problem do they have, and what happens to them while it is not solved?'),
  'solution-concept': asks('How does your idea solve it, in two or three sentences?'),
  'mvp-features': asks(
    'Which features must the first version have? One per line or between semicolons, best as "Name: what it does".',
  ),
  differentiator: asks('How do people solve this today, and what makes your idea different?'),
  'validation-1': asks(
    'What must be true for this to work, and what makes you think so? Name the first assumption.',
  ),
  'validation-2': asks('A second assumption, and what makes you think so?'),
  'validation-3': asks('A third assumption, and what makes you think so?'),
  risk: asks('What is the biggest risk?'),
  done: asks(
    'When is the first version done? Say what must be true then, one criterion per line or between semicolons.',
  ),
}

function asks(text: string): Omit<IdeaQuestion, 'id'> {
  return { text, options: [] }
}

/** The words of one field, for people. */
const FIELD_WORDS: Readonly<Record<Field, string>> = {
  'target-user': 'Target user',
  problem: 'Problem',
  'solution-concept': 'Solution',
  'mvp-features': 'Features',
  differentiator: 'What makes it different',
  'validation-1': 'First assumption',
  'validation-2': 'Second assumption',
  'validation-3': 'Third assumption',
  risk: 'Risk',
  done: 'When it is done',
}

export function isField(id: string): id is Field {
  return (FIELDS as readonly string[]).includes(id)
}

/** Fields without an answer, in the order in which they are asked. */
export function openFields(signals: IdeaSignals): Field[] {
  return FIELDS.filter((field) => isOpen(field, signals))
}

/** What is asked now; `catalogue` has the words of the fields that the catalogue of questions asks about. */
export function openQuestions(
  signals: IdeaSignals,
  catalogue: Partial<Readonly<Record<Field, Omit<IdeaQuestion, 'id'>>>> = {},
): IdeaQuestion[] {
  return openFields(signals)
    .slice(0, SHOWN_MAX)
    .map((field) => ({ id: field, ...(catalogue[field] ?? QUESTIONS[field]) }))
}

/** What a message brings: the answer to the named field, else to the first that is open; null where none is. */
export function answerIn(
  signals: IdeaSignals,
  { text, field, options }: { text: string; field: Field | null; options: readonly string[] },
): { readonly field: Field; readonly brought: IdeaSignals } | null {
  const open = openFields(signals)
  const answered = field !== null && open.includes(field) ? field : open[0]
  if (answered === undefined) return null
  const words = options.length === 0 ? text : chosen(options, text)
  const nothing = { artifacts: [], decisions: [], risks: [] }
  const after = (brought: Omit<IdeaSignals, 'confidence'>): IdeaSignals => ({
    ...brought,
    confidence: confidenceOf(mergeSignals(signals, { ...brought, confidence: 0 }, 'person')),
  })
  const type = decisionOf(answered)
  if (type !== null)
    return { field: answered, brought: after({ ...nothing, decisions: [{ type, text: words }] }) }
  if (answered === 'risk')
    return { field: answered, brought: after({ ...nothing, risks: [{ text: words }] }) }
  const artifact = {
    type: answered as ArtifactType,
    summary: summaryOf(words),
    text: words,
    confidence: completenessOf(words),
    by: 'person' as const,
  }
  return { field: answered, brought: after({ ...nothing, artifacts: [artifact] }) }
}

/** What an answer to a question of the catalogue brings: a clearer problem, or a decision about the first version. */
export function broughtBeside(
  signals: IdeaSignals,
  { event }: { readonly event: string | null },
  text: string,
): IdeaSignals | null {
  const nothing = { artifacts: [], decisions: [], risks: [], confidence: signals.confidence }
  if (event === 'problem_statement_vague') {
    const artifact = {
      type: 'problem' as const,
      summary: summaryOf(text),
      text,
      confidence: completenessOf(text),
    }
    return { ...nothing, artifacts: [{ ...artifact, by: 'person' as const }] }
  }
  if (event === 'idea_complexity_high') return { ...nothing, decisions: [{ type: 'scope', text }] }
  return null
}

/**
 * How far the interview has come, in hundredths: answers to all fields are above what completes an idea, and one
 * answer less is below it, so that the last question is asked.
 */
function confidenceOf(signals: IdeaSignals): number {
  const open = openFields(signals).length
  if (open > 0) return Math.round((70 * (FIELDS.length - open)) / FIELDS.length) / 100
  const own = signals.artifacts.filter(({ type }) => type !== 'brief')
  const sum = own.reduce((all, { confidence }) => all + confidence, 0)
  return Math.round(80 + 15 * (sum / Math.max(1, own.length))) / 100
}

const EDITED = 'Edit the files by hand as you like: your version counts.'
const KEPT = `Your message is kept here, and the brief stays as it is. ${EDITED}`

/** What is said after a message: what was understood, where that leads, and how it goes on. */
export function replyTo(
  answered: Field | null,
  {
    phases,
    questions,
    beside = [],
  }: {
    readonly phases: readonly IdeaPhase[]
    readonly questions: readonly IdeaQuestion[]
    /** Numbers of what the catalogue asks about this answer. */
    readonly beside?: readonly number[]
  },
): string {
  const [next] = questions
  const parts = [
    answered === null ? null : `Noted: ${FIELD_WORDS[answered].toLowerCase()}.`,
    ...phases.map((phase) => (phase === 'COMPLETE' ? null : `The next phase is ${phase.toLowerCase()}.`)),
    next?.text ??
      (answered === null ? KEPT : `That was the last question, and the brief is written. ${EDITED}`),
    besideWords(beside),
  ]
  return parts.filter((part) => part !== null).join(' ')
}

const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** What is said where the interview takes over from a model. */
export function interviewBegins(why: string, question: string): string {
  return `${asSentence(why)} From here on the questions are fixed ones; nothing that you said is lost.\n\n${question}`
}

/** It can be answered before the next message, which passes it over. */
function besideWords(numbers: readonly number[]): string | null {
  const [first] = numbers
  if (first === undefined) return null
  const named = numbers.length === 1 ? `question ${first}` : `questions ${numbers.join(' and ')}`
  return `If you want to say more about what you just said first: ${named} (treadle answer ${first} "…").`
}

const WORDS_FULL = 25
const [SURE_MIN, SURE_MAX] = [65, 95]

/** More words, surer; always above what the phases ask for. */
function completenessOf(text: string): number {
  const words = text.split(/\s+/).filter((word) => word !== '').length
  return Math.round(SURE_MIN + (SURE_MAX - SURE_MIN) * Math.min(1, words / WORDS_FULL)) / 100
}

function isOpen(field: Field, signals: IdeaSignals): boolean {
  if (field === 'risk') return signals.risks.length === 0
  if (field === 'done') return !signals.decisions.some(({ type }) => type === 'done')
  const place = validationPlace(field)
  if (place !== null) return validations(signals) < place
  // A guess of a model that would keep the idea from going on is asked about.
  return !signals.artifacts.some(
    ({ type, by, confidence }) => type === field && (by === 'person' || confidence > CONFIDENCE_TO_VALIDATE),
  )
}

function decisionOf(field: Field): IdeaDecision['type'] | null {
  if (field === 'done') return 'done'
  return validationPlace(field) === null ? null : 'validation'
}

function validationPlace(field: Field): number | null {
  const place = Number(/^validation-(\d)$/.exec(field)?.[1] ?? 0)
  return place >= 1 && place <= VALIDATIONS_MIN ? place : null
}

/** An option by its number, its beginning or its words; anything else is an answer of one's own. */
function chosen(options: readonly string[], text: string): string {
  const labels = options.map((label) => ({ label }))
  const reply = readReply({ options: labels, allowFreeText: true, multiple: false }, text)
  return reply.is === 'answer' ? reply.text : text
}
