// What the receipt of a delivery says of the build: the branch, and for each task its item, its merge and the hash of
// that one's own receipt.
import type { Build, ReceiptBuild, ReceiptTask } from '@treadle/contracts/build'
import type { Config } from '@treadle/contracts/config'
import type { Item } from '@treadle/contracts/item'
import { statedDigest } from '@treadle/contracts/receipt'
import type { MergeGit } from '../../ports/git.ts'
import type { Store } from '../../ports/store.ts'
import { isDelivery, isTask, lastFailure, type TaskItem } from '../../work/build-items.ts'
import { isBuildChange } from './is-build-change.run.ts'
import { skipOf, statusOfTask } from './task-status.ts'

interface ReceiptWorld {
  readonly store: Pick<Store, 'builds' | 'items'>
  readonly git: Pick<MergeGit, 'commitOf' | 'messageOf' | 'carry' | 'mergeBase' | 'treeOf'>
  readonly config: () => Pick<Config, 'validation'>
}

/** Null: the item is no delivery of a build. */
export async function receiptOfBuild(
  { store, git, config }: ReceiptWorld,
  item: Item & { readonly headCommit: string },
  base: string,
): Promise<ReceiptBuild | null> {
  const build = item.build === null || !isDelivery(item) ? null : await store.builds.find(item.build)
  const tip = build === null ? null : await git.commitOf(`refs/heads/${build.branch}`)
  if (build === null || tip === null) return null
  const tasks: ReceiptTask[] = []
  for (const each of (await store.items.ofBuild(build.id)).filter(isTask))
    tasks.push(await taskOf(git, build, each))
  const { id, spec, revision, branch } = build
  const exact = (await isBuildChange(git, { tip, base, head: item.headCommit })) ?? false
  const level = build.validation ?? config().validation.level
  return { id, spec, revision, branch, tip, ...(level === null ? {} : { validation: level }), exact, tasks }
}

async function taskOf(git: ReceiptWorld['git'], build: Build, item: TaskItem): Promise<ReceiptTask> {
  const { mergeCommit: commit, specTask, number } = item
  const named = { task: specTask.id, item: number, commit }
  if (commit !== null)
    return { ...named, is: 'complete', receipt: statedDigest(await git.messageOf(commit)), why: null }
  const why = skipOf(build, specTask.id)?.why ?? lastFailure(build, item)?.reason ?? item.reason
  const is = statusOfTask(item, build) === 'failed' ? 'failed' : 'skipped'
  return { ...named, is, receipt: null, why }
}
