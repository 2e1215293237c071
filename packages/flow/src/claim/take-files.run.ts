// A claim of a task of a build takes its files with it: in one transaction, one claim of a build after the other.
import type { Config } from '@treadle/contracts/config'
import type { AgentId, RunId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { FileLock } from '@treadle/contracts/lock'
import type { Store } from '../ports/store.ts'
import { decideFileConflict } from './file-conflict.ts'
import { lockInTheWay, locksOf } from './file-locks.ts'

interface FilesWorld {
  readonly store: Pick<Store, 'tx' | 'fileLocks' | 'events'>
  readonly limits: Config['limits']
}

interface FilesClaim {
  readonly item: Item
  readonly agentId: AgentId
  readonly runId: RunId
  readonly now: Date
}

export type Locked = { readonly is: 'locked'; readonly item: Item; readonly lock: FileLock }

/** What `take` has come to, unless another item has one of the files. */
export function withFiles<T extends { readonly is: string }>(
  { store, limits }: FilesWorld,
  claim: FilesClaim,
  take: () => Promise<T>,
): Promise<T | Locked> {
  const { item, agentId, now } = claim
  const locks = locksOf(item, { agentId, now, limits })
  const { build } = item
  if (build === null || locks.length === 0) return take()
  const { fileLocks } = store
  return store.tx(async () => {
    await fileLocks.serialise(build)
    const lock = lockInTheWay(item, await fileLocks.live(now, build))
    if (lock !== null) return { is: 'locked', item, lock }
    const taken = await take()
    if (taken.is !== 'claimed') return taken
    await fileLocks.take(locks, now)
    const { projectNumber, number } = item
    const file = await fileLocks.stopWaiting({ projectNumber, number })
    if (file !== null) await recordGrant(store, claim, { build, file })
    return taken
  })
}

/** It has waited for a file that nobody has any more. */
export async function recordGrant(
  { events }: Pick<Store, 'events'>,
  { item, agentId, runId, now }: FilesClaim,
  { build, file }: { readonly build: string; readonly file: string },
): Promise<void> {
  const { projectNumber, number, priority } = item
  const requestor = { item: { projectNumber, number }, agentId, priority }
  await events.append({
    id: `grant:${runId}:${now.getTime()}`,
    at: now,
    item: requestor.item,
    agentId,
    runId,
    state: item.claimedByAgentId === null ? 'claimed' : item.state,
    event: {
      type: 'conflict.detected',
      build,
      file,
      requestor,
      owner: null,
      decision: decideFileConflict({ file, requestor, owner: null }),
    },
  })
}
