// Where the reader of the full-screen view is, and what a key does. Pure: what has to be fetched or sent is an effect.
import type { Item } from '@treadle/contracts/item'

export const PLACES = ['now', 'work', 'review', 'insights'] as const
export type WatchPlace = (typeof PLACES)[number]

/** A text that is longer than the screen. */
export interface OpenedText {
  readonly is: 'diff' | 'output'
  readonly item: Item
  readonly lines: readonly string[]
  readonly scroll: number
  /** Goes on by itself while the reader is at its end. */
  readonly follows: boolean
}

/** What is being typed; words about an item stay with the item that they were begun for. */
export type Typing =
  | { readonly is: 'search'; readonly text: string }
  | { readonly is: 'changes' | 'code'; readonly text: string; readonly item: Item }

export interface WatchState {
  readonly place: WatchPlace
  readonly selected: number
  readonly search: string
  readonly typing: Typing | null
  readonly opened: OpenedText | null
  /** The item that a yes is waited for. */
  readonly asked: Item | null
  readonly showsKeys: boolean
  /** A g was pressed: the next key names a place. */
  readonly goes: boolean
  readonly message: string
}

export const START: WatchState = {
  place: 'now',
  selected: 0,
  search: '',
  typing: null,
  opened: null,
  asked: null,
  showsKeys: false,
  goes: false,
  message: '',
}

export type WatchEffect =
  | { readonly is: 'quit' }
  | { readonly is: 'diff' | 'output'; readonly item: Item }
  | { readonly is: 'editor' | 'page'; readonly item: Item }
  | { readonly is: 'approve'; readonly item: Item; readonly code: string | null }
  | { readonly is: 'changes'; readonly item: Item; readonly text: string }

export interface PressedKey {
  readonly input: string
  readonly name?: 'up' | 'down' | 'pageUp' | 'pageDown' | 'return' | 'escape' | 'backspace' | 'ctrlC'
}

/** What the screen has, for keys that need to know. */
export interface Around {
  /** The items of the rows that can be chosen, in their order. */
  readonly items: readonly Item[]
  /** Lines of a text that fit at once. */
  readonly rows: number
}

export interface Pressed {
  readonly state: WatchState
  readonly effect: WatchEffect | null
}

const still = (state: WatchState): Pressed => ({ state, effect: null })

export function press(state: WatchState, key: PressedKey, around: Around): Pressed {
  if (key.name === 'ctrlC') return { state, effect: { is: 'quit' } }
  const fresh = { ...state, message: '' }
  if (fresh.typing !== null) return typed(fresh, fresh.typing, key)
  if (fresh.asked !== null) return answered(fresh, key)
  if (fresh.showsKeys) return still({ ...fresh, showsKeys: false })
  if (fresh.goes) return still(goTo({ ...fresh, goes: false }, 'nwri'.indexOf(key.input)))
  return fresh.opened === null ? inList(fresh, key, around) : inText(fresh, key, around)
}

function goTo(state: WatchState, nth: number): WatchState {
  const place = PLACES[nth]
  return place === undefined ? state : { ...state, place, selected: 0, opened: null }
}

function typed(state: WatchState, typing: Typing, { input, name }: PressedKey): Pressed {
  if (name === 'escape')
    return still({ ...state, typing: null, search: typing.is === 'search' ? '' : state.search })
  const text =
    name === 'backspace' ? typing.text.slice(0, -1) : typing.text + (name === undefined ? input : '')
  const ended = { ...state, typing: null }
  if (typing.is === 'search') {
    if (name === 'return') return still({ ...ended, search: text })
    return still({ ...state, search: text, selected: 0, typing: { ...typing, text } })
  }
  if (name !== 'return') return still({ ...state, typing: { ...typing, text } })
  if (text.trim() === '') return still(ended)
  const { item } = typing
  return typing.is === 'changes'
    ? { state: ended, effect: { is: 'changes', item, text: text.trim() } }
    : { state: ended, effect: { is: 'approve', item, code: text.trim() } }
}

function answered(state: WatchState, { input }: PressedKey): Pressed {
  const { asked } = state
  const ended = { ...state, asked: null }
  if (asked === null || input.toLowerCase() !== 'y') return still({ ...ended, message: 'Not approved.' })
  return { state: ended, effect: { is: 'approve', item: asked, code: null } }
}

/** Keys that do the same everywhere; null if this is none of them. */
function everywhere(state: WatchState, { input }: PressedKey, item: Item | undefined): Pressed | null {
  if (/^[1-4]$/.test(input)) return still(goTo(state, Number(input) - 1))
  if (input === 'g') return still({ ...state, goes: true })
  if (input === '?') return still({ ...state, showsKeys: true })
  if (input === '/') return still({ ...state, opened: null, typing: { is: 'search', text: state.search } })
  if (item === undefined) return null
  if (input === 'o') return { state, effect: { is: 'output', item } }
  if (input === 'O') return { state, effect: { is: 'page', item } }
  if (input === 'e') return { state, effect: { is: 'editor', item } }
  if (input === 'r') return still(askForChanges(state, item))
  return null
}

function askForChanges(state: WatchState, item: Item): WatchState {
  return item.state === 'in_review'
    ? { ...state, typing: { is: 'changes', text: '', item } }
    : { ...state, message: `#${item.number} has no delivery that waits for a review.` }
}

function inList(state: WatchState, key: PressedKey, { items, rows }: Around): Pressed {
  const item = items[state.selected]
  const step = stepOf(key, rows)
  if (step !== 0) {
    const selected = Math.max(0, Math.min(items.length - 1, state.selected + step))
    return still({ ...state, selected })
  }
  if (key.input === 'q') return { state, effect: { is: 'quit' } }
  if (key.name === 'escape') return still({ ...state, search: '' })
  if (key.name === 'return' && item !== undefined)
    return { state, effect: { is: item.state === 'in_review' ? 'diff' : 'output', item } }
  if (key.input === 'd' && item !== undefined) return { state, effect: { is: 'diff', item } }
  if (key.input === 'a' && item !== undefined)
    return item.state === 'in_review'
      ? { state: { ...state, message: 'Read the change first, then press a.' }, effect: { is: 'diff', item } }
      : still({ ...state, message: `#${item.number} has no delivery that waits for approval.` })
  return everywhere(state, key, item) ?? still(state)
}

function inText(state: WatchState, key: PressedKey, { rows }: Around): Pressed {
  const { opened } = state
  if (opened === null) return still(state)
  const step = stepOf(key, rows)
  if (step !== 0) return still({ ...state, opened: scrolled(opened, opened.scroll + step, rows) })
  if (key.input === 'q' || key.name === 'escape') return still({ ...state, opened: null })
  if (key.input === 'G') return still({ ...state, opened: scrolled(opened, opened.lines.length, rows) })
  if (key.input === 'f') return still({ ...state, opened: { ...opened, follows: !opened.follows } })
  if (key.input === 'a') {
    // Only beside the change: nobody approves what was not on the screen.
    return opened.is === 'diff' && opened.item.state === 'in_review'
      ? still({ ...state, asked: opened.item })
      : still({ ...state, message: 'Approve beside the change: press 3, then Enter.' })
  }
  if (key.input === 'd') return { state, effect: { is: 'diff', item: opened.item } }
  return everywhere(state, key, opened.item) ?? still(state)
}

function stepOf({ input, name }: PressedKey, rows: number): number {
  if (input === 'j' || name === 'down') return 1
  if (input === 'k' || name === 'up') return -1
  if (input === ' ' || name === 'pageDown') return Math.max(1, rows - 1)
  return name === 'pageUp' ? -Math.max(1, rows - 1) : 0
}

export function scrolled(opened: OpenedText, to: number, rows: number): OpenedText {
  const last = Math.max(0, opened.lines.length - rows)
  const scroll = Math.max(0, Math.min(last, to))
  return { ...opened, scroll, follows: opened.is === 'output' && scroll === last }
}

/** More lines of the same text: whoever is at its end stays there. */
export function grown(opened: OpenedText, lines: readonly string[], rows: number): OpenedText {
  const longer = { ...opened, lines }
  return opened.follows ? { ...longer, scroll: Math.max(0, lines.length - rows) } : longer
}

/** New lines for a change that is still read; null if the reader has gone on to something else meanwhile. */
export function renewed(opened: OpenedText | null, item: Item, lines: readonly string[]): OpenedText | null {
  const isSame =
    opened?.is === 'diff' &&
    opened.item.projectNumber === item.projectNumber &&
    opened.item.number === item.number &&
    opened.item.headCommit === item.headCommit
  return isSame ? { ...opened, item, lines } : null
}
