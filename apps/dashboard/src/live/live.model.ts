// The state of the page, and how news changes it.
import type { Agent } from '@treadle/contracts/agent'
import { type Answer, ApiError } from '@treadle/contracts/client'
import type { Conflict } from '@treadle/contracts/conflict'
import type { CostTotals } from '@treadle/contracts/cost'
import { CURSOR_START, type Cursor, STEP_TYPES, type StoredEvent } from '@treadle/contracts/event'
import type { Item } from '@treadle/contracts/item'
import type { QuestionRecord } from '@treadle/contracts/question'
import type { Review } from '@treadle/contracts/review'
import { keepEqual } from './keep-equal.model.ts'

export type Workspace = Answer<'workspace'>

/** A reason why the page cannot read from the daemon. */
export type Trouble =
  | { readonly is: 'refused' }
  | { readonly is: 'away' }
  | { readonly is: 'failing'; readonly message: string; readonly hint: string }

export interface Snapshot {
  readonly workspace: Workspace
  readonly agents: readonly Agent[]
  /** Items that are not over, and the newest of those that are. */
  readonly items: readonly Item[]
  /** Counts of the items that were left out of `items`. */
  readonly leftOut: Answer<'board'>['leftOut']
  /** Reviews that a reviewer has in hand. */
  readonly reviews: readonly Review[]
  /** Open questions; those that hold an agent up come first. */
  readonly questions: readonly QuestionRecord[]
  /** Conflicts that wait for a person. */
  readonly conflicts: readonly Conflict[]
  readonly costs: { readonly daily: CostTotals; readonly monthly: CostTotals }
  /** The time of the reading, in milliseconds. */
  readonly at: number
}

export type Socket = 'opening' | 'open' | 'closed'

export interface LiveState {
  readonly socket: Socket
  readonly trouble: Trouble | null
  readonly snapshot: Snapshot | null
  /** Events, newest first. */
  readonly events: readonly StoredEvent[]
  /** The newest event seen; everything up to it was heard exactly once. */
  readonly cursor: Cursor
}

export type News =
  | { readonly is: 'loaded'; readonly snapshot: Snapshot }
  /** The crew is read by itself, because it changes without an event: signs of life and what they say. */
  | { readonly is: 'crew'; readonly agents: readonly Agent[] }
  | { readonly is: 'history'; readonly newest: Tail; readonly milestones: Tail }
  | { readonly is: 'heard'; readonly events: readonly StoredEvent[] }
  | { readonly is: 'socket'; readonly socket: Socket }
  | { readonly is: 'failed'; readonly trouble: Trouble }

export const LIVE_START: LiveState = {
  socket: 'opening',
  trouble: null,
  snapshot: null,
  events: [],
  cursor: CURSOR_START,
}

export function step(state: LiveState, news: News): LiveState {
  switch (news.is) {
    case 'loaded':
      return { ...state, snapshot: keepEqual(state.snapshot, news.snapshot), trouble: null }
    case 'crew':
      return withCrew(state, news.agents)
    case 'history':
      return begin(state, news.newest, news.milestones)
    case 'heard':
      return hear(state, news.events)
    case 'socket':
      return { ...state, socket: news.socket }
    case 'failed':
      return { ...state, trouble: news.trouble }
  }
}

/** A new snapshot, or the same object if nothing has changed, so that nothing is drawn anew. */
function withCrew(state: LiveState, fresh: readonly Agent[]): LiveState {
  if (state.snapshot === null) return state
  const agents = keepEqual(state.snapshot.agents, fresh)
  if (agents === state.snapshot.agents && state.trouble === null) return state
  return { ...state, trouble: null, snapshot: { ...state.snapshot, agents } }
}

/** The end of the feed, asked for twice: all of it, and without the steps, which would hide the rest. */
interface Tail {
  readonly items: readonly StoredEvent[]
  readonly cursor: Cursor
}

function begin(state: LiveState, newest: Tail, milestones: Tail): LiveState {
  // Events recorded between the two answers come with the feed, which goes on from the first.
  const known = milestones.items.filter(({ cursor }) => !isAfter(cursor, newest.cursor))
  const once = new Map([...known, ...newest.items].map((event) => [event.cursor, event]))
  const events = [...once.values()].sort((a, b) => (isAfter(a.cursor, b.cursor) ? -1 : 1))
  return { ...state, cursor: newest.cursor, events: keepNewest(events) }
}

// Milestones and steps are bounded apart, so that a talkative engine does not push out what matters.
export const MILESTONES_MAX = 150
export const STEPS_MAX = 50

function hear(state: LiveState, heard: readonly StoredEvent[]): LiveState {
  let { cursor } = state
  const fresh: StoredEvent[] = []
  for (const event of heard) {
    // The stream and a poll may both bring an event; the cursor says which are already known.
    if (!isAfter(event.cursor, cursor)) continue
    cursor = event.cursor
    fresh.push(event)
  }
  if (fresh.length === 0) return state
  return { ...state, cursor, events: keepNewest([...fresh.reverse(), ...state.events]) }
}

function keepNewest(events: readonly StoredEvent[]): StoredEvent[] {
  const left = { step: STEPS_MAX, milestone: MILESTONES_MAX }
  return events.filter((event) => {
    left[rankOf(event)] -= 1
    return left[rankOf(event)] >= 0
  })
}

/** Steps are what happens inside a run; milestones are what one wants to read the next morning. */
export function rankOf({ event }: StoredEvent): 'step' | 'milestone' {
  return STEP_TYPES.includes(event.type) ? 'step' : 'milestone'
}

/** Events that change nothing on the page but the feed; engines make many of them. */
const QUIET: readonly StoredEvent['event']['type'][] = [
  'run.said',
  'thought.said',
  'run.began',
  'run.observed',
  'run.baseline',
  'run.session',
  'run.heard',
]

export function isQuiet({ type }: StoredEvent['event']): boolean {
  return QUIET.includes(type)
}

/** True if an event may have changed what the page shows beside the feed. */
export function changesPage(events: readonly StoredEvent[]): boolean {
  return !events.every(({ event }) => isQuiet(event))
}

export function isAfter(a: Cursor, b: Cursor): boolean {
  const [transactionA = 0n, sequenceA = 0n] = a.split('.').map(BigInt)
  const [transactionB = 0n, sequenceB = 0n] = b.split('.').map(BigInt)
  return transactionA === transactionB ? sequenceA > sequenceB : transactionA > transactionB
}

export function troubleOf(error: unknown): Trouble {
  // An answer that breaks off in the middle is a daemon that went away, not a strange answer.
  if (error instanceof TypeError || error instanceof DOMException) return { is: 'away' }
  if (!(error instanceof ApiError)) {
    return {
      is: 'failing',
      message: `The daemon answered in a form this page does not know${fieldIn(error)}.`,
      hint: 'Reload the page; it may be older than the daemon.',
    }
  }
  if (error.code === 'unauthorized') return { is: 'refused' }
  if (error.code === 'unreachable') return { is: 'away' }
  return { is: 'failing', message: error.message, hint: error.hint }
}

/** The field that a schema error names, for whoever is asked for help. */
function fieldIn(error: unknown): string {
  if (!(error instanceof Error) || !('issues' in error) || !Array.isArray(error.issues)) return ''
  const path: unknown = error.issues[0]?.path
  return Array.isArray(path) && path.length > 0 ? ` (at ${path.join('.')})` : ''
}

export type Connection = 'connecting' | 'live' | 'reconnecting' | 'offline'

export function connectionOf({ socket, trouble }: Pick<LiveState, 'socket' | 'trouble'>): Connection {
  if (trouble?.is === 'away') return 'offline'
  if (socket === 'open') return 'live'
  return socket === 'opening' ? 'connecting' : 'reconnecting'
}

export type PageView = 'loading' | 'page' | Trouble['is']

/** Old facts stay readable while the daemon is away; a refused token shows nothing. */
export function pageViewOf({ snapshot, trouble }: Pick<LiveState, 'snapshot' | 'trouble'>): PageView {
  if (trouble?.is === 'refused') return 'refused'
  if (snapshot) return 'page'
  return trouble?.is ?? 'loading'
}
