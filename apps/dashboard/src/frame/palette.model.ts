// The command palette: what can be found, and which of it fits what was typed.
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { STATE_WORDS } from '@treadle/contracts/words/state'
import type { Route } from '../parts/route.model.ts'
import { JUMPS, routeTo } from './screens.model.ts'

export type CommandName = 'pause_all' | 'resume_all' | 'stop_all' | 'add_agent' | 'keys'

export type PaletteEntry = { readonly key: string; readonly words: string; readonly hint: string } & (
  | { readonly is: 'go'; readonly route: Route }
  | { readonly is: 'do'; readonly name: CommandName }
)

const COMMANDS: readonly (PaletteEntry & { readonly is: 'do' })[] = [
  { is: 'do', key: 'pause', name: 'pause_all', words: 'Pause all agents', hint: 'Action' },
  { is: 'do', key: 'resume', name: 'resume_all', words: 'Resume all agents', hint: 'Action' },
  { is: 'do', key: 'add', name: 'add_agent', words: 'Add an agent', hint: 'Action' },
  { is: 'do', key: 'stop', name: 'stop_all', words: 'Emergency stop all', hint: 'Action' },
  { is: 'do', key: 'keys', name: 'keys', words: 'Keyboard shortcuts', hint: '?' },
]
const PLACES: readonly PaletteEntry[] = JUMPS.map(({ to, words, key }) => ({
  is: 'go',
  key: `go ${key}`,
  words: `Go to ${words}`,
  hint: `g ${key}`,
  route: routeTo(to),
}))
const FOUND_MAX = 12

/** What fits: every word that was typed is in it. A number or #number finds that item first. */
export function find(typed: string, items: readonly Item[]): PaletteEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  const fixed = [...PLACES, ...COMMANDS].filter(({ words: name }) => fits(name))
  if (words.length === 0) return fixed.slice(0, FOUND_MAX)
  const found = items.filter((item) => fits(`${itemLabel(item)} ${item.title}`)).map(asFound)
  const exact = found.filter(({ words: name }) => name.split(' ')[0] === `#${typed.trim().replace(/^#/, '')}`)
  const others = found.filter((each) => !exact.includes(each))
  return [...exact, ...fixed, ...others].slice(0, FOUND_MAX)
}

function asFound(item: Item): PaletteEntry {
  const { projectNumber, number } = item
  return {
    is: 'go',
    key: `item ${projectNumber}/${number}`,
    words: `${itemLabel(item)} ${item.title}`,
    hint: STATE_WORDS[item.state].words,
    route: { is: 'item', item: { projectNumber, number } },
  }
}
