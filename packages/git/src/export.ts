// The files of a commit in a folder of their own, without any way back to the repository.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GitOptions, openGit } from './git.ts'
import { needCommit } from './refs.ts'

/** `folder` exists and is empty. */
export async function exportFiles(options: GitOptions, commit: string, folder: string): Promise<void> {
  const git = openGit(options)
  const from = await needCommit(git, commit)
  // An index of its own: neither the user's nor that of a worktree is touched.
  const scratch = mkdtempSync(join(tmpdir(), 'treadle-index-'))
  const env = {
    GIT_DIR: await git.commonDir(),
    GIT_WORK_TREE: folder,
    GIT_INDEX_FILE: join(scratch, 'index'),
  }
  try {
    await git.run(['read-tree', from], { cwd: folder, env })
    await git.run(['checkout-index', '--all', '--force'], { cwd: folder, env })
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
