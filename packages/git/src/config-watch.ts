// Parts of a repository's configuration that could run or redirect something, so that a change of them can be told.
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { carriedOver } from './config-entries.ts'
import { type GitOptions, openGit } from './git.ts'

/** Each setting or file by its name, with a digest of what it says: values may be secrets. */
export type ConfigState = Readonly<Record<string, string>>

// Data that moves something all the same: where code goes, and who signs.
const telling =
  /^remote\..+\.(?:url|pushurl)$|^http\..+\.extraheader$|^user\.signingkey$|^core\.excludesfile$/s
// Settings that tools and people make in passing; none of them names a program or an address.
const passing =
  /^(?:branch|gui|pull|push|fetch|color|rerere|gc|maintenance|pack|index|feature|advice|init|rebase|lfs)\.|^remote\..+\.gh-resolved$|^submodule\..+\.(?:url|active)$|^core\.(?:worktree|untrackedcache|preloadindex)$/s

const fileBytesMax = 1024 * 1024

export async function configState(options: GitOptions): Promise<ConfigState> {
  const git = openGit(options)
  const values = new Map<string, string[]>()
  for (const entry of await git.repositoryConfig()) {
    const harmless = passing.test(entry.key) || (carriedOver(entry) && !telling.test(entry.key))
    if (!harmless) values.set(entry.key, [...(values.get(entry.key) ?? []), entry.value ?? 'true'])
  }
  const state = Object.fromEntries([...values].map(([key, all]) => [key, digestOf(all.join('\0'))]))
  return { ...state, ...filesIn(await git.commonDir()) }
}

/** Hooks that git would run, and attributes beside the tracked ones. */
function filesIn(commonDir: string): Record<string, string> {
  const found: Record<string, string> = {}
  const names = ['info/attributes', ...namesIn(join(commonDir, 'hooks')).map((name) => `hooks/${name}`)]
  for (const name of names) {
    if (name.endsWith('.sample')) continue
    const path = join(commonDir, name)
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined || stat.isDirectory()) continue
    const read = stat.isFile() && stat.size <= fileBytesMax
    found[name] = digestOf(read ? readFileSync(path) : `${stat.size} ${stat.mtimeMs}`)
  }
  return found
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

function digestOf(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** Changes in words: what is new, other or gone. */
export function changesBetween(before: ConfigState, now: ConfigState): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort()
  return names.flatMap((name) => {
    if (before[name] === now[name]) return []
    if (before[name] === undefined) return [`${name} was added`]
    return [now[name] === undefined ? `${name} was removed` : `${name} was changed`]
  })
}
