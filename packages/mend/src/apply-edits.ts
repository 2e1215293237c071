// Writes planned edits into a worktree, and takes them back. Nothing is written through a link or outside the worktree.
import { randomUUID } from 'node:crypto'
import { chmodSync, lstatSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import type { Edits } from './mend.ts'

interface Kept {
  readonly file: string
  readonly bytes: Buffer
  readonly mode: number
}

export type Applied =
  /** `takeBack` puts every byte back. */
  | { readonly is: 'applied'; takeBack(): void }
  /** Nothing was written. */
  | { readonly is: 'cannot'; readonly why: string }

export function applyEdits(root: string, edits: Edits): Applied {
  // All of them are looked at before any is written.
  const kept: (Kept & { readonly text: string | null })[] = []
  for (const [path, text] of edits) {
    const one = keep(root, path)
    if (one === null) return { is: 'cannot', why: `${path} is no plain file of the worktree` }
    kept.push({ ...one, text })
  }
  const takeBack = () => {
    for (const { file, bytes, mode } of kept) replace(file, bytes, mode)
  }
  try {
    for (const { file, text, mode } of kept) {
      if (text === null) rmSync(file)
      else replace(file, Buffer.from(text), mode)
    }
  } catch (error) {
    takeBack()
    throw error
  }
  return { is: 'applied', takeBack }
}

/** Null: it is a link, lies outside the worktree, or is not there. */
function keep(root: string, path: string): Kept | null {
  const file = join(root, path)
  const stat = lstatSync(file, { throwIfNoEntry: false })
  const top = realpathSync(root)
  const isInside = stat !== undefined && join(realpathSync(dirname(file)), sep).startsWith(join(top, sep))
  if (!stat?.isFile() || !isInside) return null
  return { file, bytes: readFileSync(file), mode: stat.mode & 0o7777 }
}

/** Whole or not at all. */
function replace(file: string, bytes: Buffer, mode: number): void {
  const fresh = `${file}.${randomUUID()}`
  try {
    writeFileSync(fresh, bytes, { flag: 'wx' })
    chmodSync(fresh, mode)
    renameSync(fresh, file)
  } finally {
    rmSync(fresh, { force: true })
  }
}
