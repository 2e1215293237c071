// Whether a question is asked, what answers it instead, when somebody is reminded, and what an answer leads to.
import type { QuestionsConfig } from '@treadle/contracts/config/questions'
import {
  type AnswerSource,
  blocksByDefault,
  durationMs,
  type NewQuestion,
  type Preference,
  type QuestionAnswer,
  type QuestionRecord,
} from '@treadle/contracts/question'
import { answerIn } from './question-context.ts'
import { TOOK_LONGER } from './took-longer.ts'

export interface AskFacts {
  readonly question: NewQuestion
  readonly settings: Pick<QuestionsConfig, 'autonomy' | 'celebrate'>
  /** The words of the item, and what people have said about it. */
  readonly said: readonly string[]
  /** CLAUDE.md and AGENTS.md. */
  readonly conventions: string
  /** What a person wants to be answered to this from now on. */
  readonly preference: Preference | null
  /** The same question in the same session, newest first. */
  readonly recent: readonly QuestionRecord[]
}

export type AskChoice =
  | { readonly is: 'ask' }
  /** The same is open already: there is no second one. */
  | { readonly is: 'join'; readonly question: QuestionRecord }
  | {
      readonly is: 'answer'
      readonly text: string
      readonly option: string | null
      readonly how: AnswerSource
      /** What the system went by, in words. */
      readonly why: string
    }
  | { readonly is: 'skip'; readonly why: string }

const JUST_DO_IT = /\b(?:just do it|use your judge?ment)\b/gi
const DENIAL = /\b(?:not|never|no|nor|cannot|without)\b|n['’]t\b/i
const SENTENCE_END = /[.!?;\n]/

/** "Do not just do it" says the opposite. */
function isToldToDecide(text: string): boolean {
  return [...text.matchAll(JUST_DO_IT)].some(({ index }) => {
    const before = text.slice(0, index).split(SENTENCE_END).at(-1) ?? ''
    return !DENIAL.test(before)
  })
}

export function isBlocking({ type, blocking }: Pick<NewQuestion, 'type' | 'blocking'>): boolean {
  return blocking ?? blocksByDefault(type)
}

/** A decision about one thing is no habit, and is not looked up: only a person makes it. */
function isDecision(question: Pick<NewQuestion, 'type' | 'blocking' | 'subject'>): boolean {
  return isBlocking(question) && question.subject !== null
}

export function decideAsk(facts: AskFacts): AskChoice {
  const { question, settings, recent } = facts
  const blocking = isBlocking(question)
  if (question.type === 'celebratory' && !blocking && !settings.celebrate)
    return { is: 'skip', why: 'questions that only mark progress are off (questions.celebrate)' }
  const again = recent.find(
    ({ subject, status, answer: had }) => subject === question.subject && (status === 'open' || had !== null),
  )
  if (again?.status === 'open') return { is: 'join', question: again }
  const given = again?.answer ?? null
  if (given !== null) return answer(question, given.text, 'repeated', repeatedWords(again?.number, given))
  const known = isDecision(question) ? null : alreadyKnown(facts)
  return known ?? withoutAsking(facts, blocking) ?? { is: 'ask' }
}

function alreadyKnown({ question, preference, said, conventions }: AskFacts): AskChoice | null {
  if (preference !== null)
    return answer(
      question,
      preference.answer,
      'preference',
      `${preference.by} answered it so before, and wants it so from then on.`,
    )
  const found = answerIn(question, [conventions, ...said], isBlocking(question))
  return found === null
    ? null
    : { is: 'answer', ...found, how: 'context', why: 'It is written in CLAUDE.md, AGENTS.md or the item.' }
}

function withoutAsking({ question, settings, said }: AskFacts, blocking: boolean): AskChoice | null {
  const { defaultOption, options } = question
  const told = whoDecides(settings, said)
  if (told !== null) {
    if (defaultOption !== undefined)
      return answer(question, defaultOption, 'judgement', `${told} It is the default of whoever asked.`)
    if (blocking) return null
    const own = options.find(({ recommended }) => recommended)?.label
    return own === undefined
      ? { is: 'skip', why: 'the agent was told to use its judgement' }
      : answer(question, own, 'judgement', `${told} It is what whoever asked recommends.`)
  }
  return defaultOption !== undefined && isTrivial(question, blocking)
    ? answer(
        question,
        defaultOption,
        'default',
        'It holds nobody up, has a default, and nobody said why it matters.',
      )
    : null
}

/** It has a default, holds nobody up, and whoever asks cannot say why it matters. */
function isTrivial({ event, tags, context, options }: NewQuestion, blocking: boolean): boolean {
  if (blocking) return false
  if (tags.some((tag) => tag.toLowerCase() === 'trivial')) return true
  return event === null && context === '' && options.every(({ implications }) => implications === undefined)
}

function answer(
  { options }: Pick<NewQuestion, 'options'>,
  text: string,
  how: AnswerSource,
  why: string,
): AskChoice {
  const option = options.find(({ label }) => label === text)?.label ?? null
  return { is: 'answer', text, option, how, why }
}

/** Who said that nobody is to be asked; null: nobody did. */
function whoDecides({ autonomy }: AskFacts['settings'], said: readonly string[]): string | null {
  if (autonomy === 'judgement') return 'The setting questions.autonomy is judgement.'
  return said.some(isToldToDecide) ? 'The item, or guidance on it, says that the agent is to decide.' : null
}

function repeatedWords(number: number | undefined, { how, by }: QuestionAnswer): string {
  const before = number === undefined ? 'The same' : `Question ${number} of the same run`
  return `${before} was answered so ${how === 'person' ? `by ${by}` : 'by the system'}.`
}

/** When it is over without an answer, and when somebody is reminded of it; null: never. */
export function decideTimes(
  question: Pick<NewQuestion, 'type' | 'blocking' | 'expiresAfter' | 'reminderAfter'>,
  settings: Pick<QuestionsConfig, 'expireAfter' | 'remindAfter'>,
  askedAt: Date,
): { readonly remindAt: Date | null; readonly dueAt: Date | null } {
  const blocking = isBlocking(question)
  const after = (ms: number) => new Date(askedAt.getTime() + ms)
  const lastsMs = durationMs(question.expiresAfter ?? settings.expireAfter)
  // Nobody is reminded of what is there to think about, unless it asks for that itself.
  const isOptional = question.type === 'educational' || question.type === 'celebratory'
  const usual = settings.remindAfter === null ? lastsMs / 2 : durationMs(settings.remindAfter)
  const remindMs = question.reminderAfter === undefined ? usual : durationMs(question.reminderAfter)
  const wants = question.reminderAfter !== undefined || !isOptional
  const inTime = blocking || remindMs < lastsMs
  return {
    remindAt: wants && inTime ? after(remindMs) : null,
    dueAt: blocking ? null : after(lastsMs),
  }
}

export type DueChoice =
  | { readonly is: 'nothing' }
  | { readonly is: 'remind' }
  | { readonly is: 'default'; readonly text: string; readonly option: string | null }
  | { readonly is: 'expire' }

/** A question that blocks has no end but an answer. */
export function decideDue(record: QuestionRecord, now: Date): DueChoice {
  if (record.status !== 'open') return { is: 'nothing' }
  const { blocking, dueAt, defaultOption, options } = record
  if (blocking || dueAt === null || Date.parse(dueAt) > now.getTime())
    return record.remindedAt === null ? { is: 'remind' } : { is: 'nothing' }
  if (defaultOption === undefined) return { is: 'expire' }
  const option = options.find(({ label }) => label === defaultOption)?.label ?? null
  return { is: 'default', text: defaultOption, option }
}

/** A preference at once; anything else when a person has chosen the same option twice in a row. */
export function decideLearning(
  record: Pick<QuestionRecord, 'type' | 'blocking' | 'subject'>,
  given: Pick<QuestionAnswer, 'text' | 'option' | 'how'>,
  before: Pick<QuestionRecord, 'answer'> | null,
): boolean {
  if (given.how !== 'person') return false
  if (record.type === 'preference') return true
  if (isDecision(record) || given.option === null || given.text !== given.option) return false
  return before?.answer?.option === given.option
}

/** What an answer does beyond being known. */
export type FollowUp =
  | { readonly is: 'nothing' }
  | { readonly is: 'reopen'; readonly words: string }
  | { readonly is: 'withdraw' }
  /** The build that it is about stops, or goes on with what failed. */
  | { readonly is: 'stop_build' }
  | { readonly is: 'resume_build'; readonly leavesSkipped: boolean }
  /** The delivery that it is about is approved, or sent back. */
  | { readonly is: 'approve' }
  | { readonly is: 'reject' }

/** A run cannot go on with its task and waits. */
export const MISSING_CONTEXT = 'missing_context'

/** By event and option. */
const OF_OPTION: Readonly<Record<string, Readonly<Record<string, FollowUp>>>> = {
  [TOOK_LONGER]: { 'Skip for now': { is: 'withdraw' } },
  [MISSING_CONTEXT]: { 'Skip this task for now': { is: 'withdraw' } },
  multiple_implementations: { 'Use approach 2': { is: 'reject' } },
  security_vulnerability: {
    "I'll handle manually": { is: 'withdraw' },
    'Accept the risk (not recommended)': { is: 'approve' },
  },
  milestone_reached: { 'Take a break, save progress': { is: 'stop_build' } },
  multiple_failures: {
    'Fix all critical first, then warnings': { is: 'resume_build', leavesSkipped: false },
    'Fix all before proceeding': { is: 'resume_build', leavesSkipped: false },
    'Skip warnings, fix critical only': { is: 'resume_build', leavesSkipped: true },
  },
  validation_passed: { 'Approved! Deploy it': { is: 'approve' } },
}

export const FAILED_REPEATEDLY = 'task_failed_repeatedly'

export function decideFollowUp(
  { event }: Pick<QuestionRecord, 'event'>,
  { text, option }: Pick<QuestionAnswer, 'text' | 'option'>,
): FollowUp {
  if (event !== FAILED_REPEATEDLY) return OF_OPTION[event ?? '']?.[option ?? ''] ?? { is: 'nothing' }
  if (option === 'Skip this task') return { is: 'withdraw' }
  // Words of one's own, or those that continue an option, are what is to be tried.
  return option === null || text !== option ? { is: 'reopen', words: text } : { is: 'nothing' }
}
