// What an agent asks a person, what may be answered, and what was.
import { z } from 'zod'
import { Instant, ItemRef, RunId } from './ids.ts'

export const QuestionType = z.enum([
  'blocking',
  'clarifying',
  'confirming',
  'educational',
  'celebratory',
  'preference',
])
export type QuestionType = z.infer<typeof QuestionType>

/** Only a blocking question holds its agent up, unless it says otherwise itself. */
export function blocksByDefault(type: QuestionType): boolean {
  return type === 'blocking'
}

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** "30m", "24h", "7d": a whole number of seconds, minutes, hours or days. */
export const Duration = z.string().regex(/^[1-9]\d{0,3}[smhd]$/, 'must be like 30m, 24h or 7d')
export type Duration = z.infer<typeof Duration>

export function durationMs(duration: Duration): number {
  const { amount, unit } = /^(?<amount>\d+)(?<unit>[smhd])$/.exec(duration)?.groups ?? {}
  if (amount === undefined) throw new Error(`not a duration: ${duration}`)
  return Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]
}

// What would move a terminal's cursor, colour it or turn the direction of reading.
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are to go.
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g
/** The text without what would move a terminal's cursor, colour it or turn the direction of reading. */
export const plain = (text: string): string => text.replace(/\r\n?/g, '\n').replace(UNSEEN, ' ')
const oneLine = (text: string): string => plain(text).replace(/\s+/g, ' ')

const words = (max: number) => z.string().overwrite(plain).trim().max(max)
const line = (max: number) => z.string().overwrite(oneLine).trim().max(max)

export const TEXT_MAX = 20_000
export const LABEL_MAX = 200
const tag = line(100).min(1)

export const QuestionOption = z.strictObject({
  label: line(LABEL_MAX).min(1),
  description: words(2_000).optional(),
  recommended: z.boolean().optional(),
  /** What follows from choosing it. */
  implications: words(4_000).optional(),
})
export type QuestionOption = z.infer<typeof QuestionOption>

/** The shape every part of the crew asks in. */
export const AgentQuestion = z.strictObject({
  id: z.uuid(),
  type: QuestionType,
  /** Who asks: the name of a catalogue's agent (build, sia) or of one of the crew (agent-1). */
  agent: line(100).min(1),
  /** Where in its work; empty where that says nothing. */
  phase: line(100),
  text: words(TEXT_MAX).min(1),
  /** Why it is asked. */
  context: words(4_000),
  /** A word or two that name it among others of the same form. */
  header: line(100).min(1).optional(),
  options: z.array(QuestionOption).max(20),
  allowFreeText: z.boolean(),
  /** True: several options may be chosen. */
  multiple: z.boolean().optional(),
  /** What holds when nobody answers: a label, or words where words may be given. */
  defaultOption: words(4_000).min(1).optional(),
  blocking: z.boolean(),
  expiresAfter: Duration.optional(),
  reminderAfter: Duration.optional(),
  /** The item it is about as "1/42"; empty where it is about none. */
  ideaId: line(200),
  /** Within what it was asked: a run, or empty. */
  sessionId: line(200),
  /**
   * By these an earlier answer is found again. Where the answer depends on the facts, one of them is a digest of
   * the text, so that yes to one risk is never yes to another.
   */
  tags: z.array(tag).max(20),
})
export type AgentQuestion = z.infer<typeof AgentQuestion>

const origin = {
  /** The event of the catalogue that asked; null for what an engine asked in its own words. */
  event: line(100).min(1).nullable().default(null),
  /** Which question of the catalogue, whatever facts were put into it: "build/missing_context#1". */
  template: line(300).min(1).nullable().default(null),
  /** What the answer will be applied to, in the words of whoever asks. */
  subject: line(300).min(1).nullable().default(null),
  item: ItemRef.nullable().default(null),
  runId: RunId.nullable().default(null),
}

/** What is handed in; `blocking` follows from the type where it is left out. */
export const NewQuestion = z
  .strictObject({
    ...AgentQuestion.omit({ id: true }).shape,
    ...origin,
    phase: AgentQuestion.shape.phase.default(''),
    context: AgentQuestion.shape.context.default(''),
    options: AgentQuestion.shape.options.default([]),
    allowFreeText: z.boolean().default(false),
    blocking: z.boolean().optional(),
    ideaId: AgentQuestion.shape.ideaId.default(''),
    sessionId: AgentQuestion.shape.sessionId.default(''),
    tags: AgentQuestion.shape.tags.default([]),
  })
  .superRefine((given, context) => {
    for (const message of faultsOf(given)) context.addIssue({ code: 'custom', message })
  })
export type NewQuestion = z.infer<typeof NewQuestion>

type Checked = Pick<
  AgentQuestion,
  'type' | 'options' | 'allowFreeText' | 'defaultOption' | 'expiresAfter' | 'reminderAfter'
> & { blocking?: boolean | undefined }

/** What is wrong with a question as a whole, where each of its parts is well formed. */
function faultsOf(question: Checked): string[] {
  const { type, options, allowFreeText, defaultOption, expiresAfter, reminderAfter } = question
  const blocking = question.blocking ?? blocksByDefault(type)
  const labels = options.map(({ label }) => label)
  const wrong: [boolean, string][] = [
    [new Set(labels).size < labels.length, 'two options have the same label'],
    [options.filter(({ recommended }) => recommended).length > 1, 'more than one option is recommended'],
    [options.length === 0 && !allowFreeText, 'there is neither an option nor free text to answer with'],
    [type === 'blocking' && !blocking, 'a blocking question cannot be one that does not block'],
    [type === 'clarifying' && defaultOption === undefined, 'a clarifying question needs a safe default'],
    [
      defaultOption !== undefined && !allowFreeText && !labels.includes(defaultOption),
      'the default is none of the options',
    ],
    [blocking && expiresAfter !== undefined, 'a blocking question waits for its answer and cannot expire'],
    [
      expiresAfter !== undefined &&
        reminderAfter !== undefined &&
        durationMs(reminderAfter) >= durationMs(expiresAfter),
      'the reminder would come after the question is over',
    ],
  ]
  return wrong.filter(([is]) => is).map(([, message]) => message)
}

export const AnswerSource = z.enum([
  'person',
  /** Nobody answered in time. */
  'default',
  /** Answered by what a person preferred before. */
  'preference',
  /** The agent was told to use its judgement. */
  'judgement',
  /** The answer was in the repository's or the item's own words. */
  'context',
  /** The same was answered before in the same session. */
  'repeated',
])
export type AnswerSource = z.infer<typeof AnswerSource>

export const QuestionAnswer = z.strictObject({
  text: words(TEXT_MAX).min(1),
  /** The label that was chosen; null for words of one's own. */
  option: line(LABEL_MAX).min(1).nullable(),
  by: line(100).min(1),
  at: Instant,
  how: AnswerSource,
  /** Why no person gave it, in words; only where the system did. */
  why: words(1_000).min(1).optional(),
})
export type QuestionAnswer = z.infer<typeof QuestionAnswer>

export const QuestionStatus = z.enum(['open', 'answered', 'defaulted', 'withdrawn'])
export type QuestionStatus = z.infer<typeof QuestionStatus>

/** A question as it is kept. */
export const QuestionRecord = z.strictObject({
  ...AgentQuestion.shape,
  /** What a person calls it on the command line. */
  number: z.int().min(1),
  event: z.string().nullable(),
  template: z.string().nullable(),
  subject: z.string().nullable(),
  item: ItemRef.nullable(),
  runId: RunId.nullable(),
  status: QuestionStatus,
  askedAt: Instant,
  remindedAt: Instant.nullable(),
  /** When its default applies; null for one that waits. */
  dueAt: Instant.nullable(),
  answer: QuestionAnswer.nullable(),
})
export type QuestionRecord = z.infer<typeof QuestionRecord>

/** An answer that is given for the person from then on. */
export const Preference = z.strictObject({
  id: z.int().min(1),
  agent: z.string(),
  event: z.string().nullable(),
  tags: z.array(z.string()),
  /** The question that taught it, as it was asked then. */
  text: z.string(),
  answer: z.string(),
  option: z.string().nullable(),
  /** Who gave it. */
  by: z.string(),
  learnedAt: Instant,
  /** How often it has spared a question since. */
  used: z.int().min(0),
  usedAt: Instant.nullable(),
})
export type Preference = z.infer<typeof Preference>

/** The agent that talks about ideas. */
export const IDEATION = 'ideation'

/** A question of a talk about an idea is answered in that talk: it stands in no queue of what needs a person. */
export function isOfTalk({ agent, sessionId }: Pick<QuestionRecord, 'agent' | 'sessionId'>): boolean {
  return agent === IDEATION && sessionId !== ''
}

/** The agent that makes specifications, by the name it has in the catalogue. */
export const SPECIFICATION = 'specification'
const SPEC_SESSION = 'spec:'

/** The session of all questions about one specification. */
export function specSession(slug: string): string {
  return `${SPEC_SESSION}${slug}`
}

/** Which specification a question is about; null: about none. */
export function specAskedAbout({
  agent,
  sessionId,
}: Pick<QuestionRecord, 'agent' | 'sessionId'>): string | null {
  return agent === SPECIFICATION && sessionId.startsWith(SPEC_SESSION)
    ? sessionId.slice(SPEC_SESSION.length)
    : null
}

const BUILD_SESSION = 'build:'

/** The session of all questions about one build as a whole. */
export function buildSession(id: string): string {
  return `${BUILD_SESSION}${id}`
}

/** Which build a question is about as a whole; null: about none. */
export function buildAskedAbout({ sessionId }: Pick<QuestionRecord, 'sessionId'>): string | null {
  return sessionId.startsWith(BUILD_SESSION) ? sessionId.slice(BUILD_SESSION.length) : null
}

/** The question that a decision is asked by; its subject is the decision. */
export const DECISION_TEMPLATE = 'pm/decision'

/** The decision that a question asks for; null: it asks for none. */
export function decisionAskedAbout({
  template,
  subject,
}: Pick<QuestionRecord, 'template' | 'subject'>): string | null {
  return template === DECISION_TEMPLATE ? subject : null
}

/** What has to be decided about an alert, as often as that was told. */
export function alertDecision(alert: number, count: number): string {
  return `alert:${alert}:${count}`
}

/** The number of the alert that a decision is about; null: it is about none. */
export function alertOfDecision(decision: string): number | null {
  const alert = /^alert:(\d+):\d+$/.exec(decision)?.[1]
  return alert === undefined ? null : Number(alert)
}
