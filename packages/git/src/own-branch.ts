// The branch that a worktree was made for, whatever an engine checks out in it later.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '@treadle/flow/fault'
import type { Git } from './git.ts'
import { gitDirOf, headOf } from './refs.ts'

const noteName = 'treadle-branch'

/** The branch of a worktree; null if nobody has written it down. */
export async function ownBranch(git: Git, worktree: string): Promise<string | null> {
  const note = join(await gitDirOf(git, worktree), noteName)
  return existsSync(note) ? readFileSync(note, 'utf8').trim() : null
}

export async function noteOwnBranch(git: Git, worktree: string, branch: string): Promise<void> {
  writeFileSync(join(await gitDirOf(git, worktree), noteName), `${branch}\n`)
}

/** HEAD names the branch again; the files stay as they are, and an unfinished rebase is given up. */
export async function returnToBranch(git: Git, worktree: string, branch: string): Promise<void> {
  const gitDir = await gitDirOf(git, worktree)
  const args = ['symbolic-ref', '-m', 'treadle: back to the branch', 'HEAD', `refs/heads/${branch}`]
  await git.run(args, { cwd: worktree })
  for (const name of ['rebase-merge', 'rebase-apply'])
    rmSync(join(gitDir, name), { recursive: true, force: true })
  await git.run(['reset', '--quiet'], { cwd: worktree })
}

export async function headAt(git: Git, worktree: string): Promise<string> {
  const head = await headOf(git, worktree)
  if (head === null) throw new Fault('git', `the worktree ${worktree} has no commit`)
  return head
}
