// A new branch at a commit. No checkout is touched, and a branch that is there stays where it is.
import { Fault, messageOf } from '@treadle/flow/fault'
import type { MadeBranch } from '@treadle/flow/ports/git'
import type { Git } from './git.ts'
import { checkBranchName, commitOf, moveRef, needCommit } from './refs.ts'

export async function makeBranch(git: Git, branch: string, commit: string): Promise<MadeBranch> {
  await checkBranchName(git, branch)
  const ref = `refs/heads/${branch}`
  const to = await needCommit(git, commit)
  try {
    if (await moveRef(git, { ref, to, from: '0'.repeat(to.length), why: 'a new branch' }))
      return { is: 'made' }
  } catch (error) {
    // A branch named build keeps build/list from being made: git has no room for both.
    if (error instanceof Fault) return { is: 'refused', why: messageOf(error) }
    throw error
  }
  const there = await commitOf(git, ref)
  return there === null
    ? { is: 'refused', why: `git made no branch ${branch}; is there one named ${branch.split('/')[0]}?` }
    : { is: 'exists', commit: there }
}
