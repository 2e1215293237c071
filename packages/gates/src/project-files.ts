// What a project's files say about it; anything unreadable counts as absent.
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { boundedText } from '@treadle/process/bounded-file'
import { z } from 'zod'

const Manifest = z.object({
  packageManager: z.string().optional().catch(undefined),
  scripts: z.record(z.string(), z.string()).optional().catch(undefined),
  dependencies: z.record(z.string(), z.string()).optional().catch(undefined),
  devDependencies: z.record(z.string(), z.string()).optional().catch(undefined),
  jest: z.unknown().optional(),
  mocha: z.unknown().optional(),
  ava: z.unknown().optional(),
  eslintConfig: z.unknown().optional(),
  prettier: z.unknown().optional(),
})
export type Manifest = z.infer<typeof Manifest>

export function readManifest(cwd: string): Manifest | null {
  const text = readText(join(cwd, 'package.json'))
  if (text === null) return null
  try {
    return Manifest.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

const textBytesMax = 8 * 1024 * 1024

/** The text of a file; what is larger than anybody writes by hand, or no plain file, counts as absent. */
export function readText(file: string): string | null {
  return boundedText(file, textBytesMax)
}

export function hasAny(cwd: string, names: readonly string[]): boolean {
  return names.some((name) => existsSync(join(cwd, name)))
}

/** In this folder or one above it, where a worktree finds the packages of its repository. */
export function isInstalled(cwd: string, name: string): boolean {
  if (existsSync(join(cwd, 'node_modules', '.bin', name))) return true
  const above = dirname(cwd)
  return above !== cwd && isInstalled(above, name)
}

const skippedFolders = new Set([
  'node_modules',
  'dist',
  'build',
  'out',
  'vendor',
  'target',
  'venv',
  '__pycache__',
])
const filesMax = 5_000
const depthMax = 6

/** Paths of the project's own files, relative, a bounded number of them. */
export function listFiles(cwd: string): string[] {
  const found: string[] = []
  collect(cwd, 1, found)
  return found.map((path) => relative(cwd, path).split(sep).join('/'))
}

function collect(folder: string, depth: number, found: string[]): void {
  for (const entry of entriesOf(folder)) {
    if (found.length >= filesMax) return
    const path = join(folder, entry.name)
    if (entry.isFile()) found.push(path)
    if (entry.isDirectory() && depth < depthMax) collect(path, depth + 1, found)
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.') && !skippedFolders.has(name))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}
