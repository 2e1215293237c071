// A notification about an entry of the queue: its words, where it leads, and a button for what can be done at once.
import { wantsWords } from '../parts/question-card.model.ts'
import { hrefOf, QUEUE } from '../parts/route.model.ts'
import { type Entry, lineOf } from '../queue/queue.model.ts'

/** Goes with the notification and comes back with what was pressed. */
export interface NoticeData {
  /** Where the entry is dealt with. */
  readonly href: string
  /** Where the item is shown, for the button of that name. */
  readonly item?: string
  /** The question that a button answers, and each button's answer. */
  readonly question?: string
  readonly answers?: Readonly<Record<string, string>>
}

export interface BrowserNotice {
  readonly tag: string
  readonly title: string
  readonly body: string
  readonly buttons: readonly { readonly action: string; readonly title: string }[]
  readonly data: NoticeData
}

const WORDS_MAX = 200
const BUTTON_MAX = 40
/** Browsers show no more. */
const BUTTONS_MAX = 2

/** `mayAnswer`: whoever reads it may decide, without a code that has to be typed. */
export function noticeOf(entry: Entry, mayAnswer: boolean): BrowserNotice {
  const { kind, title, route } = lineOf(entry)
  const told = { tag: entry.key, title: `${kind}: needs you`, body: title.slice(0, WORDS_MAX) }
  const href = hrefOf(route)
  const open = (words: string) => ({ action: 'open', title: words })
  switch (entry.is) {
    case 'question': {
      const answers = mayAnswer ? answersOf(entry.question) : []
      if (answers.length === 0) return { ...told, buttons: [open('Answer')], data: { href: hrefOf(QUEUE) } }
      return {
        ...told,
        buttons: answers.map((label, index) => ({
          action: `answer-${index}`,
          title: label.slice(0, BUTTON_MAX),
        })),
        data: {
          href,
          question: entry.question.id,
          answers: Object.fromEntries(answers.map((label, index) => [`answer-${index}`, label])),
        },
      }
    }
    case 'conflict': {
      const { projectNumber, issueNumber: number } = entry.conflict
      const item = hrefOf({ is: 'item', item: { projectNumber, number } })
      return { ...told, buttons: [open('Resolve'), SEE_ITEM], data: { href, item } }
    }
    case 'item': {
      const { projectNumber, number, state } = entry.item
      if (state !== 'in_review') return { ...told, buttons: [open('See why')], data: { href } }
      const item = hrefOf({ is: 'item', item: { projectNumber, number } })
      return { ...told, buttons: [open('Review'), SEE_ITEM], data: { href, item } }
    }
  }
}

const SEE_ITEM = { action: 'item', title: 'Open the item' }

/** Options that a button can answer with; none if there are more than buttons, or if one wants words. */
function answersOf({ options, multiple }: Extract<Entry, { is: 'question' }>['question']): string[] {
  const labels = options.map(({ label }) => label)
  const fits = labels.length <= BUTTONS_MAX && multiple !== true
  return fits && !labels.some(wantsWords) ? labels : []
}

/** The act of a button, or of the notification itself, which is pressed beside its buttons. */
export type PressedButton =
  | { readonly is: 'go'; readonly href: string }
  | { readonly is: 'answer'; readonly question: string; readonly text: string; readonly href: string }

export function pressedMeans(action: string, { href, item, question, answers }: NoticeData): PressedButton {
  const text = answers?.[action]
  if (question !== undefined && text !== undefined) return { is: 'answer', question, text, href }
  return { is: 'go', href: action === 'item' && item !== undefined ? item : href }
}
