// A text file of a worktree for a prompt: bounded, and never through a link out of the folder.
import { open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

const BYTES_MAX = 512 * 1024

/** Null if there is none, if it is no text, or if it lies outside. */
export async function readText(folder: string, path: string): Promise<string | null> {
  try {
    const root = await realpath(folder)
    const real = await realpath(join(root, path))
    if (!real.startsWith(`${root}${sep}`)) return null
    const file = await open(real)
    try {
      const { size } = await file.stat()
      const data = Buffer.alloc(Math.min(size, BYTES_MAX))
      const { bytesRead } = await file.read(data, 0, data.length, 0)
      const text = data.subarray(0, bytesRead).toString('utf8')
      return text.includes('\0') ? null : text
    } finally {
      await file.close()
    }
  } catch {
    return null
  }
}
