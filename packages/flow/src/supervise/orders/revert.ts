// May a merge be taken back, and as which item? Pure.
import { type Item, NewItem, type Reverts } from '@treadle/contracts/item'
import { revertConflictWords, revertsWords } from '@treadle/contracts/words/revert'

export interface RevertFacts {
  readonly item: Item
  readonly target: string
  /** The item that takes it back already, or has done so; null: none. */
  readonly revert: Item | null
  /** Of the merge on top of the target; null: the merge is not in its history. */
  readonly inverse: { readonly changed: number; readonly conflicts: readonly string[] } | null
}

export type RevertChoice =
  | { readonly is: 'add'; readonly reverts: Reverts }
  | { readonly is: 'open'; readonly item: Item; readonly reverts: Reverts }
  | { readonly is: 'refuse'; readonly why: string; readonly hint: string }

export function decideRevert({ item, target, revert, inverse }: RevertFacts): RevertChoice {
  const { number, mergeCommit, state } = item
  const refuse = (why: string, hint: string): RevertChoice => ({ is: 'refuse', why, hint })
  if (state !== 'done' || mergeCommit === null)
    return refuse(
      `#${number} is not merged, so there is nothing to take back.`,
      state === 'done'
        ? 'It was handed over as a branch. Whoever merged it can take it back.'
        : `It is ${state.replaceAll('_', ' ')}. Take it out of the flow instead: treadle withdraw ${number}`,
    )
  const reverts = { number, commit: mergeCommit }
  if (revert !== null && revert.state !== 'done') return { is: 'open', item: revert, reverts }
  if (revert !== null)
    return refuse(
      `#${number} is taken back already, by #${revert.number}.`,
      `To have it again, take that one back: treadle revert ${revert.number}`,
    )
  if (inverse === null)
    return refuse(
      `The merge of #${number} (${mergeCommit}) is not in the history of ${target} any more.`,
      `Look for it: git log ${target}`,
    )
  if (inverse.changed + inverse.conflicts.length === 0)
    return refuse(
      `Nothing of what #${number} brought is left in ${target}.`,
      `See what it was: git diff ${mergeCommit}^1 ${mergeCommit}`,
    )
  return { is: 'add', reverts }
}

const TITLE_MAX = 300

/** The item that takes a merge back; it goes before everything else in the queue. */
export function revertItem(
  { projectNumber, title, target }: Pick<Item, 'projectNumber' | 'title' | 'target'>,
  reverts: Reverts,
  conflicts: readonly string[],
): NewItem & { readonly reverts: Reverts } {
  const body = [
    `Takes back ${revertsWords(reverts)} (${reverts.commit}). The change is computed: what that merge brought goes, what came later stays.`,
    ...(conflicts.length === 0 ? [] : [revertConflictWords(reverts, conflicts)]),
  ].join('\n\n')
  const item = NewItem.parse({
    projectNumber,
    title: `Revert #${reverts.number}: ${title}`.slice(0, TITLE_MAX),
    body,
    priority: 0,
    acceptance: ['The existing tests still pass'],
    target,
  })
  return { ...item, reverts }
}
