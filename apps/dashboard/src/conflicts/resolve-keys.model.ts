// Keys of a conflict: what each does.
import type { PlaceChoice } from '@treadle/contracts/conflict-parts'

export type ResolveKey =
  | { readonly is: 'step'; readonly by: 1 | -1 }
  | { readonly is: 'take'; readonly choice: PlaceChoice }
  | { readonly is: 'edit' }

export const RESOLVE_KEYS: readonly {
  readonly key: string
  readonly is: ResolveKey
  readonly words: string
}[] = [
  { key: 'j', is: { is: 'step', by: 1 }, words: 'Next place' },
  { key: 'k', is: { is: 'step', by: -1 }, words: 'Previous place' },
  { key: '1', is: { is: 'take', choice: { is: 'target' } }, words: 'Take the target branch' },
  { key: '2', is: { is: 'take', choice: { is: 'branch' } }, words: 'Take the delivery' },
  {
    key: '3',
    is: { is: 'take', choice: { is: 'both', first: 'target' } },
    words: 'Take both, target branch first',
  },
  {
    key: '4',
    is: { is: 'take', choice: { is: 'both', first: 'branch' } },
    words: 'Take both, delivery first',
  },
  { key: 'e', is: { is: 'edit' }, words: 'Edit the result' },
]

export function keyMeans(key: string): ResolveKey | null {
  return RESOLVE_KEYS.find((each) => each.key === key)?.is ?? null
}
