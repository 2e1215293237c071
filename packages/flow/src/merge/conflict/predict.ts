// Which pairs have to be held against each other, and what makes one warning the same as another. Pure.
import type { ConflictSide, PredictedConflict } from '@treadle/contracts/conflict'
import type { EventId, ItemRef } from '@treadle/contracts/ids'

/** A branch as it stands now. */
export interface Side extends ConflictSide {
  /** Where the branch is; `commit` may hold more. */
  readonly head: string
}

/** Each item with the target, and each two items once; the one that came later is told about the other. */
export function pairsOf(live: readonly Side[], target: Side): [one: Side, other: Side][] {
  const inOrder = [...live].sort(byAge)
  return inOrder.flatMap((one, at) => [
    [one, target] as [Side, Side],
    ...inOrder.slice(0, at).map((other): [Side, Side] => [one, other]),
  ])
}

function byAge(a: Side, b: Side): number {
  return keyOf(a.item) - keyOf(b.item) || a.branch.localeCompare(b.branch)
}

const PROJECT = 4_294_967_296

function keyOf(item: ItemRef | null): number {
  return item === null ? 0 : item.projectNumber * PROJECT + item.number
}

/** Two commits never change, so what was found about them once stays true. */
export function pairKey(one: Side, other: Side): string {
  return `${one.commit} ${other.commit}`
}

/**
 * A warning is given once for two heads and the files in question: neither every look nor every edit repeats it, nor
 * that the target moves on.
 */
export function warningId(one: Side, other: Side, files: PredictedConflict['files']): EventId {
  const heads = [one, ...(other.item === null ? [] : [other])].map(({ head }) => head.slice(0, 12))
  const what = files.map(({ path }) => path).join('\0')
  return ['predicted', nameOf(one), nameOf(other), ...heads, fingerprint(what)].join(':')
}

function nameOf({ item }: Side): string {
  return item === null ? 'target' : `${item.projectNumber}.${item.number}`
}

/** FNV-1a: enough to tell lists of files apart. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return (hash >>> 0).toString(16)
}
