// Whoever waits in a circle waits for ever: the one that loses least goes back to the queue. Decision and deed are one
// transaction.
import type { TreadleEvent } from '@treadle/contracts/event'
import { ItemRef } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { isHeld } from '../../flow.ts'
import type { FactJob } from '../../ports/jobs.ts'
import { findWaitCycles } from '../wait-cycles.ts'
import { decideDeadlock } from './decide.ts'
import { PM, type PmWorld } from './pm-world.ts'
import { recordDecision } from './record.run.ts'
import { refOf } from './stuck.run.ts'

type Deadlock = Extract<TreadleEvent, { type: 'alert.deadlock' }>

export function runDeadlock(world: PmWorld, job: FactJob, event: Deadlock): Promise<void> {
  const { store } = world
  return store.tx(async () => {
    const { cycle } = event.context
    const isSame = (other: readonly string[]) => other.join(' ') === cycle.join(' ')
    // Somebody has gone on meanwhile, or it was broken by whoever was killed over it.
    if (!findWaitCycles(await store.fileLocks.waits(world.now())).some(isSame)) return
    const members: { name: string; item: Item | null }[] = []
    for (const name of cycle) members.push({ name, item: await itemNamed(world, name) })
    const decision = decideDeadlock(
      members.map(({ name, item }) => ({
        name,
        priority: item?.priority ?? null,
        claimedAt: item?.claimedAt ?? null,
        number: item?.number ?? 0,
      })),
    )
    await recordDecision(world, { job, about: { alert: event.alert, count: event.count } }, decision)
    const item = members.find(({ name }) => name === decision.target)?.item ?? null
    if (item !== null) await takeOut(world, item, `pm:${event.alert}:${event.count}:broken`)
  })
}

async function takeOut(world: PmWorld, item: Item, eventId: string): Promise<void> {
  const ref = refOf(item)
  if (isHeld(item.state))
    await world.advance({
      item: ref,
      eventId,
      fence: null,
      agentId: null,
      move: { type: 'item.assigned', by: PM, to: null },
    })
  // Whatever it has is free again, and it waits for nothing until it is offered anew.
  await world.store.fileLocks.release(ref)
  await world.store.fileLocks.stopWaiting(ref)
}

function itemNamed({ store }: PmWorld, name: string): Promise<Item | null> {
  const [projectNumber, number] = name.split('/').map(Number)
  const ref = ItemRef.safeParse({ projectNumber, number })
  return ref.success ? store.items.find(ref.data) : Promise.resolve(null)
}
