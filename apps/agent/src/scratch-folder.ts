// Folders that are thrown away, outside of the repository: nothing done in one reaches the owner's files by a relative path.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentId } from '@treadle/contracts/ids'
import type { WorkspacePaths } from '@treadle/contracts/workspace'

interface Whose {
  readonly paths: WorkspacePaths
  readonly id: AgentId
}

export function makeScratch(whose: Whose): string {
  const parent = parentOf(whose)
  mkdirSync(parent, { recursive: true, mode: 0o700 })
  return mkdtempSync(join(parent, 'work-'))
}

/** Removes what an agent that was killed has left. */
export function clearScratch(whose: Whose): void {
  const parent = parentOf(whose)
  try {
    for (const name of readdirSync(parent)) rmSync(join(parent, name), { recursive: true, force: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

function parentOf({ paths: { root }, id }: Whose): string {
  const mark = createHash('sha256').update(`${root}\n${id}`).digest('hex').slice(0, 16)
  return join(tmpdir(), `treadle-think-${mark}`)
}
