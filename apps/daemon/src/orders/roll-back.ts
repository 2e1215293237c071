// A rollback that the daemon does by itself or by an answer: weighed, done and audited like an order of a person.
import type { Actor, Order, RolloutPhase } from '@treadle/contracts/order'
import { messageOf } from '@treadle/flow/fault'
import { impactOf } from '@treadle/flow/supervise/orders/impact'
import type { World } from '../world.ts'
import { recordFailure, recordOrder } from './audit.ts'
import { factsFor } from './facts.ts'
import { give } from './give.ts'

export interface Reason {
  /** Of the order: what was rolled back under it is not rolled back again. */
  readonly id: string
  readonly phase: RolloutPhase
  readonly why: string
  readonly by: Actor
}

export async function rollBack(world: World, { id, phase, why, by }: Reason): Promise<void> {
  const order: Order = { is: 'rollback', phase }
  const facts = await factsFor(world, order)
  const { impact } = impactOf(order, facts)
  const text = `${why}. ${impact.text}`
  const entry = { id, order: order.is, by, target: `phase ${phase}`, impact: text }
  if (!(await recordOrder(world, { ...entry, outcome: 'begun', begun: world.workspace.id }))) return
  try {
    const done = await give(world, order, { by, facts, id, impact: text })
    const outcome = [`${why}. ${done.outcome}`, ...done.failed].join('; ')
    await recordOrder(world, { ...entry, outcome })
    world.log.error({ phase, why }, 'rolled back')
  } catch (error) {
    await recordFailure(world, entry, error)
    world.log.error({ err: error }, `the rollback was not done: ${messageOf(error)}`)
  }
}
