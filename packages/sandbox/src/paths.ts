// Paths and what they lead to.
import { lstatSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Bind } from './view.ts'

export const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)

/** Where a path really is; null if it is nowhere, or where this user may not look. */
export function realPath(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

/** What a path is by itself; null if there is nothing, or where this user may not look. */
export function kindOf(path: string): 'folder' | 'file' | 'link' | null {
  try {
    const found = lstatSync(path)
    if (found.isSymbolicLink()) return 'link'
    return found.isDirectory() ? 'folder' : 'file'
  } catch {
    return null
  }
}

/** A path below one end of a bind, as it is called at the other. */
export function moved(path: string, { from, at }: Bind): string {
  return isBelow(path, from) ? join(at, relative(from, path)) : path
}
