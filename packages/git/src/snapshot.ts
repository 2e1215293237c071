// The whole content of a worktree as a tree object, without touching its index, HEAD or branch.
import { randomUUID } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { artefactsIn, foldersOf } from './artefacts.ts'
import { commitTree } from './commit-tree.ts'
import type { Git } from './git.ts'
import { copyIndex } from './index-copy.ts'
import { bytesOf, type Name, namesOf, utf8 } from './names.ts'
import { oversizedAmong } from './oversized.ts'
import { checkRefName, commitOf, commitsOf, gitDirOf, headOf } from './refs.ts'

export interface IndexEnv extends Record<string, string> {
  readonly GIT_INDEX_FILE: string
}

/** A copy of the worktree's index for the length of `use`; what happens in it stays in it. */
export async function withIndexCopy<T>(
  git: Git,
  worktree: string,
  use: (env: IndexEnv) => Promise<T>,
): Promise<T> {
  const gitDir = await gitDirOf(git, worktree)
  const file = join(gitDir, `treadle-index-${process.pid}-${randomUUID()}`)
  const env = { GIT_INDEX_FILE: file }
  try {
    // The copy carries the file times, so that unchanged files need not be read again.
    if (existsSync(join(gitDir, 'index'))) copyIndex(join(gitDir, 'index'), file)
    else if (await headOf(git, worktree)) await git.run(['read-tree', 'HEAD'], { cwd: worktree, env })
    return await use(env)
  } finally {
    for (const left of [file, `${file}.lock`]) rmSync(left, { force: true })
  }
}

/**
 * Stages everything but artefacts, new files over the limits and nested repositories, and says which those are: repositories inside the worktree
 * that git does not know, of which `git add` would keep only a pointer.
 */
export async function addAll(git: Git, cwd: string, env: Record<string, string> = {}): Promise<Name[]> {
  const { untracked, links } = await standingIn(git, cwd, env)
  // A nested repository is looked at with our own git directory, whose artefacts have other names.
  const artefacts = env.GIT_DIR === undefined ? await artefactsIn(git, cwd, untracked) : new Set<Name>()
  const nested = untracked.filter((name) => name.endsWith('/') && !artefacts.has(name))
  const left = artefacts.size === 0 ? [] : await foldersOf(git, { cwd, env }, { artefacts, untracked })
  const fresh = untracked.filter((name) => !artefacts.has(name))
  const large = oversizedAmong(cwd, fresh, git.keep).map(({ name }) => name)
  const without = [...nested, ...left, ...links, ...large].map(
    (name) => `:(top,exclude,literal)${name.replace(/\/$/, '')}`,
  )
  const rest = ['--pathspec-from-file=-', '--pathspec-file-nul']
  const run = { cwd, env, stdin: bytesOf([':(top)', ...without]) }
  const added = await git.run(['add', '--all', ...rest], { ...run, ok: [0, 1, 128] })
  // One file that vanishes meanwhile or cannot be read must not cost all the others.
  if (added.code !== 0) await git.run(['add', '--all', '--ignore-errors', ...rest], { ...run, ok: [0, 1] })
  if (links.length > 0) {
    const take = ['update-index', '-q', '--add', '--remove', '--replace', '-z', '--stdin']
    await git.run(take, { cwd, env, stdin: bytesOf(links), ok: [0, 1, 128] })
  }
  return nested
}

const TRACKED = /^[A-Za-z] (\d+) [0-9a-f]+ \d\t(.+)$/s

/**
 * Files that git does not know, as `untrackedIn` tells them, and links: submodules, and repositories that an engine has
 * added to the index. `git add` would run git in each of them, by the configuration that stands there; which commit it
 * is at can be had without that. The tags keep apart what is tracked and what only looks so by its name.
 */
async function standingIn(
  git: Git,
  cwd: string,
  env: Record<string, string>,
): Promise<{ untracked: Name[]; links: Name[] }> {
  const args = ['ls-files', '-t', '--stage', '--others', '--exclude-standard', '-z', '--', ':(top)']
  const entries = namesOf((await git.run(args, { cwd, env })).bytes)
  const untracked = entries.flatMap((entry) => (entry.startsWith('? ') ? [entry.slice(2)] : []))
  const links = entries.flatMap((entry) => {
    const [, mode, name] = TRACKED.exec(entry) ?? []
    return mode === '160000' && name !== undefined ? [name] : []
  })
  return { untracked, links: [...new Set(links)] }
}

const nestedDepthMax = 8

/**
 * Brings a copied index to the state of the files and writes it as a tree. The files of nested repositories
 * become ordinary files of it.
 */
export async function treeOf(git: Git, cwd: string, env: IndexEnv, depth = 1): Promise<string> {
  const nested = await addAll(git, cwd, env)
  const gitDir = nested.length > 0 ? (env.GIT_DIR ?? (await gitDirOf(git, cwd))) : ''
  for (const [at, name] of depth > nestedDepthMax ? [] : nested.entries()) {
    const inner = join(cwd, utf8(name))
    const file = `${env.GIT_INDEX_FILE}-${at}`
    // Seen from our own repository the nested one is a folder like any other.
    const within = { GIT_DIR: gitDir, GIT_WORK_TREE: inner, GIT_INDEX_FILE: file }
    try {
      const tree = await treeOf(git, inner, within, depth + 1)
      await git.run(['read-tree', `--prefix=${name}`, tree], { cwd, env })
    } finally {
      for (const left of [file, `${file}.lock`]) rmSync(left, { force: true })
    }
  }
  return (await git.run(['write-tree'], { cwd, env })).stdout.trim()
}

/** Makes a commit of a tree under `ref`, on top of HEAD. */
export async function commitUnder(
  git: Git,
  worktree: string,
  what: { tree: string; ref: string; message: string },
): Promise<string> {
  await checkRefName(git, what.ref)
  const [parent = null, before = null] = await commitsOf(git, ['HEAD', what.ref], worktree)
  return commitBeside(git, { ...what, cwd: worktree, parent, before })
}

/** Makes sure that a commit is reachable from `ref`. */
export async function keepCommit(git: Git, ref: string, commit: string): Promise<void> {
  await checkRefName(git, ref)
  const before = await commitOf(git, ref)
  const has =
    before && (await git.run(['merge-base', '--is-ancestor', commit, before], { ok: [0, 1] })).code === 0
  if (has) return
  const message = 'Kept before the branch started over'
  const tree = `${commit}^{tree}`
  await commitBeside(git, { cwd: git.repository, ref, parent: commit, before, tree, message })
}

async function commitBeside(
  git: Git,
  what: {
    cwd: string
    ref: string
    parent: string | null
    /** Where the reference is now. */
    before: string | null
    tree: string
    message: string
  },
): Promise<string> {
  const { cwd, ref, parent, before } = what
  // The reference's content of before stays reachable: a repeated step must not lose the first one's.
  const parents = [parent, before === parent ? null : before].filter((commit) => commit !== null)
  const commit = await commitTree(git, { cwd, tree: what.tree, parents, message: what.message })
  await git.run(['update-ref', ref, commit], { cwd })
  return commit
}
