// The full-screen view as lines of text, for any size. Pure: the same facts and state give the same screen.
import { readsWords } from '@treadle/contracts/config/engines'
import type { Item } from '@treadle/contracts/item'
import { usd } from '@treadle/contracts/words/money'
import { timeAgo } from '@treadle/contracts/words/time'

import { paint } from '../output.ts'
import { clipColumns, padColumns } from '../terminal/columns.ts'
import { plainText } from '../terminal/plain-text.ts'
import { insightLines } from './draw-insights.ts'
import { nowRows } from './draw-now.ts'
import { type DrawnRow, heading, itemRow, nothingWords, type ScreenSize } from './drawn-row.ts'
import { reviewIn, type WatchFacts } from './watch-facts.ts'
import { PLACES, type WatchPlace, type WatchState } from './watch-state.ts'

export interface Drawing {
  readonly lines: readonly string[]
  /** The items of the rows that can be chosen. */
  readonly items: readonly Item[]
  /** Lines that a text or a list has. */
  readonly rows: number
}

/** Head, foot and the line below the head. */
const AROUND = 3

export interface Connection {
  /** True while the daemon answers. */
  readonly isLive: boolean
}

export function draw(
  state: WatchState,
  facts: WatchFacts | null,
  { size, isLive, now }: Connection & { readonly size: ScreenSize; readonly now: number },
): Drawing {
  const rows = Math.max(1, size.rows - AROUND)
  const given = facts === null ? [] : rowsOf(state, facts, { ...size, rows, now, search: state.search })
  const items = given.flatMap(({ item }) => (item === null ? [] : [item]))
  const body = bodyOf(state, given, { ...size, rows })
  const filled = [...body, ...Array.from({ length: Math.max(0, rows - body.length) }, () => '')]
  const lines = [
    headLine(state, facts, isLive),
    paint('dim', '─'.repeat(size.columns)),
    ...filled.slice(0, rows),
  ]
  const shown = facts === null ? waitingLines(lines, isLive) : lines
  return {
    lines: [...shown, footLine(state, facts)].map((line) => clipColumns(line, size.columns)),
    items,
    rows,
  }
}

function waitingLines(lines: readonly string[], isLive: boolean): string[] {
  const words = isLive ? 'Loading …' : 'The daemon is not running. Start it with: treadle up'
  return lines.map((line, nth) => (nth === 3 ? `  ${words}` : line))
}

function bodyOf(state: WatchState, given: readonly DrawnRow[], size: ScreenSize): string[] {
  if (state.showsKeys) return KEYS.map(([keys, words]) => `  ${padColumns(paint('bold', keys), 12)} ${words}`)
  const { opened } = state
  if (opened !== null) return opened.lines.slice(opened.scroll, opened.scroll + size.rows)
  return listLines(given, state.selected, size)
}

/** The part of a list in which the chosen row is. */
function listLines(given: readonly DrawnRow[], selected: number, { rows, columns }: ScreenSize): string[] {
  let nth = -1
  const lines = given.map(({ item, text }) => {
    if (item === null) return { text, isChosen: false }
    nth += 1
    return { text, isChosen: nth === selected }
  })
  const at = lines.findIndex(({ isChosen }) => isChosen)
  const from = Math.max(0, Math.min(at - Math.floor(rows / 2), lines.length - rows))
  return lines
    .slice(from, from + rows)
    .map(({ text, isChosen }) =>
      isChosen ? paint('inverse', padColumns(clipColumns(text, columns), columns)) : text,
    )
}

type ListSize = ScreenSize & { readonly now: number; readonly search: string }

function rowsOf(state: WatchState, facts: WatchFacts, size: ListSize): DrawnRow[] {
  const found = { ...facts, items: facts.items.filter((item) => matches(item, state.search)) }
  const views: Readonly<Record<WatchPlace, () => DrawnRow[]>> = {
    now: () => nowRows(found, size),
    work: () => workRows(found, size),
    review: () => reviewRows(found, size),
    insights: () => insightLines(facts, size).map((text) => ({ item: null, text })),
  }
  return views[state.place]()
}

function matches({ number, title, labels, claimedByAgentId }: Item, search: string): boolean {
  const text = `#${number} ${title} ${labels.join(' ')} ${claimedByAgentId ?? ''}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

const GROUPS: readonly (readonly [title: string, isIn: (item: Item) => boolean])[] = [
  ['Needs you', ({ needsHuman }) => needsHuman],
  [
    'At work',
    ({ needsHuman, status }) => !needsHuman && (status === 'in_progress' || status === 'in_review'),
  ],
  ['To do', ({ needsHuman, state }) => !needsHuman && state === 'todo'],
  ['Backlog', ({ needsHuman, state }) => !needsHuman && state === 'backlog'],
  ['Done', ({ state }) => state === 'done' || state === 'withdrawn'],
]

function workRows({ items }: WatchFacts, size: ListSize): DrawnRow[] {
  const rows = GROUPS.flatMap(([title, isIn]) => {
    const own = items.filter(isIn)
    if (own.length === 0) return []
    return [heading(`${title} (${own.length})`), ...own.map((item) => itemRow(item, size))]
  })
  if (rows.length > 0) return rows
  return [
    heading(size.search === '' ? 'No items. Add one: treadle add "what should change"' : nothingWords(size)),
  ]
}

function reviewRows(facts: WatchFacts, size: ListSize): DrawnRow[] {
  const waiting = facts.items.filter(({ state }) => state === 'in_review')
  const others = facts.items.filter(({ needsHuman, state }) => needsHuman && state !== 'in_review')
  if (waiting.length + others.length === 0) return [heading(nothingWords(size))]
  const row = (item: Item): DrawnRow => {
    const review = reviewIn(facts, item)
    const since = timeAgo(review?.completedAt ?? item.updatedAt, size.now)
    return itemRow(item, size, since)
  }
  return [
    ...(waiting.length > 0 ? [heading(`Deliveries (${waiting.length}): Enter shows the change`)] : []),
    ...waiting.map(row),
    ...(others.length > 0 ? [heading(`Also needs you (${others.length})`)] : []),
    ...others.map(row),
  ]
}

const NAMES: Readonly<Record<WatchPlace, string>> = {
  now: 'Now',
  work: 'Work',
  review: 'Review',
  insights: 'Insights',
}

function headLine(state: WatchState, facts: WatchFacts | null, isLive: boolean): string {
  const waiting = facts?.items.filter(({ needsHuman }) => needsHuman).length ?? 0
  const tabs = PLACES.map((place, nth) => {
    const count = place === 'review' && waiting > 0 ? ` (${waiting})` : ''
    const text = ` ${nth + 1} ${NAMES[place]}${count} `
    return place === state.place ? paint('inverse', text) : text
  })
  const live = isLive ? paint('green', '● live') : paint('red', '○ daemon away')
  const about =
    facts === null
      ? ''
      : `${facts.workspace.target} · ${facts.workspace.config.merge.approval} · ${usd(facts.daily.totalUSD)} today`
  return `${tabs.join('')}  ${live}  ${paint('dim', about)}`
}

const TYPED: Readonly<Record<NonNullable<WatchState['typing']>['is'], string>> = {
  search: 'Search',
  changes: 'What should change?',
  code: 'Code',
}

function footLine(state: WatchState, facts: WatchFacts | null): string {
  const { typing, asked, message, opened } = state
  if (typing !== null)
    return `${paint('bold', TYPED[typing.is])} ${typing.text}▏ ${paint('dim', typedNote(typing.is, facts))}`
  if (asked !== null)
    return paint(['bold', 'yellow'], `Approve and merge #${asked.number}? y/n  ${plainText(asked.title)}`)
  if (message !== '') return paint('yellow', plainText(message))
  if (opened !== null)
    return paint('dim', `${textPlace(opened)} · j k · ${DOES[opened.is]} · q back · ? keys`)
  const search = state.search === '' ? '' : `/${state.search} · `
  return paint('dim', `${search}1-4 places · j k move · Enter open · / search · ? keys · q quit`)
}

/** Known before one types: who will not read it. */
function typedNote(is: keyof typeof TYPED, facts: WatchFacts | null): string {
  const engine = facts?.workspace.config.engines.default
  const isUnread = is === 'changes' && engine !== undefined && !readsWords(engine)
  return isUnread ? `Enter, Esc · the ${engine} engine does not read this; reviewers do` : 'Enter, Esc'
}

const DOES = { diff: 'a approve · r request changes · o output', output: 'd diff · f follow' } as const

function textPlace({ lines, scroll, item, is }: NonNullable<WatchState['opened']>): string {
  return `#${item.number} ${is} ${Math.min(scroll + 1, lines.length)}/${lines.length}`
}

const KEYS: readonly (readonly [keys: string, words: string])[] = [
  ['1 2 3 4', 'Now, Work, Review, Insights'],
  ['g n/w/r/i', 'the same'],
  ['j k ↓ ↑', 'next and previous; scroll'],
  ['space PgUp', 'a page further or back'],
  ['Enter', 'in Review the change; elsewhere the output'],
  ['d', 'the change'],
  ['a', 'approve, beside the change'],
  ['r', 'request changes'],
  ['o', 'output: what the agent says and does, live'],
  ['O', 'open the page of the item in a browser'],
  ['e', 'open the first changed file in your editor'],
  ['/', 'search; Esc ends it'],
  ['q', 'back, or quit'],
]
