// The queue of what needs a person: which entries, in which order, each in one line, and its keys.
import type { Conflict } from '@treadle/contracts/conflict'
import type { EvidenceLevel } from '@treadle/contracts/evidence-level'
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { isOfTalk, type QuestionRecord } from '@treadle/contracts/question'
import { STATE_WORDS, type Tone } from '@treadle/contracts/words/state'
import type { Snapshot } from '../live/live.model.ts'
import { needsYou } from '../parts/needs-you.model.ts'
import { QUEUE, type Route } from '../parts/route.model.ts'

export type Entry =
  | { readonly is: 'question'; readonly key: string; readonly question: QuestionRecord }
  | { readonly is: 'item'; readonly key: string; readonly item: Item }
  | { readonly is: 'conflict'; readonly key: string; readonly conflict: Conflict }

interface Waiting {
  readonly questions: readonly QuestionRecord[]
  /** Items that only a person can move on. */
  readonly items: readonly Item[]
  readonly conflicts: readonly Conflict[]
}

/** Everything that needs a person; every count of it on the page is the length of this. */
export function queueOf({ questions, conflicts, items, workspace }: Snapshot): Entry[] {
  const { approval } = workspace.config.merge
  return entriesOf({ questions, conflicts, items: items.filter((item) => needsYou(item, approval)) })
}

/** Entries in the order of the queue: those that hold an agent up first, of each kind the longest waiting. */
export function entriesOf({ questions, items, conflicts }: Waiting): Entry[] {
  const open = questions.filter((question) => question.status === 'open' && !isOfTalk(question))
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
      .toSorted(longestFirst)
      .map((item) => ({ is: 'item' as const, key: `i${keyOf(item)}`, item })),
    ...conflicts.map((conflict) => ({ is: 'conflict' as const, key: `c${conflict.id}`, conflict })),
    ...asked.filter(({ question }) => !question.blocking),
  ]
}

/** The longest waiting come first: a new one comes in below, so no button moves under the pointer. */
function longestFirst(a: Item, b: Item): number {
  return Date.parse(a.updatedAt) - Date.parse(b.updatedAt) || a.number - b.number
}

function keyOf({ projectNumber, number }: { projectNumber: number; number: number }): string {
  return `${projectNumber}/${number}`
}

export interface EntryLine {
  readonly kind: string
  readonly tone: Tone
  readonly title: string
  /** How well a delivery is proven; null for anything else. */
  readonly evidence: EvidenceLevel | null
  /** Since when it waits. */
  readonly since: string
  readonly route: Route
}

/** An entry in one line, with the address where it is dealt with. */
export function lineOf(entry: Entry): EntryLine {
  switch (entry.is) {
    case 'question': {
      const { text, agent, blocking, askedAt } = entry.question
      const [first = ''] = text.split('\n')
      const kind = blocking ? 'Blocking question' : 'Question'
      return {
        kind,
        tone: blocking ? 'attention' : 'busy',
        title: `${agent}: ${first}`,
        evidence: null,
        since: askedAt,
        route: QUEUE,
      }
    }
    case 'conflict': {
      const { id, projectNumber, issueNumber, issueTitle, createdAt } = entry.conflict
      const label = itemLabel({ projectNumber, number: issueNumber })
      return {
        kind: 'Conflict',
        tone: 'bad',
        title: `${label} ${issueTitle}`,
        evidence: null,
        since: createdAt,
        route: { is: 'conflicts', id },
      }
    }
    case 'item': {
      const { item } = entry
      const { words, tone } = STATE_WORDS[item.state]
      return {
        kind: item.state === 'in_review' ? 'Review' : words,
        tone,
        title: `${itemLabel(item)} ${item.title}`,
        evidence: item.state === 'in_review' ? (item.evidence?.level ?? null) : null,
        since: item.updatedAt,
        route: itemRoute(item),
      }
    }
  }
}

/** A delivery is read where it is reviewed; anything else on the page of its item. */
function itemRoute({ projectNumber, number, state }: Item): Route {
  const ref = { projectNumber, number }
  return state === 'in_review' ? { is: 'review', item: ref } : { is: 'item', item: ref }
}

export type Key =
  | { readonly is: 'move'; readonly by: 1 | -1 }
  | { readonly is: 'choose'; readonly option: number }

/** The act of a key; null if it is none of the queue. */
export function keyMeans(key: string): Key | null {
  if (key === 'j') return { is: 'move', by: 1 }
  if (key === 'k') return { is: 'move', by: -1 }
  return /^[1-9]$/.test(key) ? { is: 'choose', option: Number(key) - 1 } : null
}
