// Replaces a file as a whole and for good: readers see the old content or the new, also after a power cut.
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

export async function replaceFile(path: string, content: string): Promise<void> {
  await replaceLightly(path, content, true)
  await syncFolder(dirname(path))
}

/** The same without waiting for the disk: after a power cut the file may be as it was before, or empty. */
export async function replaceLightly(path: string, content: string, syncs = false): Promise<void> {
  const temp = `${path}.${process.pid}.tmp`
  try {
    const file = await open(temp, 'w')
    try {
      await file.writeFile(content)
      if (syncs) await file.sync()
    } finally {
      await file.close()
    }
    await rename(temp, path)
  } catch (cause) {
    await rm(temp, { force: true }).catch(() => undefined)
    throw cause
  }
}

/** Without this a new name may be lost in a power cut although the file's content was synced. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
