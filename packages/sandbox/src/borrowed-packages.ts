// Installed packages that a tree of the project borrows from the owner's checkout: a worktree holds what is committed,
// and packages are not. In a sandbox they are mounted where they lie; without one, links are made (turned-links.ts).
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { findLendable, hasRoomFor } from './lend.ts'
import { isTurned } from './plug-n-play.ts'

/** Paths, relative to the root, of what the owner's checkout has installed and `tree` has room for and lacks. */
export function borrowedPackages(owner: string, tree: string): string[] {
  if (owner === tree) return []
  return findLendable(owner).filter((path) => hasRoomFor(tree, path) && isMissing(join(tree, path)))
}

/** What is empty is a mount point that an earlier sandbox left; what was turned is a copy of what is lent. */
function isMissing(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return true
  if (found.isFile()) return found.size === 0 || isTurned(path)
  return found.isDirectory() && readdirSync(path).length === 0
}
