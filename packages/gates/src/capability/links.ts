// Symbolic links: one that leaves the tree makes the code depend on the machine it lies on.
import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'

export type FileKind =
  | { readonly is: 'file' | 'gone' | 'folder' }
  | { readonly is: 'link'; readonly to: string; readonly leaves: boolean }

export function kindOf(cwd: string, path: string): FileKind {
  const file = join(cwd, path)
  const stat = lookedAt(file)
  if (stat === null) return { is: 'gone' }
  if (stat.isSymbolicLink()) {
    const to = readlinkSync(file)
    return { is: 'link', to, leaves: isAbsolute(to) || leaves(cwd, join(dirname(file), to)) }
  }
  return { is: stat.isFile() ? 'file' : 'folder' }
}

function lookedAt(file: string): Stats | null {
  try {
    return lstatSync(file)
  } catch {
    // Not there, or below something that is no folder.
    return null
  }
}

function leaves(cwd: string, target: string): boolean {
  if (isOutside(relative(cwd, target))) return true
  try {
    // Through another link.
    return isOutside(relative(realpathSync(cwd), realpathSync(target)))
  } catch {
    // It points at nothing inside of the tree.
    return false
  }
}

function isOutside(path: string): boolean {
  return path === '..' || path.startsWith('../') || isAbsolute(path) || /^\.(git|treadle)(\/|$)/.test(path)
}
