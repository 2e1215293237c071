// Every order is written down: who gave it, what it was about, what it hit and what came of it.
import type { StoredEvent } from '@treadle/contracts/event'
import type { RestsOn } from '@treadle/contracts/item'
import type { Actor, AuditEntry, OrderName, PurgedItem } from '@treadle/contracts/order'
import { messageOf } from '@treadle/flow/fault'
import type { World } from '../world.ts'

export type AuditWorld = Pick<World, 'store' | 'now' | 'uuid' | 'log'>

export interface GivenOrder {
  readonly order: OrderName
  readonly by: Actor
  readonly target: string | null
  readonly impact: string
  /** Of a decision: what kept anybody else from making it. */
  readonly restsOn?: RestsOn | undefined
}
export interface Entry extends GivenOrder {
  readonly id: string
  readonly outcome: string
  readonly items?: PurgedItem[] | undefined
  /** Where it is being carried out: what comes of it is not known yet. */
  readonly begun?: string | undefined
  readonly failed?: true | undefined
}

const TEXT_MAX = 4_000
const BEGUN = ':begun'

/** False: it was written down under this id before. */
export async function recordOrder({ store, now }: AuditWorld, entry: Entry): Promise<boolean> {
  const { id, order, by, target, impact, outcome, items, begun, failed, restsOn } = entry
  return store.events.append({
    id: begun === undefined ? id : `${id}${BEGUN}`,
    at: now(),
    item: null,
    agentId: null,
    runId: null,
    state: null,
    event: {
      type: 'order.given',
      order,
      by,
      target,
      impact: impact.slice(0, TEXT_MAX),
      outcome: outcome.slice(0, TEXT_MAX),
      ...(begun === undefined ? {} : { begun }),
      ...(restsOn === undefined ? {} : { restsOn }),
      ...(failed === undefined ? {} : { failed }),
      ...(items === undefined ? {} : { items }),
    },
  })
}

/** The id of an order, also from the note that it has begun. */
export function orderIdOf(eventId: string): string {
  return eventId.endsWith(BEGUN) ? eventId.slice(0, -BEGUN.length) : eventId
}

export type Begun = GivenOrder & { readonly id: string; readonly begun: string }

/** The order whose beginning this is, if nothing was written of its end. */
export async function unfinished(
  { store }: Pick<AuditWorld, 'store'>,
  { id, event }: StoredEvent,
): Promise<Begun | null> {
  if (event.type !== 'order.given' || event.begun === undefined) return null
  const { order, by, target, impact, begun } = event
  const ended = orderIdOf(id)
  return (await store.events.seen(ended)) ? null : { id: ended, order, by, target, impact, begun }
}

const PAGES_MAX = 100

/** Newest first, each order once: its beginning is shown only while there is no end. */
export async function readAudit(
  world: Pick<AuditWorld, 'store'>,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<AuditEntry[]> {
  const found: AuditEntry[] = []
  let from = before
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const events = await world.store.events.newest({ type: 'order.given', limit, before: from })
    for (const stored of events) {
      const entry = await entryOf(world, stored)
      if (entry !== null && found.length < limit) found.push(entry)
    }
    from = events.at(-1)?.cursor
    if (events.length < limit || found.length >= limit) break
  }
  return found
}

async function entryOf(world: Pick<AuditWorld, 'store'>, stored: StoredEvent): Promise<AuditEntry | null> {
  const { id, cursor, at, event } = stored
  if (event.type !== 'order.given') return null
  const { order, by, target, impact, outcome } = event
  const told = { cursor, at, order, by, target, impact, outcome }
  if (event.begun === undefined) return { id, is: event.failed === true ? 'failed' : 'done', ...told }
  const open = await unfinished(world, stored)
  return open === null ? null : { id: open.id, is: 'begun', ...told }
}

/** Does what was ordered and writes it down, also when it is refused or fails. */
export async function audited<T>(
  world: AuditWorld,
  given: GivenOrder,
  act: () => Promise<T>,
  words: (done: T) => string,
): Promise<T> {
  const id = world.uuid()
  try {
    const done = await act()
    await recordOrder(world, { ...given, id, outcome: words(done) })
    return done
  } catch (error) {
    await recordFailure(world, { ...given, id }, error)
    throw error
  }
}

/** The failure itself is what the caller must hear of, so this one never fails. */
export async function recordFailure(
  world: AuditWorld,
  given: GivenOrder & { id: string },
  error: unknown,
): Promise<void> {
  const entry: Entry = { ...given, outcome: `not done: ${messageOf(error)}`, failed: true }
  await recordOrder(world, entry).catch((cause: unknown) =>
    world.log.error({ err: cause, order: given.order }, 'an order could not be written down'),
  )
}
