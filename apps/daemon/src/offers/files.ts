// Looks up what flow/claim/file-locks.ts decides by: which files are taken, and what is at work on the same ones.
import type { Item } from '@treadle/contracts/item'
import type { FileLock } from '@treadle/contracts/lock'
import { runFileConflict } from '@treadle/flow/claim/file-conflict.run'
import { judgeClearance, lockInTheWay, overlapsWork } from '@treadle/flow/claim/file-locks'
import { isQueued } from '@treadle/flow/flow'
import type { Store } from '@treadle/flow/ports/store'
import type { World } from '../world.ts'

/** So much work at once is looked at for an overlap; with more than that nobody waits for anybody. */
const AT_WORK_MAX = 500
/** Conflicts that were told lately; to tell one again only finds that it is recorded. */
const TOLD_MAX = 1_000

/** What is in the way of items, at one look at the queue. */
export interface FilesTaken {
  lockOn(item: Item): FileLock | null
  /** True: an agent is just being offered one of its files, for another item of the same build. */
  isSpokenFor(item: Item): boolean
  /** True: something at work could touch the same files, so others come first. */
  comesLater(item: Item): boolean
}

export const NOTHING_TAKEN: FilesTaken = {
  lockOn: () => null,
  isSpokenFor: () => false,
  comesLater: () => false,
}

/** The files that are taken, as far as the items of a queue name any; `offered` are those of it that somebody else has been offered. */
export async function filesTaken(
  { fileLocks }: Pick<Store, 'fileLocks'>,
  { queue, offered }: { readonly queue: readonly Item[]; readonly offered: readonly Item[] },
  now: Date,
): Promise<FilesTaken> {
  const naming = queue.filter(({ files }) => files.length > 0)
  if (naming.length === 0) return NOTHING_TAKEN
  const live = naming.some(({ build }) => build !== null) ? await fileLocks.live(now) : []
  const atWork = await fileLocks.filesAtWork(AT_WORK_MAX)
  return {
    lockOn: (item) => lockInTheWay(item, live),
    isSpokenFor: (item) =>
      item.build !== null &&
      overlapsWork(
        item,
        offered.filter(({ build }) => build === item.build),
      ),
    comesLater: (item) => overlapsWork(item, atWork),
  }
}

/** The items with what keeps each from being begun, for whoever reads them. */
export async function withClearance(
  { store, now }: Pick<World, 'store' | 'now'>,
  items: readonly Item[],
): Promise<Item[]> {
  const wants = ({ build, state, claimedByAgentId }: Item) =>
    build !== null && claimedByAgentId === null && isQueued(state)
  const live = items.some(wants) ? await store.fileLocks.live(now()) : []
  return items.map((item) => ({ ...item, clearance: judgeClearance(item, live) }))
}

/** Tells of items that could not be offered, each once for what is in its way. */
export class FileConflicts {
  readonly #world: Parameters<typeof runFileConflict>[0]
  readonly #told = new Set<string>()

  constructor(world: Parameters<typeof runFileConflict>[0]) {
    this.#world = world
  }

  /** True: the item can be had now. */
  async tell(item: Item, lock: FileLock): Promise<boolean> {
    const { projectNumber, number, priority } = item
    const key = [projectNumber, number, priority, lock.item.number, lock.lockedAt].join(' ')
    if (this.#told.has(key)) return false
    if (this.#told.size >= TOLD_MAX) this.#told.clear()
    const isFree = await runFileConflict(this.#world, { item, lock, agentId: null })
    if (!isFree) this.#told.add(key)
    return isFree
  }
}
