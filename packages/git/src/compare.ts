// Changes between two commits, and what a file was in one of them.
import type { Git } from './git.ts'
import { needCommit } from './refs.ts'

const plain = ['--no-ext-diff', '--no-textconv', '--no-color', '--no-renames']

/** The changed files and the unified diff from one commit's files to another's. */
export async function diffOf(git: Git, from: string, to: string): Promise<{ files: string[]; text: string }> {
  const ends = [await needCommit(git, from), await needCommit(git, to)]
  const names = await git.run(['diff', '--name-only', '-z', ...plain, ...ends, '--'])
  const files = names.stdout.split('\0').filter((name) => name !== '')
  const text = files.length === 0 ? '' : (await git.run(['diff', ...plain, ...ends, '--'])).stdout
  return { files, text }
}

/** A file's content in a commit; null if it has none of that name, or if it is no text. */
export async function fileAt(git: Git, commit: string, path: string): Promise<string | null> {
  const at = await needCommit(git, commit)
  const shown = await git.run(['cat-file', 'blob', `${at}:${path}`], { ok: [0, 128] })
  return shown.code === 0 && !shown.stdout.includes('\0') ? shown.stdout : null
}
