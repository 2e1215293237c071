// Takes what waits out of the queue, and puts exactly that back. Nothing outside of this database is touched.
import type { StoredEvent } from '@treadle/contracts/event'
import type { Actor, PurgedItem } from '@treadle/contracts/order'
import type { World } from '../world.ts'
import { orderIdOf } from './audit.ts'

export interface Purge {
  readonly id: string
  readonly items: readonly PurgedItem[]
}
type PurgeWorld = Pick<World, 'store' | 'now' | 'advance'>

const withdrawalId = (purge: string, { projectNumber, number }: PurgedItem) =>
  `purge:${purge}:${projectNumber}.${number}`

/** Resolves with those that were withdrawn: an item that was claimed meanwhile stays with its holder. */
export async function purgeQueue(
  world: PurgeWorld,
  id: string,
  { items, by }: { items: readonly PurgedItem[]; by: Actor },
): Promise<PurgedItem[]> {
  const { store } = world
  const withdrawn: PurgedItem[] = []
  for (const item of items) {
    const ref = { projectNumber: item.projectNumber, number: item.number }
    const moved = await store.tx(async () => {
      const now = await store.items.lock(ref)
      if (now === null || now.state !== item.state || now.claimedByAgentId !== null) return null
      return world.advance({
        item: ref,
        eventId: withdrawalId(id, item),
        fence: null,
        agentId: null,
        move: { type: 'item.withdrawn', by },
      })
    })
    if (moved?.is === 'advanced') withdrawn.push(item)
  }
  return withdrawn
}

export async function undoPurge(
  world: PurgeWorld,
  purge: Purge,
  { items, by }: { items: readonly PurgedItem[]; by: Actor },
): Promise<PurgedItem[]> {
  const back: PurgedItem[] = []
  for (const item of items) {
    const moved = await world.advance({
      item: { projectNumber: item.projectNumber, number: item.number },
      eventId: `undo:${withdrawalId(purge.id, item)}`,
      fence: null,
      agentId: null,
      move: { type: 'item.reopened', by, as: item.state, reason: item.reason },
    })
    if (moved.is === 'advanced') back.push(item)
  }
  return back
}

const PAGE = 500
const PAGES_MAX = 100

/** The last one that took something, or the one named. */
export async function findPurge({ store }: PurgeWorld, id: string | null): Promise<Purge | null> {
  let before: string | undefined
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const found = await store.events.newest({ type: 'order.given', limit: PAGE, before })
    const purge = found.map(purgeIn).find((one) => one !== null && isMeant(one, id))
    if (purge != null) return purge
    before = found.at(-1)?.cursor
    if (found.length < PAGE) break
  }
  return null
}

function purgeIn({ id, event }: StoredEvent): Purge | null {
  if (event.type !== 'order.given' || event.order !== 'purge') return null
  // A purge whose daemon was killed over it has written down what it was about to take.
  return { id: orderIdOf(id), items: event.items ?? [] }
}

/** A purge of an empty queue does not hide the one before it. */
function isMeant(purge: Purge, id: string | null): boolean {
  return id === null ? purge.items.length > 0 : purge.id === id
}

const EVENTS_MAX = 100

/** Those of a purge that nobody has reopened, or reopened and withdrawn for another reason. */
export async function stillPurged({ store }: PurgeWorld, purge: Purge): Promise<PurgedItem[]> {
  const still: PurgedItem[] = []
  for (const item of purge.items) {
    const ref = { projectNumber: item.projectNumber, number: item.number }
    const now = await store.items.find(ref)
    if (now?.state !== 'withdrawn') continue
    const last = (await store.events.ofItem(ref, EVENTS_MAX)).findLast(
      ({ event }) => event.type === 'item.withdrawn',
    )
    if (last?.id === withdrawalId(purge.id, item)) still.push(item)
  }
  return still
}
