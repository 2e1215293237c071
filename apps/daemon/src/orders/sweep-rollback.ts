// Rolls a phase back by itself where something critical has stood for too long; audited like an order of a person.
import type { Order } from '@treadle/contracts/order'
import { messageOf } from '@treadle/flow/fault'
import { dueRollback, ROLLBACK_ALERTS } from '@treadle/flow/supervise/orders/due-rollback'
import { impactOf } from '@treadle/flow/supervise/orders/impact'
import type { World } from '../world.ts'
import { recordFailure, recordOrder } from './audit.ts'
import { factsFor } from './facts.ts'
import { give } from './give.ts'

const BY = 'system:health'
const LOOK_BACK = 50

/** Part of every sweep. */
export async function sweepRollback(world: World): Promise<void> {
  const { store, now, config } = world
  const { monitoring: settings, flags } = config()
  if (settings.rollback === 'never' || flags.enable_advanced_monitoring === false) return
  const told = await store.notifications.standing(ROLLBACK_ALERTS)
  if (told.length === 0) return
  // On a shared database an alert may be about another workspace: what is not well here is what was found here.
  const found = (await world.health.report()).checks.map(({ alert }) => alert)
  const standing = told.filter(({ type }) => found.some((alert) => alert === type))
  const due = dueRollback({ now: now(), settings, flags, standing, lastAt: await lastRollback(world) })
  if (due === null) return
  const order: Order = { is: 'rollback', phase: due.phase }
  const facts = await factsFor(world, order)
  const { impact } = impactOf(order, facts)
  const id = world.uuid()
  const text = `${due.why}. ${impact.text}`
  const entry = { id, order: order.is, by: BY, target: `phase ${due.phase}`, impact: text }
  await recordOrder(world, { ...entry, outcome: 'begun', begun: world.workspace.id })
  try {
    const done = await give(world, order, { by: BY, facts, id, impact: text })
    const outcome = [`${due.why}. ${done.outcome}`, ...done.failed].join('; ')
    await recordOrder(world, { ...entry, outcome })
    world.log.error({ phase: due.phase, why: due.why }, 'rolled back')
  } catch (error) {
    await recordFailure(world, entry, error)
    world.log.error({ err: error }, `the rollback was not done: ${messageOf(error)}`)
  }
}

async function lastRollback({ store }: World): Promise<Date | null> {
  const orders = await store.events.newest({ type: 'order.given', limit: LOOK_BACK })
  const last = orders.find(
    ({ event }) => event.type === 'order.given' && event.order === 'rollback' && event.by === BY,
  )
  return last === undefined ? null : new Date(last.at)
}
