// Files that a killed landing left half written. A journal beside the index says which landing was under way.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Git } from './git.ts'
import { kindAt, type Name, pathOf } from './names.ts'

interface Move {
  readonly base: string
  readonly commit: string
}

const journal = 'treadle-follow'

export function beginFollow(gitDir: string, { base, commit }: Move): void {
  writeFileSync(join(gitDir, journal), `${base} ${commit}\n`)
}

export function endFollow(gitDir: string): void {
  rmSync(join(gitDir, journal), { force: true })
}

/**
 * Of these files, those that git had begun to replace when it was killed: gone, or cut short. Whatever such a file
 * still holds is the beginning of what the landing brings, so nothing is lost if it is written again.
 */
export async function tornFiles(
  git: Git,
  { cwd, gitDir, names }: { cwd: string; gitDir: string; names: readonly Name[] },
  move: Move,
): Promise<Name[]> {
  if (!wasFollowing(gitDir, move)) return []
  const torn: Name[] = []
  for (const name of names) {
    const kind = kindAt(cwd, name)
    if (kind === 'folder') continue
    const wanted = await git.run(['cat-file', '--filters', `${move.commit}:${Buffer.from(name, 'latin1')}`], {
      cwd,
      ok: [0, 128],
    })
    if (wanted.code !== 0) continue
    if (kind === 'nothing' || isCutShort(cwd, name, wanted.bytes)) torn.push(name)
  }
  return torn
}

function wasFollowing(gitDir: string, { base, commit }: Move): boolean {
  try {
    return readFileSync(join(gitDir, journal), 'utf8') === `${base} ${commit}\n`
  } catch {
    return false
  }
}

function isCutShort(cwd: string, name: Name, wanted: Buffer): boolean {
  try {
    const found = readFileSync(pathOf(cwd, name))
    return found.length < wanted.length && wanted.subarray(0, found.length).equals(found)
  } catch {
    return false
  }
}

export function removeTorn(cwd: string, names: readonly Name[]): void {
  for (const name of names) rmSync(pathOf(cwd, name), { force: true })
}
