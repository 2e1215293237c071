// What a receipt says of the build that it brings, held against what is here.

import { createHash } from 'node:crypto'
import type { Receipt } from '@treadle/contracts/receipt'
import { FETCHED_NOTES, RECEIPT_NOTES, statedDigest } from '@treadle/contracts/receipt'
import { isBuildChange } from '@treadle/flow/build/builds/is-build-change.run'
import { mergeBase } from '@treadle/git/ancestry'
import { carry } from '@treadle/git/carry'
import type { Git } from '@treadle/git/git'
import { readNote, treeOf } from '@treadle/git/notes'
import { commitOf } from '@treadle/git/refs'
import type { Check } from './compare.ts'

const what = 'build'

/** Nothing, if the merge is of no build. */
export async function checkBuilt(git: Git, { predicate }: Receipt): Promise<Check[]> {
  const { build, base, head } = predicate
  if (build === undefined) return []
  const name = `${build.spec}, revision ${build.revision}`
  if ((await commitOf(git, build.tip)) === null)
    return [
      {
        what,
        is: 'note',
        words: `${name}: the branch ${build.branch} is not here, so its tasks are not looked at`,
      },
    ]
  const exact = await isBuildChange(
    {
      mergeBase: (one, other) => mergeBase(git, one, other),
      carry: (from, onto) => carry(git, from, onto),
      treeOf: (commit) => treeOf(git, commit),
    },
    { tip: build.tip, base: base.commit, head: head.commit },
  )
  const whole: Check =
    (exact ?? false) === build.exact
      ? {
          what,
          is: 'same',
          words: `${name}: ${build.exact ? 'exactly' : 'not only'} what ${build.branch} brings`,
        }
      : {
          what,
          is: 'differs',
          words: `${name}: stated was ${build.exact ? 'exactly' : 'not only'} what ${build.branch} brings`,
        }
  const checks: Check[] = [whole]
  for (const task of build.tasks) checks.push(await checkTask(git, task))
  return checks
}

type Task = NonNullable<Receipt['predicate']['build']>['tasks'][number]

async function checkTask(git: Git, { task, item, is, commit, receipt, why }: Task): Promise<Check> {
  const name = `${task} (#${item})`
  if (commit === null) return { what, is: 'note', words: `${name} is ${is}: ${why ?? 'nobody says why'}` }
  if ((await commitOf(git, commit)) === null)
    return { what, is: 'missing', words: `${name}: its merge ${commit.slice(0, 12)} is not here` }
  const stated = statedDigest((await git.run(['show', '-s', '--format=%B', commit])).stdout)
  if (stated !== receipt)
    return { what, is: 'differs', words: `${name}: its merge ${commit.slice(0, 12)} names another receipt` }
  const kept = (await readNote(git, RECEIPT_NOTES, commit)) ?? (await readNote(git, FETCHED_NOTES, commit))
  if (kept === null) return { what, is: 'note', words: `${name}: its receipt is not here` }
  const found = createHash('sha256').update(kept).digest('hex')
  return found === receipt
    ? { what, is: 'same', words: `${name}: ${commit.slice(0, 12)} and its receipt` }
    : {
        what,
        is: 'differs',
        words: `${name}: what is kept as the receipt of ${commit.slice(0, 12)} is not the one it names`,
      }
}
