// Rolls a phase back by itself where something critical has stood for too long; audited like an order of a person.
import { dueRollback, ROLLBACK_ALERTS } from '@treadle/flow/supervise/orders/due-rollback'
import type { World } from '../world.ts'
import { rollBack } from './roll-back.ts'

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
  await rollBack(world, { ...due, id: world.uuid(), by: BY })
}

async function lastRollback({ store }: World): Promise<Date | null> {
  const orders = await store.events.newest({ type: 'order.given', limit: LOOK_BACK })
  const last = orders.find(
    ({ event }) => event.type === 'order.given' && event.order === 'rollback' && event.by === BY,
  )
  return last === undefined ? null : new Date(last.at)
}
