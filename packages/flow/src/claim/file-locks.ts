// Which files a claim takes, until when, and whether somebody else has one of them. Hard between the tasks of one build;
// between everything else an overlap only says who comes later.
import type { Config } from '@treadle/contracts/config'
import type { AgentId } from '@treadle/contracts/ids'
import type { Item, ItemState } from '@treadle/contracts/item'
import type { Clearance, FileLock } from '@treadle/contracts/lock'
import { isHeld, isQueued, STATES } from '../flow.ts'
import type { ItemFiles } from '../ports/file-locks.ts'
import { fileSet, plainFile, sharedFile } from './file-overlap.ts'

type Keys = Pick<Item, 'projectNumber' | 'number'>
type Wanting = Keys & Pick<Item, 'build' | 'files'>

/** Enough to tell whether an item can be begun. */
type Waiting = Wanting &
  Pick<Item, 'state' | 'claimedByAgentId' | 'blockedBy' | 'requiresCoordination' | 'owner'>

/** From the claim until it has landed, or nobody is at work on it any more. */
export function keepsFiles(state: ItemState): boolean {
  return isHeld(state) || STATES[state].job !== null
}

/** The end of the lease of an item's files: that of its claim; after the delivery, that of the state. */
export function filesUntil(
  item: Pick<Item, 'state' | 'claimedAt' | 'deadlineAt'>,
  { claimMs }: Pick<Config['limits'], 'claimMs'>,
): Date | null {
  if (!keepsFiles(item.state)) return null
  if (isHeld(item.state))
    return item.claimedAt === null ? null : new Date(Date.parse(item.claimedAt) + claimMs)
  return item.deadlineAt === null ? null : new Date(item.deadlineAt)
}

interface LockedClaim {
  readonly agentId: AgentId
  readonly now: Date
  readonly limits: Pick<Config['limits'], 'claimMs'>
}

/** The locks that a claim of this item takes; none where it belongs to no build. */
export function locksOf(item: Wanting, { agentId, now, limits }: LockedClaim): FileLock[] {
  const { build, projectNumber, number } = item
  if (build === null) return []
  return [...new Set(item.files.map(plainFile))].map((file) => ({
    build,
    file,
    item: { projectNumber, number },
    lockedBy: agentId,
    lockedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + limits.claimMs).toISOString(),
  }))
}

/** The lock of another item of the same build on a file that this one could touch; null: there is none. */
export function lockInTheWay(item: Wanting, live: readonly FileLock[]): FileLock | null {
  if (item.build === null || item.files.length === 0) return null
  const others = live.filter((lock) => lock.build === item.build && !isSame(lock.item, item))
  if (others.length === 0) return null
  const wanted = fileSet(item.files)
  return others.find(({ file }) => sharedFile(wanted, fileSet([file])) !== null) ?? null
}

/** True: something that is at work, or on its way into a branch, could touch the same files. It is offered later. */
export function overlapsWork(item: Keys & Pick<Item, 'files'>, atWork: readonly ItemFiles[]): boolean {
  if (item.files.length === 0) return false
  const wanted = fileSet(item.files)
  return atWork.some((other) => !isSame(other, item) && sharedFile(wanted, fileSet(other.files)) !== null)
}

/** Whether an item of the queue can be begun; null: it waits for nobody to begin it. */
export function judgeClearance(item: Waiting, live: readonly FileLock[]): Clearance | null {
  if (!isQueued(item.state) || item.claimedByAgentId !== null) return null
  if (item.blockedBy.length > 0) return { is: 'blocked', by: item.blockedBy }
  if (item.requiresCoordination) return { is: 'owned', by: item.owner ?? 'somebody else' }
  const lock = lockInTheWay(item, live)
  if (lock === null) return { is: 'ready' }
  return { is: 'locked', by: lock.lockedBy, item: lock.item, file: lock.file }
}

function isSame(one: Keys, other: Keys): boolean {
  return one.projectNumber === other.projectNumber && one.number === other.number
}
