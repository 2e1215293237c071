// What a key means, wherever on the page it is pressed.
import type { Screen } from './route.model.ts'
import { WAYS } from './ways.model.ts'

export interface Pressed {
  readonly key: string
  /** Ctrl, Alt or Meta is held: that is the browser's. */
  readonly modified: boolean
  /** In a field, a menu or a dialog, which have keys of their own. */
  readonly elsewhere: boolean
  /** g came just before. */
  readonly going: boolean
}

export type KeyChoice =
  | { readonly is: 'nothing' }
  | { readonly is: 'going' }
  | { readonly is: 'go'; readonly to: Screen }
  | { readonly is: 'help' }

export function decideKey({ key, modified, elsewhere, going }: Pressed): KeyChoice {
  if (modified || elsewhere) return { is: 'nothing' }
  const way = going ? WAYS.find((each) => each.key === key) : undefined
  if (way !== undefined) return { is: 'go', to: way.to }
  if (key === '?') return { is: 'help' }
  return key === 'g' ? { is: 'going' } : { is: 'nothing' }
}
