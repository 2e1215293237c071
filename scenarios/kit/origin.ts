// A remote for a workspace.
import { join } from 'node:path'
import type { Workspace } from './workspace.ts'

/** A bare repository as origin, and what it has of a branch. */
export function addOrigin(workspace: Workspace): (branch: string) => string {
  const origin = join(workspace.home, 'origin')
  workspace.git('clone', '--quiet', '--bare', workspace.root, origin)
  // An origin that takes no rewriting: whoever forces a push fails here.
  workspace.git('--git-dir', origin, 'config', 'receive.denyNonFastForwards', 'true')
  workspace.git('remote', 'add', 'origin', origin)
  workspace.git('fetch', '--quiet', 'origin')
  return (branch) => workspace.git('--git-dir', origin, 'rev-parse', `refs/heads/${branch}`)
}
