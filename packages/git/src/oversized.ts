// New files that are too large to be kept: every attempt makes checkpoints, and each would hold them in the repository.
import { lstatSync } from 'node:fs'
import type { LeftOut } from '@treadle/flow/ports/git'
import { artefactsIn, untrackedIn } from './artefacts.ts'
import type { Git } from './git.ts'
import type { KeepLimits } from './keep-limits.ts'
import { type Name, pathOf, utf8 } from './names.ts'

interface Sized {
  readonly name: Name
  readonly bytes: number
}

/** New files that are left out, the largest first: single ones over their limit, then until the rest fits. */
export function oversizedAmong(cwd: string, names: readonly Name[], limits: KeepLimits): Sized[] {
  const sized = names.map((name) => ({ name, bytes: sizeAt(cwd, name) })).sort((a, b) => b.bytes - a.bytes)
  let total = sized.reduce((all, { bytes }) => all + bytes, 0)
  const out: Sized[] = []
  for (const each of sized) {
    if (each.bytes <= limits.fileBytes && total <= limits.checkpointBytes) break
    out.push(each)
    total -= each.bytes
  }
  return out
}

function sizeAt(cwd: string, name: Name): number {
  const stat = lstatSync(pathOf(cwd, name), { throwIfNoEntry: false })
  return stat?.isFile() ? stat.size : 0
}

/** Files that the next checkpoint of a worktree will leave out, with their size. */
export async function leftOut(git: Git, worktree: string): Promise<LeftOut[]> {
  const untracked = await untrackedIn(git, worktree)
  const artefacts = await artefactsIn(git, worktree, untracked)
  const names = untracked.filter((name) => !artefacts.has(name))
  return oversizedAmong(worktree, names, git.keep).map(({ name, bytes }) => ({ file: utf8(name), bytes }))
}
