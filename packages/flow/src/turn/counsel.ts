// What people say to a run at work, and what it asks them.
import type { Guidance, Plan, Question, Reflection } from '@treadle/contracts/paor'
import type { EngineAnswer } from '../engine-port.ts'
import type { GoalPast } from '../paor/past.ts'

export interface Counsel {
  /** All that was said about the item so far, oldest first. */
  said(): readonly Guidance[]
  /** Resolves once all that was said by now is known; a daemon that is away is not waited for. */
  refresh(): Promise<void>
  /** Of these, what no engine has been told yet; they count as told from now on. */
  hear(guidance: readonly Guidance[]): readonly Guidance[]
  /** What no engine has been told yet. */
  unheard(): readonly Guidance[]
  /** Hands on what is said from now on, until the result is called. */
  listen(onGuidance: (guidance: Guidance) => void): () => void
  /** What was asked under an id in this run; null: that is not known. */
  asked(id: string): string | null
  /** The question that a predecessor has left open; null: there is none. */
  left(): Question | null
  /** The question under the id by which it is answered, and whether a predecessor has asked it already. */
  put(question: Question): { readonly question: Question; readonly asked: boolean }
  /** The answer to a question that was put, however long that takes. Null: the work was ended before it came. */
  answer(question: Question, signal: AbortSignal): Promise<Guidance | null>
  /** True while somebody waits for the answer to this question. */
  awaits(id: string): boolean
  /** A question that a predecessor has left is over with the next plan. */
  planned(plan: Plan): void
  reflected(reflection: Reflection): void
  /** What this process, and those before it, have done for the goal in this run. */
  past(): GoalPast
}

const ABOUT_SHOWN = 300

/** What a person said, and what it answers; the question is marked as what it is, for it is not a person's word. */
export function guidanceWords({ by, text, about }: Guidance, asked: string | null = null): string {
  const question = about ?? asked
  if (question === null) return text
  const line = question.replace(/\s+/g, ' ').trim()
  const short = line.length <= ABOUT_SHOWN ? line : `${line.slice(0, ABOUT_SHOWN - 1)}…`
  return `${by} answered the question ${JSON.stringify(short)}: ${text}`
}

const YES = /^\s*(y|yes|yep|ok|okay|allow|allowed|approve|approved|sure|go ahead|do it|please do)\b/i
const NO = /^\s*(no|deny|denied)\b[\s,.:;!-]*/i

/** A person's words as the engine takes them: an option, a refusal with its reason, or another input. */
export function readAnswer(question: Question, text: string): EngineAnswer {
  if (question.kind === 'form') return { text, values: objectIn(text) ?? { answer: text } }
  if (question.kind !== 'permission') return { text: optionIn(question, text) }
  const input = objectIn(text)
  if (input !== null) return { text: '', allow: true, input }
  // Whatever is no clear yes is a no, and its words are for the model.
  const chosen = optionIn(question, text)
  const allow = YES.test(chosen)
  return { text: allow ? chosen : chosen.replace(NO, '').trim() || chosen.trim(), allow }
}

/** Its number, its beginning or its whole stands for an option. */
function optionIn({ options }: Question, text: string): string {
  const wanted = text.trim().toLowerCase()
  const numbered = /^\d+$/.test(wanted) ? options[Number(wanted) - 1] : undefined
  const exact = options.find((option) => option.toLowerCase() === wanted)
  const begun = wanted === '' ? [] : options.filter((option) => option.toLowerCase().startsWith(wanted))
  return numbered ?? exact ?? (begun.length === 1 ? begun[0] : undefined) ?? text
}

function objectIn(text: string): Record<string, unknown> | null {
  if (!text.trim().startsWith('{')) return null
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return null
  }
}
