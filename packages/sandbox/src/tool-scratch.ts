// Folders below lent packages that tools write to while they run: they get an empty one, and the packages stay read-only.
import { lstatSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Bind } from './view.ts'

/** Relative to node_modules, by the package that writes there and does not go on where it may not. */
const SCRATCH: Readonly<Record<string, readonly string[]>> = {
  vite: ['.vite-temp', '.vite'],
  vitest: ['.vite-temp', '.vite'],
  ava: ['.cache/ava'],
}

/** Where an empty folder is to stand inside, so that tests run beside packages that cannot be written to. */
export function scratchIn(lent: readonly Bind[]): string[] {
  const packages = lent.filter(({ at }) => basename(at) === 'node_modules')
  // A tool that is installed at the root works in the folders of the other packages, too.
  const used = Object.keys(SCRATCH).filter((name) =>
    packages.some(({ from }) => isInstalled(join(from, name))),
  )
  const names = new Set(used.flatMap((name) => SCRATCH[name] ?? []))
  return packages.flatMap(({ from, at }) =>
    [...names].filter((name) => canStand(join(from, name))).map((name) => join(at, name)),
  )
}

/** There has to be a folder to mount on. The tools themselves make the same one, and leave it there. */
function canStand(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true })
  } catch {
    return false
  }
  return lstatSync(path).isDirectory()
}

/** A folder, or a link to one as pnpm makes them. */
function isInstalled(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
