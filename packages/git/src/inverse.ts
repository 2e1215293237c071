// The inverse of a merge on top of a commit, computed on objects: what the merge brought is taken back, what came
// after it stays. No working tree, no index and no reference is touched.
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Inverse } from '@treadle/flow/ports/git'
import { contains } from './ancestry.ts'
import type { Git } from './git.ts'
import { fixedIdentity, mergeTree } from './merge-tree.ts'
import { type Name, namesOf, utf8 } from './names.ts'
import { commitOf, needCommit } from './refs.ts'

/** Null: the merge is not in the history of `onto`, or the commit before it is not here. */
export async function inverseOf(git: Git, merge: string, onto: string): Promise<Inverse | null> {
  const at = await needCommit(git, onto)
  const merged = await commitOf(git, merge)
  const before = merged === null ? null : await commitOf(git, `${merged}^1`)
  if (merged === null || before === null || !(await contains(git, at, merged))) return null
  // A child of the merge with the files of before it: merged into `onto`, the merge itself is what both have in common.
  const undone = await commitTree(git, { tree: `${before}^{tree}`, parent: merged })
  const { tree, files } = await mergeTree(git, at, undone)
  const taken = files.length === 0 ? tree : await withoutConflicts(git, { at, before, tree, files })
  return { commit: await commitTree(git, { tree: taken, parent: at }), conflicts: files }
}

/** The same tree on the same parent is the same commit, whoever makes it. */
async function commitTree(git: Git, { tree, parent }: { tree: string; parent: string }): Promise<string> {
  const args = ['commit-tree', '-p', parent, '-m', 'The inverse of a merge', tree]
  return (await git.run(args, { env: fixedIdentity })).stdout.trim()
}

interface Conflicted {
  readonly at: string
  readonly before: string
  readonly tree: string
  readonly files: readonly string[]
}

/** The tree of `at` with what merged cleanly; files that conflict stay as they are, and git's stand-ins are left out. */
async function withoutConflicts(git: Git, { at, before, tree, files }: Conflicted): Promise<string> {
  const known = new Set(namesOf((await git.run(['ls-tree', '-r', '-z', '--name-only', before])).bytes))
  const entries = (await entriesBetween(git, at, tree)).filter(
    ({ name, isNew }) => !files.includes(utf8(name)) && (!isNew || known.has(name)),
  )
  const cwd = await git.commonDir()
  const file = join(cwd, `treadle-index-${process.pid}-${randomUUID()}`)
  const run = { cwd, env: { GIT_INDEX_FILE: file } }
  try {
    await git.run(['read-tree', at], run)
    const lines = entries.map(({ mode, id, name }) => `${mode} ${id}\t${name}\0`).join('')
    await git.run(['update-index', '-z', '--index-info'], { ...run, stdin: Buffer.from(lines, 'latin1') })
    return (await git.run(['write-tree'], run)).stdout.trim()
  } finally {
    for (const left of [file, `${file}.lock`]) rmSync(left, { force: true })
  }
}

/** A file of a tree that differs from the other one; the mode 000000 stands for one that is gone. */
interface Entry {
  readonly mode: string
  readonly id: string
  readonly name: Name
  readonly isNew: boolean
}

async function entriesBetween(git: Git, from: string, to: string): Promise<Entry[]> {
  const { bytes } = await git.run(['diff-tree', '-r', '-z', '--raw', '--no-renames', from, to])
  const parts = namesOf(bytes)
  const entries: Entry[] = []
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [, mode = '', , id = '', kind] = (parts[index] ?? '').split(' ')
    entries.push({ mode, id, name: parts[index + 1] ?? '', isNew: kind === 'A' })
  }
  return entries
}
