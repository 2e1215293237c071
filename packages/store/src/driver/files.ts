// Files and directories that are there whole or not at all, also after a power cut.
import { closeSync, fsyncSync, openSync, readdirSync, renameSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** How many are brought to the disk at once: those that wait together share one write of the disk's journal. */
const SYNCS_AT_ONCE = 16

export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Every file and directory below, so that a power cut finds the whole tree or none of it. */
async function syncTree(path: string): Promise<void> {
  const entries = readdirSync(path, { withFileTypes: true, recursive: true })
  const below = entries.filter((entry) => entry.isDirectory() || entry.isFile())
  const left = [path, ...below.map(({ parentPath, name }) => join(parentPath, name))]
  const syncNext = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      await using file = await open(next, 'r')
      await file.sync()
    }
  }
  await Promise.all(Array.from({ length: SYNCS_AT_ONCE }, syncNext))
}

/** The tree appears under its name complete, or not at all. */
export async function moveTree(from: string, to: string): Promise<void> {
  await syncTree(from)
  renameSync(from, to)
  syncPath(dirname(to))
}

export function moveFile(from: string, to: string): void {
  renameSync(from, to)
  syncPath(dirname(to))
}
