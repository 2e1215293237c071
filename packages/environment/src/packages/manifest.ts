// What a package.json says, as far as packages, scripts and builds go by it.
import { join } from 'node:path'
import { boundedText } from '@treadle/process/bounded-file'
import { z } from 'zod'

const names = z.record(z.string(), z.string()).optional().catch(undefined)

const Manifest = z.object({
  name: z.string().optional().catch(undefined),
  packageManager: z.string().optional().catch(undefined),
  workspaces: z.unknown().optional(),
  scripts: names,
  dependencies: names,
  devDependencies: names,
  optionalDependencies: names,
  dependenciesMeta: z.unknown().optional(),
  overrides: z.unknown().optional(),
  resolutions: z.unknown().optional(),
  pnpm: z.unknown().optional(),
})
export type Manifest = z.infer<typeof Manifest>

const BYTES_MAX = 8 * 1024 * 1024

/** The manifest in a folder; null: there is none that can be read. */
export function readManifest(folder: string): Manifest | null {
  const text = boundedText(join(folder, 'package.json'), BYTES_MAX)
  if (text === null) return null
  try {
    return Manifest.safeParse(JSON.parse(text)).data ?? null
  } catch {
    // A file that is no JSON names no packages.
    return null
  }
}

/** The packages that a manifest wants installed. */
export function packagesOf({ dependencies, devDependencies, optionalDependencies }: Manifest): string[] {
  return [dependencies, devDependencies, optionalDependencies].flatMap((listed) => Object.keys(listed ?? {}))
}
