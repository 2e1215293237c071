// npm's lock file, as far as surveys ask: which version of what stands where, and who asks for it by which range.
import { posix } from 'node:path'
import { z } from 'zod'
import type { Project } from './project.ts'

const Names = z.record(z.string(), z.string()).catch({})
const Entry = z.looseObject({
  name: z.string().optional().catch(undefined),
  version: z.string().optional().catch(undefined),
  resolved: z.string().optional().catch(undefined),
  deprecated: z.string().optional().catch(undefined),
  link: z.boolean().optional().catch(undefined),
  inBundle: z.boolean().optional().catch(undefined),
  dependencies: Names.default({}),
  devDependencies: Names.default({}),
  optionalDependencies: Names.default({}),
  peerDependencies: Names.default({}),
})
export type LockEntry = z.infer<typeof Entry>

const Lock = z.looseObject({
  lockfileVersion: z.union([z.literal(2), z.literal(3)]),
  packages: z.record(z.string(), Entry),
})

export interface LockFile {
  readonly path: string
  /** Where it stands; empty: at the top. */
  readonly folder: string
  readonly packages: ReadonlyMap<string, LockEntry>
}

const LOCK_FILE = /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/

/** Those of versions 2 and 3 that can be read. */
export async function lockFiles(project: Project): Promise<readonly LockFile[]> {
  const locks: LockFile[] = []
  for (const path of await project.files()) {
    const text = LOCK_FILE.test(path) ? await project.read(path) : null
    const packages = text === null ? null : readPackages(text)
    const folder = posix.dirname(path)
    if (packages !== null) locks.push({ path, folder: folder === '.' ? '' : folder, packages })
  }
  return locks
}

/** Those that say nothing, and a word for there being none: whoever takes a lock file away has put nothing right. */
export async function unreadableLocks(project: Project): Promise<readonly string[]> {
  const all = (await project.everything()).filter((path) => LOCK_FILE.test(path))
  const read = new Set((await lockFiles(project)).map(({ path }) => path))
  const unread = all.filter((path) => !read.has(path)).map((path) => `unreadable:${path}`)
  return read.size === 0 ? ['unreadable', ...unread] : unread
}

/** Null: it is no lock file of version 2 or 3. */
function readPackages(text: string): ReadonlyMap<string, LockEntry> | null {
  try {
    const read = Lock.safeParse(JSON.parse(text))
    return read.success ? new Map(Object.entries(read.data.packages)) : null
  } catch {
    // Whoever installs is told; nothing can be said of its content.
    return null
  }
}

/** Where a package finds another by its name: in its own folder, then in each above it; null: nowhere. */
export function foundFrom(from: string, name: string, has: (place: string) => boolean): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (!/(?:^|\/)node_modules$/.test(folder) && has(place)) return place
    if (folder === '') return null
  }
}

/** The name that a place is found by. */
export function nameAt(place: string): string {
  return place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** Whether a place is a folder of the repository, and not an installed package. */
export function isOwnPlace(place: string): boolean {
  return !/(?:^|\/)node_modules\//.test(place)
}
