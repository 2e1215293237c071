// One package.json, as far as surveys ask; what has another shape counts as not being there.
import { posix } from 'node:path'
import { z } from 'zod'

const Names = z.record(z.string(), z.string()).catch({})
const Shape = z.looseObject({
  name: z.string().nullable().catch(null).default(null),
  private: z.boolean().catch(false).default(false),
  license: z.unknown().optional(),
  licenses: z.unknown().optional(),
  scripts: Names.default({}),
  dependencies: Names.default({}),
  devDependencies: Names.default({}),
  peerDependencies: Names.default({}),
  optionalDependencies: Names.default({}),
  main: z.unknown().optional(),
  module: z.unknown().optional(),
  browser: z.unknown().optional(),
  types: z.unknown().optional(),
  bin: z.unknown().optional(),
  exports: z.unknown().optional(),
})

export interface Manifest extends z.infer<typeof Shape> {
  readonly path: string
  /** Where its package is; empty: the whole repository. */
  readonly folder: string
}

/** Null: it is no JSON object. */
export function readManifest(path: string, text: string): Manifest | null {
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch {
    // Whoever installs is told; nothing can be said of its content.
    return null
  }
  const read = Shape.safeParse(data)
  if (!read.success) return null
  const folder = posix.dirname(path)
  return { ...read.data, path, folder: folder === '.' ? '' : folder }
}

export function asksFor(manifest: Manifest, name: string): boolean {
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } = manifest
  return [dependencies, devDependencies, peerDependencies, optionalDependencies].some((list) =>
    Object.hasOwn(list, name),
  )
}

/** Every file that a manifest names as what others load or run, relative to the repository. */
export function entriesOf({ folder, main, module, browser, types, bin, exports }: Manifest): string[] {
  return textsIn([main, module, browser, types, bin, exports])
    .filter((text) => !text.includes('*'))
    .map((text) => posix.normalize(posix.join(folder, text)))
}

/** Whether a package that others may load offers a file by a pattern. */
export function offersByPattern({ folder, private: isPrivate, exports }: Manifest, path: string): boolean {
  if (isPrivate) return false
  return textsIn(exports).some((text) => {
    const [before = '', ...behind] = posix.normalize(posix.join(folder, text)).split('*')
    const end = behind.at(-1)
    return end !== undefined && path.startsWith(before) && path.endsWith(end)
  })
}

/** Whether others may load it: it has a name for itself and says what it offers. */
export function isLibrary(manifest: Manifest): boolean {
  return !manifest.private && manifest.name !== null && entriesOf(manifest).length > 0
}

const DEPTH_MAX = 8

function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value]
  if (depth > DEPTH_MAX || typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((each) => textsIn(each, depth + 1))
}
