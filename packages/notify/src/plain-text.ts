// A message as plain text: what happened, and what can be typed about it.
import type { NoticeMessage } from '@treadle/flow/ports/notifications'

export function stepLines({ nextSteps }: Pick<NoticeMessage, 'nextSteps'>): string[] {
  return nextSteps.map(({ label, command }) => (command === null ? label : `${label}: ${command}`))
}

/** At most so many characters, never half of one. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const end = /[\uD800-\uDBFF]$/.test(text.slice(0, max - 1)) ? max - 2 : max - 1
  return `${text.slice(0, end)}…`
}
