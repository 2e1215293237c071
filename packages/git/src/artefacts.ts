// Artefacts that our own commands leave in a worktree, such as caches and reports of a test run: no part of a change.
import { AsyncLocalStorage } from 'node:async_hooks'
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Git } from './git.ts'
import { bytesOf, type Name, namesOf, parentsOf, pathOf } from './names.ts'
import { gitDirOf } from './refs.ts'

// In the worktree's own git directory, so that they outlive a killed process and go with the worktree.
const notes = { gate: 'treadle-artefacts', setup: 'treadle-setup' } as const

/** File by file; a nested repository is one name that ends in a slash. */
export async function untrackedIn(git: Git, cwd: string, env: Record<string, string> = {}): Promise<Name[]> {
  const args = ['ls-files', '--others', '--exclude-standard', '-z']
  return namesOf((await git.run(args, { cwd, env })).bytes)
}

/** Watches in which the code runs, so that one within another leaves the noting to it. */
const watches = new AsyncLocalStorage<ReadonlySet<string>>()

/**
 * Notes the files that appear while `use` runs; within a watch of the same worktree the outer one notes them. A process that is killed before has noted nothing; whoever takes up
 * the worktree restores a checkpoint, and then they are gone.
 */
export async function watch<T>(
  git: Git,
  { worktree, what }: { worktree: string; what: keyof typeof notes },
  use: () => Promise<T>,
): Promise<T> {
  const around = watches.getStore() ?? new Set()
  const name = `${what} ${worktree}`
  if (around.has(name)) return use()
  const before = new Set(await untrackedIn(git, worktree))
  try {
    return await watches.run(new Set([...around, name]), use)
  } finally {
    // A test may have deleted the very folder it runs in.
    if (existsSync(worktree)) await note(git, worktree, { what, before })
  }
}

async function note(
  git: Git,
  worktree: string,
  { what, before }: { what: keyof typeof notes; before: ReadonlySet<Name> },
): Promise<void> {
  const fresh = (await untrackedIn(git, worktree)).filter((name) => !before.has(name))
  if (fresh.length === 0) return
  const file = join(await gitDirOf(git, worktree), notes[what])
  const known = new Set(noted(file))
  const more = fresh.filter((name) => !known.has(name))
  if (more.length > 0) appendFileSync(file, bytesOf(more))
}

function noted(file: string): Name[] {
  return existsSync(file) ? namesOf(readFileSync(file)) : []
}

/** Artefacts among the untracked files. A file that an engine has added to the index by itself is its own. */
export async function artefactsIn(git: Git, cwd: string, untracked: readonly Name[]): Promise<Set<Name>> {
  if (untracked.length === 0) return new Set()
  const gitDir = await gitDirOf(git, cwd)
  const known = new Set(Object.values(notes).flatMap((name) => noted(join(gitDir, name))))
  return new Set(untracked.filter((name) => known.has(name)))
}

/** The artefacts in as few names as possible: whole folders where nothing else is in them. */
export async function foldersOf(
  git: Git,
  at: { cwd: string; env: Record<string, string> },
  { artefacts, untracked }: { artefacts: ReadonlySet<Name>; untracked: readonly Name[] },
): Promise<Name[]> {
  const tracked = namesOf((await git.run(['ls-files', '-z'], at)).bytes)
  const others = [...tracked, ...untracked.filter((name) => !artefacts.has(name))]
  const shared = new Set(others.flatMap(parentsOf))
  return [...new Set([...artefacts].map((name) => parentsOf(name).find((one) => !shared.has(one)) ?? name))]
}

/**
 * Removes what runs of gates have left, whoever has written it since: what is tested next is then what would be
 * delivered. What the setup has made stays.
 */
export async function clearArtefacts(git: Git, worktree: string): Promise<void> {
  const left = new Set(noted(join(await gitDirOf(git, worktree), notes.gate)))
  if (left.size === 0) return
  for (const name of await untrackedIn(git, worktree))
    if (left.has(name)) rmSync(pathOf(worktree, name.replace(/\/$/, '')), { recursive: true, force: true })
}
