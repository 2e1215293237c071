// What people say to a run at work, and what it asks them.
import type { Guidance, Question, QuestionPart } from '@treadle/contracts/paor'
import { ANSWER_WORDS } from '@treadle/contracts/words/question'
import type { EngineAnswer } from '../ports/engine.ts'
import { choicesIn } from '../work/choices.ts'

const ABOUT_SHOWN = 300

/** What a person said, and what it answers; the question is marked as what it is, for it is not a person's word. */
export function guidanceWords({ by, text, about, how }: Guidance, asked: string | null = null): string {
  const question = about ?? asked
  if (question === null) return text
  const line = question.replace(/\s+/g, ' ').trim()
  const short = line.length <= ABOUT_SHOWN ? line : `${line.slice(0, ABOUT_SHOWN - 1)}…`
  const who = how === undefined ? `${by} answered` : `No person answered (${ANSWER_WORDS[how]})`
  return `${who} the question ${JSON.stringify(short)}: ${text}`
}

/** What goes back under the name of a part: an option, several, or words. */
export function readPart({ detail }: QuestionPart, text: string): string | string[] {
  const labels = detail.choices.map(({ label }) => label)
  if (detail.multiple === true) return choicesIn(labels, text) ?? [text]
  return optionIn({ options: labels }, text)
}

/** All that was answered to a form, in words. */
export function answerWords(said: readonly (readonly [QuestionPart, string])[]): string {
  const [only] = said
  if (said.length === 1 && only !== undefined) return only[1]
  return said.map(([{ title, detail }, text]) => `${detail.header ?? title}: ${text}`).join('\n')
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

/** Its whole, its number or its beginning stands for an option; where options are numbers themselves, none is a place. */
function optionIn({ options }: Pick<Question, 'options'>, text: string): string {
  const wanted = text.trim().toLowerCase()
  const numbered = /^\d+$/.test(wanted) ? options[Number(wanted) - 1] : undefined
  const exact = options.find((option) => option.toLowerCase() === wanted)
  const begun = wanted === '' ? [] : options.filter((option) => option.toLowerCase().startsWith(wanted))
  return exact ?? numbered ?? (begun.length === 1 ? begun[0] : undefined) ?? text
}

function objectIn(text: string): Record<string, unknown> | null {
  if (!text.trim().startsWith('{')) return null
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return null
  }
}
