// Installed packages that a tree of the project borrows from the owner's checkout: a worktree holds what is committed,
// and packages are not. In a sandbox they are mounted where they lie; without one, links are made (turned-links.ts).
import { lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { canHold, findLendable } from './lend.ts'
import { isBelow, kindOf } from './paths.ts'
import { isTurned } from './plug-n-play.ts'

/** Paths, relative to the root, of what the owner's checkout has installed and `tree` has room for and lacks. */
export function borrowedPackages(owner: string, tree: string): string[] {
  if (owner === tree) return []
  return findLendable(owner).filter((path) => isLacking(tree, path))
}

/** The same, with what was linked into the tree while there was no sandbox: where the tree stands in the place of the
 *  checkout, such links would lead to themselves, and are covered. */
export function mountedPackages(owner: string, tree: string): string[] {
  if (owner === tree) return []
  return findLendable(owner).filter((path) => isLacking(tree, path) || isOfLinks({ owner, tree }, path))
}

/** Whether a folder of the tree was made of links to what the checkout has. */
export function isOfLinks(trees: { readonly owner: string; readonly tree: string }, path: string): boolean {
  const folder = join(trees.tree, path)
  if (kindOf(folder) !== 'folder') return false
  return readdirSync(folder).some((name) => {
    if (kindOf(join(folder, name)) !== 'link')
      return name.startsWith('@') && isOfLinks(trees, join(path, name))
    const target = readlinkSync(join(folder, name))
    return target === join(trees.owner, path, name) || isBelow(target, trees.tree)
  })
}

const isLacking = (tree: string, path: string): boolean => canHold(tree, path) && isMissing(join(tree, path))

/** What is empty is a mount point that an earlier sandbox left; what was turned is a copy of what is lent. */
function isMissing(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return true
  if (found.isFile()) return found.size === 0 || isTurned(path)
  return found.isDirectory() && readdirSync(path).length === 0
}
