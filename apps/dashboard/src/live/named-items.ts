// Items that events have named, read by themselves and put in the place of what was known of them.
import type { Client } from '@treadle/contracts/client'
import type { ItemRef } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { revealAll } from './reveal.model.ts'

export async function readNamed(
  client: Client,
  known: readonly Item[],
  named: readonly ItemRef[],
): Promise<readonly Item[]> {
  const byProject = Map.groupBy(named, ({ projectNumber }) => projectNumber)
  const answers = await Promise.all(
    [...byProject].map(([projectNumber, refs]) =>
      client.listItems({ query: { projectNumber, numbers: refs.map(({ number }) => number).join() } }),
    ),
  )
  return withItems(known, revealAll(answers.flatMap(({ items }) => items)))
}

/** By number, as the board has them; an item that waits for one of the fresh ones is blocked by it, or no more. */
export function withItems(known: readonly Item[], fresh: readonly Item[]): readonly Item[] {
  const left = new Map(fresh.map((item) => [keyOf(item), item]))
  const found = known.map((item) => {
    const key = keyOf(item)
    const newer = left.get(key)
    left.delete(key)
    return newer ?? item
  })
  const items = left.size === 0 ? found : [...found, ...left.values()].sort(byNumber)
  const states = new Map(fresh.map((item) => [keyOf(item), item.state]))
  return items.map((item) =>
    withFiles(item.dependsOn.length === 0 ? item : withBlockers(item, states), fresh),
  )
}

/** A lock is over with the work that it was for; who has the file next, the next look tells. */
function withFiles(item: Item, fresh: readonly Item[]): Item {
  const { clearance } = item
  if (clearance?.is !== 'locked' || fresh.includes(item)) return item
  const holder = fresh.find((other) => keyOf(other) === keyOf(clearance.item))
  const isOver = holder !== undefined && holder.claimedByAgentId === null && holder.status !== 'in_review'
  return isOver ? { ...item, clearance: null } : item
}

function withBlockers(item: Item, states: ReadonlyMap<string, Item['state']>): Item {
  const { projectNumber, dependsOn, blockedBy } = item
  const now = dependsOn.filter((number) => {
    const state = states.get(keyOf({ projectNumber, number }))
    return state === undefined ? blockedBy.includes(number) : state !== 'done'
  })
  return now.join() === blockedBy.join() ? item : { ...item, blockedBy: now }
}

function byNumber(a: Item, b: Item): number {
  return a.projectNumber - b.projectNumber || a.number - b.number
}

function keyOf({ projectNumber, number }: ItemRef): string {
  return `${projectNumber}/${number}`
}
