// Keyboard shortcuts of the whole page: what each key does.
import type { ScreenName } from '../parts/route.model.ts'
import { JUMPS } from './screens.model.ts'

export interface Pressed {
  readonly key: string
  /** Ctrl, Alt or Meta is held: that is the browser's. */
  readonly modified: boolean
  /** The key was pressed in a field, a menu or a dialog, which have keys of their own. */
  readonly elsewhere: boolean
  /** True if g was pressed just before. */
  readonly going: boolean
}

export type KeyChoice =
  | { readonly is: 'nothing' }
  | { readonly is: 'going' }
  | { readonly is: 'go'; readonly to: ScreenName }
  | { readonly is: 'help' }

export function decideKey({ key, modified, elsewhere, going }: Pressed): KeyChoice {
  if (modified || elsewhere) return { is: 'nothing' }
  const screen = going ? JUMPS.find((each) => each.key === key) : undefined
  if (screen !== undefined) return { is: 'go', to: screen.to }
  if (key === '?') return { is: 'help' }
  return key === 'g' ? { is: 'going' } : { is: 'nothing' }
}

/** True for ⌘K or Ctrl+K, which opens the command palette from anywhere, a field included. */
export function opensPalette(event: Pick<KeyboardEvent, 'key' | 'metaKey' | 'ctrlKey' | 'altKey'>): boolean {
  return event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.altKey
}
