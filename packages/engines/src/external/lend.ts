// A folder of the user's that a program needs for its login: what every later session of his takes for his own words,
// settings or code stays as it is.
import { existsSync, lstatSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChosenBind } from '@treadle/sandbox/wanted'

export interface Fixed {
  /** Made empty where they are missing, or else the program could make them. */
  readonly folders: readonly string[]
  /** By name, with what an empty one consists of. */
  readonly files: Readonly<Record<string, string>>
  /** Paths that are bound only where they are there. */
  readonly found: readonly string[]
}

/** A folder of the agent's own. A program that had the agent's home to write to may have left a link in its place. */
export function ownFolder(home: string, ...names: readonly string[]): string {
  let path = home
  mkdirSync(path, { recursive: true, mode: 0o700 })
  for (const name of names) {
    path = join(path, name)
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(path)
    mkdirSync(path, { recursive: true, mode: 0o700 })
  }
  return path
}

export function fix(folder: string, { folders, files, found }: Fixed): ChosenBind[] {
  if (!existsSync(folder)) return []
  const real = realpathSync(folder)
  for (const name of folders) mkdirSync(join(real, name), { recursive: true, mode: 0o700 })
  for (const [name, text] of Object.entries(files))
    if (!existsSync(join(real, name))) writeFileSync(join(real, name), text, { mode: 0o600, flag: 'wx' })
  const there = found.filter((name) => existsSync(join(real, name)))
  return [...new Set([...folders, ...Object.keys(files), ...there])].map((name) => {
    const path = join(real, name)
    return { from: path, at: path, isWritable: false }
  })
}
