// Items of a build that nobody is to build any more. What has landed stays, and what is landing lands.
import type { Item } from '@treadle/contracts/item'
import { isHeld, isQueued } from '../../flow.ts'
import { isStuck, momentOf } from '../../work/build-items.ts'
import type { BuildWorld } from './build-world.ts'

export async function withdrawItem(
  world: Pick<BuildWorld, 'advance'>,
  item: Item,
  name: string,
): Promise<void> {
  await world.advance({
    item: { projectNumber: item.projectNumber, number: item.number },
    eventId: `build:${item.build}:${name}:${momentOf(item)}`,
    fence: null,
    agentId: null,
    move: { type: 'item.withdrawn', by: 'the build' },
  })
}

export async function withdrawOpen(
  world: Pick<BuildWorld, 'advance' | 'store'>,
  build: string,
  name: string,
): Promise<void> {
  for (const item of await world.store.items.ofBuild(build))
    if (isQueued(item.state) || isHeld(item.state) || isStuck(item))
      await withdrawItem(world, item, `end-${name.replace(/\W+/g, '-')}`)
}
