// Conflicts in words.
import type {
  ConflictKind,
  ConflictSide,
  ConflictStatus,
  ConflictView,
  LineRange,
} from '@treadle/contracts/conflict'
import { itemLabel } from '@treadle/contracts/ids'
import type { Tone } from '@treadle/contracts/words/state'

export const STATUS: Record<ConflictStatus, { readonly words: string; readonly tone: Tone }> = {
  pending: { words: 'Waits for you', tone: 'attention' },
  resolving: { words: 'Being merged', tone: 'busy' },
  resolved: { words: 'Over', tone: 'good' },
}

export const KIND_WORDS: Record<ConflictKind, string> = {
  both_changed: 'both sides changed the same lines',
  both_added: 'both sides added it, each in its own way',
  deleted_on_target: 'changed on the branch, deleted on the target',
  deleted_on_branch: 'deleted on the branch, changed on the target',
  moved: 'moved, or a file on one side and a folder on the other',
  not_text: 'not a text: it is one side or the other as a whole',
}

export function filesWords(count: number): string {
  return count === 1 ? '1 file' : `${count} files`
}

/** Which of the three diffs of a conflict is looked at. */
export type Side = 'merged' | 'onBranch' | 'onTarget'

export function sideWords(side: Side, { branch, target }: Pick<ConflictView, 'branch' | 'target'>): string {
  if (side === 'merged') return 'With conflict markers'
  return `What ${side === 'onBranch' ? branch.name : target.name} changed`
}

/** All files as one change, for the viewer. */
export function diffOf({ files }: Pick<ConflictView, 'files'>, side: Side): string {
  return files.map((file) => file[side]).join('') || 'Nothing was changed on this side.'
}

export function sideName({ item, branch, committed }: ConflictSide): string {
  return `${item === null ? branch : itemLabel(item)}${committed ? '' : ' (not committed yet)'}`
}

/** Ranges of lines that are named; of more, the first say enough. */
const RANGES_SHOWN = 3

export function linesWords(lines: readonly LineRange[]): string {
  const shown = lines
    .slice(0, RANGES_SHOWN)
    .map(({ from, to }) => (from === to ? `${from}` : `${from} to ${to}`))
  if (shown.length === 0) return ''
  const more = lines.length > RANGES_SHOWN ? ` and ${lines.length - RANGES_SHOWN} more places` : ''
  const first = lines[0]
  const one = lines.length === 1 && first?.from === first?.to
  return `${one ? 'line' : 'lines'} ${shown.join(', ')}${more}`
}
