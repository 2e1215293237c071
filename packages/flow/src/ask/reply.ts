// What a person typed, as an answer to a question: an option by its words, its number or its beginning, or words.
import type { QuestionRecord } from '@treadle/contracts/question'
import { choicesIn } from '../work/choices.ts'

export type Reply =
  | { readonly is: 'answer'; readonly text: string; readonly option: string | null }
  | { readonly is: 'bad'; readonly why: string }

type ReplyOptions = Pick<QuestionRecord, 'options' | 'allowFreeText' | 'multiple'>

/** "Try this..." wants to be continued. */
const OPEN_END = /\s*(\.\.\.|…)$/
const BEGINNING_MIN = 3

export function readReply({ options, allowFreeText, multiple }: ReplyOptions, given: string): Reply {
  const text = given.trim()
  if (text === '') return { is: 'bad', why: 'The answer is empty.' }
  const labels = options.map(({ label }) => label)
  const several = multiple === true ? choicesIn(labels, text) : null
  if (several !== null && several.length > 1) return { is: 'answer', text: several.join(', '), option: null }
  const chosen = named(labels, text) ?? numbered(labels, text) ?? begun(labels, text, allowFreeText)
  if (chosen !== null) return 'is' in chosen ? chosen : finished(chosen)
  if (allowFreeText) return { is: 'answer', text, option: null }
  const offered = labels.map((label, at) => `${at + 1}. ${label}`).join('; ')
  return { is: 'bad', why: `Choose one of these, by its number or its words: ${offered}` }
}

interface Chosen {
  readonly label: string
  /** What follows the label. */
  readonly words: string
}

function finished({ label, words }: Chosen): Reply {
  const begin = label.replace(OPEN_END, '')
  if (begin === label) return { is: 'answer', text: label, option: label }
  if (words === '')
    return {
      is: 'bad',
      why: `"${label}" wants to be continued: give the words after it, as in "${begin}: …".`,
    }
  return { is: 'answer', text: `${begin}: ${words}`, option: label }
}

/** By its whole words; those that are open are followed by others. */
function named(labels: readonly string[], text: string): Chosen | null {
  const wanted = text.toLowerCase()
  const exact = labels.find((label) => label.toLowerCase() === wanted)
  if (exact !== undefined) return { label: exact, words: '' }
  const label = labels.find(
    (each) => OPEN_END.test(each) && wanted.startsWith(each.replace(OPEN_END, '').toLowerCase()),
  )
  if (label === undefined) return null
  const rest = text.slice(label.replace(OPEN_END, '').length)
  return /^[\s.…:,-]/.test(rest) ? { label, words: rest.replace(/^[\s.…:,-]+/, '') } : null
}

function numbered(labels: readonly string[], text: string): Chosen | Reply | null {
  // Where options are numbers themselves, a number is nobody's place.
  if (labels.some((label) => /^\d+$/.test(label))) return null
  const found = /^(\d{1,2})\s*(?:([.):,-]?)\s*|([.):,-]?)\s+(\S[\s\S]*)|([.):,-])\s*(\S[\s\S]*))$/.exec(text)
  const label = labels[Number(found?.[1]) - 1]
  const words = (found?.[4] ?? found?.[6] ?? '').trim()
  if (label === undefined) return null
  if (words === '') return { label, words }
  // Words after a closed option are an answer of their own: "2 days should do".
  if (!OPEN_END.test(label)) return null
  if ((found?.[3] ?? found?.[5] ?? '') !== '') return { label, words }
  const why = `If you mean "${label}", write "${found?.[1]}: ${words}". Words of your own must not begin with the number of an option.`
  return { is: 'bad', why }
}

/** As far as the end of a word; where nothing but an option can be meant, anywhere in it. */
function begun(labels: readonly string[], text: string, allowFreeText: boolean): Chosen | null {
  const wanted = text.toLowerCase()
  const [only, ...others] = labels.filter((label) => label.toLowerCase().startsWith(wanted))
  if (only === undefined || others.length > 0 || wanted.length < BEGINNING_MIN) return null
  const isWord = !/[\p{L}\p{N}]/u.test(only.charAt(wanted.length))
  return isWord || !allowFreeText ? { label: only, words: '' } : null
}
