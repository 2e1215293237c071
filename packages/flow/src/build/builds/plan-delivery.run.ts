// The delivery of a build waits for every task that is still to come.
import type { Item } from '@treadle/contracts/item'
import { isQueued } from '../../flow.ts'
import { isDelivery, isTask } from '../../work/build-items.ts'
import type { BuildWorld } from './build-world.ts'

/** The whole waits for what is still to come, and not for what is skipped. */
export async function planDelivery(
  { store, now }: Pick<BuildWorld, 'store' | 'now'>,
  items: readonly Item[],
): Promise<void> {
  const delivery = items.find(isDelivery)
  if (delivery === undefined || !isQueued(delivery.state)) return
  const dependsOn = items
    .filter((item) => isTask(item) && item.state !== 'withdrawn')
    .map(({ number }) => number)
  if (dependsOn.join() === delivery.dependsOn.join()) return
  await store.items.plan({ ...delivery, dependsOn }, now())
}
