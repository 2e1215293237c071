// The change of a run, as the histories of git tell it. What its agent said of the base is believed only where they agree.
import type { Item } from '@treadle/contracts/item'
import type { Run } from '@treadle/contracts/run'
import type { MergeGit, WorktreeGit } from '../ports/git.ts'
import { baseOf } from '../review/examine.run.ts'
import { onTargetOf } from '../work/item-target.ts'
import type { Captured } from './retrospective.ts'

export interface ChangeWorld {
  readonly source: Pick<WorktreeGit, 'diff'>
  readonly git: Pick<MergeGit, 'commitOf' | 'mergeBase'>
  readonly target: string
}

/** From what the target and the branch have in common to the last commit of the run; without commits, its own record. */
export async function diffOfRun(
  world: ChangeWorld,
  run: Run,
  item: Pick<Item, 'mergeCommit' | 'target'>,
): Promise<Captured['diff']> {
  const told = run.history.findLast(({ checkpoint }) => checkpoint !== null)?.checkpoint ?? null
  const to = told === null ? null : await world.git.commitOf(told)
  const from = to === null ? null : await whereItBegan(onTargetOf(world, item), { head: to, run, item })
  if (from !== null && to !== null) return { from, to, source: 'git', ...(await world.source.diff(from, to)) }
  const made = run.history.filter(({ phase }) => phase === 'build' || phase === 'improve')
  const files = [...new Set(made.flatMap(({ changes }) => changes))]
  const text = made.map(({ diff }) => diff).join('\n')
  return { from: run.base, to: told, source: files.length === 0 ? 'none' : 'history', files, text }
}

/** Once the change was merged, the target as it stood before that tells it; else what both histories have in common. */
async function whereItBegan(
  { git, target }: ChangeWorld,
  { head, run, item }: { head: string; run: Run; item: Pick<Item, 'mergeCommit'> },
): Promise<string | null> {
  const before = item.mergeCommit === null ? null : await git.commitOf(`${item.mergeCommit}^1`)
  const met = before === null ? null : await git.mergeBase(before, head)
  return met !== null && met !== head ? met : baseOf({ git, target }, head, run)
}
