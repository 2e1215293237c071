// An item of a build wants a file that another one has: the wait is recorded, and what is decided about it, once for each
// claim that is in the way.
import type { AgentId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { ConflictDecision, FileLock } from '@treadle/contracts/lock'
import { isHeld } from '../flow.ts'
import type { MovingWorld } from '../ports/moving.ts'
import type { Store } from '../ports/store.ts'
import { decideFileConflict } from './file-conflict.ts'
import { lockInTheWay } from './file-locks.ts'

export interface ConflictWorld extends Pick<MovingWorld, 'advance' | 'now'> {
  readonly store: Pick<Store, 'tx' | 'items' | 'events' | 'fileLocks'>
}

export interface WantedFile {
  readonly item: Item
  readonly lock: FileLock
  /** Who asks for the item; null: nobody yet. */
  readonly agentId: AgentId | null
}

/** True: the file was given up, so the item can be had now. */
export function runFileConflict(world: ConflictWorld, { item, lock, agentId }: WantedFile): Promise<boolean> {
  const { store, now } = world
  return store.tx(async () => {
    const owner = await store.items.lock(lock.item)
    // The owner may have ended, or been claimed anew, since it was looked at.
    const still = lockInTheWay(item, await store.fileLocks.live(now(), lock.build))
    if (owner === null || still === null || still.item.number !== lock.item.number) return true
    const { projectNumber, number, priority } = item
    const requestor = { item: { projectNumber, number }, agentId, priority }
    const having = { item: lock.item, agentId: still.lockedBy, priority: owner.priority }
    const isAtWork = isHeld(owner.state)
    const decision = decideFileConflict({ file: still.file, requestor, owner: { ...having, isAtWork } })
    await store.fileLocks.wait(requestor.item, still, now())
    const name = `${projectNumber}.${number}:${owner.number}.${owner.fence}`
    await store.events.append({
      id: `conflict:${name}:${decision.action}`,
      at: now(),
      item: requestor.item,
      agentId,
      runId: null,
      state: item.state,
      event: {
        type: 'conflict.detected',
        build: lock.build,
        file: still.file,
        requestor,
        owner: having,
        decision,
      },
    })
    return decision.action === 'PREEMPT' ? giveUp(world, { owner, decision, name }) : false
  })
}

interface GivenUp {
  readonly owner: Item
  readonly decision: Extract<ConflictDecision, { action: 'PREEMPT' }>
  readonly name: string
}

/** The owner's item goes back to the queue, with what was built so far; its agent hears of it at once. */
async function giveUp({ advance }: ConflictWorld, { owner, decision, name }: GivenUp): Promise<boolean> {
  const { projectNumber, number, fence, claimedByAgentId } = owner
  const moved = await advance({
    item: { projectNumber, number },
    eventId: `preempt:${name}`,
    fence,
    agentId: claimedByAgentId,
    move: { type: 'claim.released', why: decision.message },
  })
  return moved.is === 'advanced'
}
