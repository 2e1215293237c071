// Installed packages that a tree of the project borrows from the owner's checkout: a worktree holds what is committed,
// and packages are not. In a sandbox they are mounted where they lie; without one, links are made (turned-links.ts).
import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findLendable } from './lend.ts'

/** Paths, relative to the root, of what the owner's checkout has installed and `tree` has room for and lacks. */
export function borrowedPackages(owner: string, tree: string): string[] {
  if (owner === tree) return []
  return findLendable(owner).filter(
    (path) => existsSync(join(tree, dirname(path))) && isMissing(join(tree, path)),
  )
}

/** An empty folder is a mount point that an earlier sandbox left. */
function isMissing(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return true
  return found.isDirectory() && readdirSync(path).length === 0
}
