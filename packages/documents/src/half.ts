// A text on its way to its file. It lies where git does not look, so that nobody sees it whose writer was killed; only
// where that is another file system does it lie beside the file, under a name that is known again.
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const BESIDE = /^\..+\.treadle-[0-9a-f]{8}\.half$/

/** Puts the text in its place by `put`, which is called with the name of a file that has all of it. */
export function throughHalf(
  folder: string,
  { file, text }: { readonly file: string; readonly text: string },
  put: (half: string) => boolean,
): boolean {
  clearBeside(dirname(file))
  mkdirSync(folder, { recursive: true })
  const name = randomUUID().slice(0, 8)
  try {
    return through(join(folder, name), text, put)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    return through(join(dirname(file), `.${basename(file)}.treadle-${name}.half`), text, put)
  }
}

function through(half: string, text: string, put: (half: string) => boolean): boolean {
  try {
    writeFileSync(half, text, { flag: 'wx' })
    return put(half)
  } finally {
    rmSync(half, { force: true })
  }
}

/** What somebody left who was killed; whoever opens documents is the only one who writes them. */
export function clearHalves(folder: string, written: Iterable<string>): void {
  rmSync(folder, { recursive: true, force: true })
  for (const place of new Set([...written].map((file) => dirname(file)))) clearBeside(place)
}

function clearBeside(folder: string): void {
  try {
    for (const name of readdirSync(folder)) if (BESIDE.test(name)) rmSync(join(folder, name), { force: true })
  } catch {
    // No such folder, or not ours to look at: then nothing of ours is in it.
  }
}
