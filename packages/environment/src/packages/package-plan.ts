// How packages come into a worktree where the settings do not say it: by the lock file, else from the checkout, else by
// an install without one.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { PackagePlan } from '@treadle/contracts/readiness'
import { installCommand, installWithoutLock } from './install-command.ts'

export function planPackages(root: string): PackagePlan {
  const locked = installCommand(root)
  if (locked !== null) return { is: 'locked', ...locked }
  const command = installWithoutLock(root)
  if (command === null) return { is: 'none' }
  return existsSync(join(root, 'node_modules')) ? { is: 'linked' } : { is: 'unlocked', command }
}
