// Pieces of what is told, and the message that holds one notification or several. Pure.
import type { ItemRef } from '@treadle/contracts/ids'
import { isAtLeast, type NextStep } from '@treadle/contracts/notification'
import type { NoticeMessage, Outgoing } from '../../ports/notifications.ts'

/** Control characters and marks that turn text around: a message may not look like something that it is not. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g

export function clean(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(UNSEEN, ' ').trim()
}

export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`
}

export function step(label: string, command: string | null): NextStep {
  return { label, command }
}

/** The command for an item, in whichever project it is. */
export function ofItem(command: string, { projectNumber, number }: ItemRef): string {
  return `${command} ${number}${projectNumber === 1 ? '' : ` --project ${projectNumber}`}`
}

export function itemSubject(item: ItemRef | null): string {
  return item === null ? 'nothing in particular' : `item ${item.projectNumber}/${item.number}`
}

const TITLES_MAX = 10

/** The gravest leads, the oldest of those. */
export function messageFor(group: readonly Outgoing[]): NoticeMessage {
  const [first, ...others] = group
  if (first === undefined) throw new Error('a message without a notification')
  const lead = others.reduce(
    (best, each) => (isAtLeast(best.notification.level, each.notification.level) ? best : each),
    first,
  )
  const rest = group.filter((each) => each !== lead)
  const { level, title, text, nextSteps, count } = lead.notification
  const more = rest.length === 0 ? '' : ` and ${rest.length} more`
  return {
    id: `${lead.notification.id}${rest.length === 0 ? '' : `-${group.at(-1)?.notification.id}`}`,
    level,
    blocking: group.some(({ notification }) => notification.blocking),
    title: `${title}${count > 1 ? ` (${count} times)` : ''}${more}`,
    text: [text, ...restWords(rest)].filter((part) => part !== '').join('\n\n'),
    nextSteps:
      rest.length === 0 ? nextSteps : [...nextSteps, step('See all of them', 'treadle notifications')],
    notifications: group.map(({ notification }) => notification),
  }
}

function restWords(rest: readonly Outgoing[]): string[] {
  if (rest.length === 0) return []
  const titles = rest.slice(0, TITLES_MAX).map(({ notification }) => `- ${notification.title}`)
  const left = rest.length - titles.length
  return [[`And ${rest.length} more:`, ...titles, ...(left === 0 ? [] : [`- and ${left} others`])].join('\n')]
}
