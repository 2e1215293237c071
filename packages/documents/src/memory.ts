// What was written last, by its hash, in one small file that is replaced as a whole.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { boundedText } from '@treadle/process/bounded-file'

export interface WrittenMemory {
  has(path: string, hash: string): boolean
  /** What was ever written, as far as it is remembered. */
  paths(): Iterable<string>
  /** It is about to be written: what is there now counts as ours until then, too. */
  expect(path: string, hash: string): void
  /** It is there. */
  settle(path: string, hash: string): void
}

const BYTES_MAX = 16 * 1024 * 1024
const PATHS_MAX = 20_000

export function openMemory(file: string): WrittenMemory {
  let known: Map<string, readonly string[]> | null = null
  const load = () => {
    known ??= new Map(readKnown(file))
    return known
  }
  const save = (path: string, hashes: readonly string[]) => {
    const all = load()
    // The one written longest ago is forgotten first.
    all.delete(path)
    all.set(path, hashes)
    for (const oldest of all.keys()) {
      if (all.size <= PATHS_MAX) break
      all.delete(oldest)
    }
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(`${file}.tmp`, `${JSON.stringify(Object.fromEntries(all), null, 1)}\n`)
    renameSync(`${file}.tmp`, file)
  }
  return {
    paths: () => load().keys(),
    has: (path, hash) => load().get(path)?.includes(hash) ?? false,
    expect: (path, hash) => save(path, [...new Set([...(load().get(path) ?? []), hash])].slice(-3)),
    settle: (path, hash) => {
      const now = load().get(path) ?? []
      if (now.length !== 1 || now[0] !== hash) save(path, [hash])
    },
  }
}

/** A file that was damaged knows nothing: then everything counts as a person's, and nothing is lost. */
function readKnown(file: string): (readonly [string, readonly string[]])[] {
  try {
    const read: unknown = JSON.parse(boundedText(file, BYTES_MAX) ?? '{}')
    return Object.entries(read as object).flatMap(([path, hashes]) =>
      Array.isArray(hashes) ? [[path, hashes.map(String)] as const] : [],
    )
  } catch {
    return []
  }
}
