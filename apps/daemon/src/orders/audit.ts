// Every order is written down: who gave it, what it was about, what it hit and what came of it.
import type { Actor, OrderName, PurgedItem } from '@treadle/contracts/order'
import { messageOf } from '@treadle/flow/fault'
import type { World } from '../world.ts'

export type AuditWorld = Pick<World, 'store' | 'now' | 'uuid' | 'log'>

export interface Given {
  readonly order: OrderName
  readonly by: Actor
  readonly target: string | null
  readonly impact: string
}
export interface Entry extends Given {
  readonly id: string
  readonly outcome: string
  readonly items?: PurgedItem[] | undefined
}

const TEXT_MAX = 4_000

export async function recordOrder({ store, now }: AuditWorld, entry: Entry): Promise<void> {
  const { id, order, by, target, impact, outcome, items } = entry
  await store.events.append({
    id,
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
      ...(items === undefined ? {} : { items }),
    },
  })
}

/** Does what was ordered and writes it down, also when it is refused or fails. */
export async function audited<T>(
  world: AuditWorld,
  given: Given,
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
  given: Given & { id: string },
  error: unknown,
): Promise<void> {
  const entry = { ...given, outcome: `not done: ${messageOf(error)}` }
  await recordOrder(world, entry).catch((cause: unknown) =>
    world.log.error({ err: cause, order: given.order }, 'an order could not be written down'),
  )
}
