// A file of the delivered commit, as far as a check reads it.
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { boundedText } from '@treadle/process/bounded-file'

const fileBytesMax = 4 * 1024 * 1024

/** Null: it is not there, is no plain file, or is too large to have been written by hand. */
export async function readHead(cwd: string, path: string): Promise<string | null> {
  const file = join(cwd, path)
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (!stat?.isFile() || stat.size > fileBytesMax) return null
  return boundedText(file, fileBytesMax)
}
