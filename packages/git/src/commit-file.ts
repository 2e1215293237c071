// One commit that sets one file, on a branch of its own: made of objects, so that no checkout is touched.
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { CommittedFile, FileCommit } from '@treadle/flow/ports/git'
import type { Git } from './git.ts'
import { checkBranchName, commitOf, moveRef, needCommit } from './refs.ts'
import { makeCommit } from './sign.ts'

/** A branch that is there already is left as it is: whoever was killed after making it has done the work. */
export async function commitFile(git: Git, request: FileCommit): Promise<CommittedFile> {
  const { branch, path, text, message } = request
  await checkBranchName(git, branch)
  const ref = `refs/heads/${branch}`
  const there = await commitOf(git, ref)
  if (there !== null) return { is: 'exists', commit: there }
  const base = await needCommit(git, request.base)
  const tree = await treeWith(git, base, { path, text })
  const { commit } = await makeCommit(git, { tree, parents: [base], message, sign: false })
  const from = '0'.repeat(commit.length)
  if (await moveRef(git, { ref, to: commit, from, why: 'a lesson' })) return { is: 'committed', commit }
  return { is: 'exists', commit: (await commitOf(git, ref)) ?? commit }
}

async function treeWith(
  git: Git,
  base: string,
  { path, text }: Pick<FileCommit, 'path' | 'text'>,
): Promise<string> {
  const cwd = await git.commonDir()
  const file = join(cwd, `treadle-index-${process.pid}-${randomUUID()}`)
  const env = { GIT_INDEX_FILE: file }
  try {
    await git.run(['read-tree', base], { cwd, env })
    const blob = (await git.run(['hash-object', '-w', '--stdin'], { cwd, stdin: text })).stdout.trim()
    await git.run(
      ['update-index', '--add', '--cacheinfo', `${await modeOf(git, base, path)},${blob},${path}`],
      {
        cwd,
        env,
      },
    )
    return (await git.run(['write-tree'], { cwd, env })).stdout.trim()
  } finally {
    for (const left of [file, `${file}.lock`]) rmSync(left, { force: true })
  }
}

const PLAIN = '100644'

/** As it was; what was a link becomes a file. */
async function modeOf(git: Git, base: string, path: string): Promise<string> {
  const { stdout } = await git.run(['ls-tree', base, '--', path])
  return /^100(644|755) /.exec(stdout)?.[0].trim() ?? PLAIN
}
