// Files and directories that are there whole or not at all, also after a power cut.
import { closeSync, fsyncSync, openSync, readdirSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'

export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Every file and directory below, so that a power cut finds the whole tree or none of it. */
function syncTree(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const below = join(path, entry.name)
    if (entry.isDirectory()) syncTree(below)
    else if (entry.isFile()) syncPath(below)
  }
  syncPath(path)
}

/** The tree appears under its name complete, or not at all. */
export function moveTree(from: string, to: string): void {
  syncTree(from)
  renameSync(from, to)
  syncPath(dirname(to))
}

export function moveFile(from: string, to: string): void {
  renameSync(from, to)
  syncPath(dirname(to))
}
