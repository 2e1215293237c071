// The inbox: what waits for the reader, in which order, and its keys.
import type { Conflict } from '@treadle/contracts/conflict'
import type { Item } from '@treadle/contracts/item'
import type { QuestionRecord } from '@treadle/contracts/question'

export type Entry =
  | { readonly is: 'question'; readonly key: string; readonly question: QuestionRecord }
  | { readonly is: 'item'; readonly key: string; readonly item: Item }
  | { readonly is: 'conflict'; readonly key: string; readonly conflict: Conflict }

interface Waiting {
  readonly questions: readonly QuestionRecord[]
  readonly items: readonly Item[]
  readonly conflicts: readonly Conflict[]
}

/** Entries in the order of the inbox: those that hold an agent up first, of each kind the longest waiting. */
export function entriesOf({ questions, items, conflicts }: Waiting): Entry[] {
  const open = questions.filter(({ status }) => status === 'open')
  const asked = open
    .toSorted((one, other) => Date.parse(one.askedAt) - Date.parse(other.askedAt))
    .map((question) => ({ is: 'question' as const, key: `q${question.number}`, question }))
  const answered = new Set(open.flatMap(({ item }) => (item === null ? [] : [keyOf(item)])))
  const inConflict = new Set(
    conflicts.map(({ projectNumber, issueNumber }) => `${projectNumber}/${issueNumber}`),
  )
  return [
    ...asked.filter(({ question }) => question.blocking),
    ...items
      // An item that a question or a conflict speaks of already is not listed twice.
      .filter((item) => !answered.has(keyOf(item)) && !inConflict.has(keyOf(item)))
      .map((item) => ({ is: 'item' as const, key: `i${keyOf(item)}`, item })),
    ...conflicts.map((conflict) => ({ is: 'conflict' as const, key: `c${conflict.id}`, conflict })),
    ...asked.filter(({ question }) => !question.blocking),
  ]
}

function keyOf({ projectNumber, number }: { projectNumber: number; number: number }): string {
  return `${projectNumber}/${number}`
}

export type Key =
  | { readonly is: 'move'; readonly by: 1 | -1 }
  | { readonly is: 'choose'; readonly option: number }

/** The act of a key; null if it is none of the inbox. */
export function keyMeans(key: string): Key | null {
  if (key === 'j') return { is: 'move', by: 1 }
  if (key === 'k') return { is: 'move', by: -1 }
  return /^[1-9]$/.test(key) ? { is: 'choose', option: Number(key) - 1 } : null
}
