// The worktrees of one agent: where they are, and what a kill has left of them.
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import type { AgentId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import type { WorktreeGit } from '@treadle/flow/ports/git'

interface Owner {
  readonly id: AgentId
  readonly paths: WorkspacePaths
  /** Asked for only if there is something to remove. */
  git(): Promise<Pick<WorktreeGit, 'removeWorktree'>>
}

export function worktreeOf(
  paths: WorkspacePaths,
  id: AgentId,
  item: Pick<Item, 'projectNumber' | 'number'>,
): string {
  return `${paths.worktrees}/${id}-${item.projectNumber}-${item.number}`
}

/** Worktrees of this agent that belong to nothing it holds: left by a kill between delivery and clean-up. */
export async function clearWorktrees({ id, paths, git }: Owner, keep: Item | null): Promise<void> {
  if (!existsSync(paths.worktrees)) return
  const kept = keep === null ? null : worktreeOf(paths, id, keep)
  for (const name of readdirSync(paths.worktrees)) {
    const path = `${paths.worktrees}/${name}`
    // A leading dot marks what was already being thrown away.
    if (name.startsWith(`.${id}-`)) rmSync(path, { recursive: true, force: true })
    if (!name.startsWith(`${id}-`) || path === kept) continue
    await (await git()).removeWorktree(path, `refs/treadle/found/${name}-${randomUUID().slice(0, 8)}`)
  }
}
