// What an item has to do with others, changed by a person; no item may come to wait for itself.
import type { ItemRef } from '@treadle/contracts/ids'
import type { Item, ItemChanges, ItemPlan, RankMove } from '@treadle/contracts/item'
import type { Actor } from '@treadle/contracts/order'
import type { Items, PlanLinks } from '@treadle/flow/ports/items'
import { linkFault, linkFaultWords } from '@treadle/flow/work/item-links'
import { decideRank } from '@treadle/flow/work/rank'
import type { World } from '../world.ts'
import { ProblemError } from './problem.ts'

/** Null: there is no such item. */
export function editItem(
  { store, now, uuid }: Pick<World, 'store' | 'now' | 'uuid'>,
  ref: ItemRef,
  { by, ...given }: ItemChanges & { readonly by: Actor },
): Promise<Item | null> {
  const { rank: move, ...fields } = given
  const named = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return store.tx(async () => {
    const { items, events } = store
    await items.lockPlans(ref.projectNumber)
    const item = await items.lock(ref)
    if (item === null) return null
    if (item.status === 'done' || item.status === 'withdrawn') throw ended(item)
    const edited: Item = { ...item, ...named }
    const others = await items.plans(ref.projectNumber)
    checkLinks(others, ref.number, edited)
    const placed =
      move === undefined ? edited : { ...edited, ...(await placeFor(items, others, edited, move)) }
    const at = now()
    await items.plan(placed, at)
    const { projectNumber, number, state, runId } = item
    await events.append({
      id: uuid(),
      at,
      item: { projectNumber, number },
      agentId: null,
      runId,
      state,
      event: { type: 'item.edited', by, changes: { ...named, ...movedBy(item, placed, move) } },
    })
    return items.find(ref)
  })
}

/** What a move is recorded as; with the priority, if it came with the place. */
function movedBy(before: Item, { priority }: Item, rank: RankMove | undefined): ItemChanges {
  if (rank === undefined) return {}
  return priority === before.priority ? { rank } : { rank, priority }
}

/** The rank and the priority that a move gives; where there is no room, all of the project are spaced out first. */
async function placeFor(
  items: Items,
  others: readonly PlanLinks[],
  item: Item,
  move: RankMove,
): Promise<Pick<Item, 'rank' | 'priority'>> {
  let choice = decideRank(others, item, move)
  if (choice.is === 'crowded') {
    await items.respace(item.projectNumber)
    choice = decideRank(await items.plans(item.projectNumber), item, move)
  }
  if (choice.is === 'placed') return { rank: choice.rank, priority: choice.priority }
  throw new ProblemError(400, {
    code: 'bad_request',
    message: `body.rank: ${choice.is === 'crowded' ? 'there is no room' : choice.why}`,
    hint: 'Give first, last, before:<number> or after:<number>; treadle list shows what there is.',
  })
}

/** Throws what is wrong with the links that an item is to have. */
export function checkLinks(
  others: readonly PlanLinks[],
  number: number | null,
  links: Pick<ItemPlan, 'parent' | 'dependsOn'>,
): void {
  const fault = linkFault(others, number, links)
  if (fault === null) return
  throw new ProblemError(400, {
    code: 'bad_request',
    message: `body.${fault.field}: ${linkFaultWords(fault)}`,
    hint:
      fault.is === 'withdrawn'
        ? `Put it back first: treadle reopen ${fault.number}`
        : 'treadle list shows what there is; treadle show <number> shows what an item waits for.',
    details: fault.is === 'cycle' ? { ...fault, numbers: [...fault.numbers] } : fault,
  })
}

function ended({ number, state }: Item): ProblemError {
  return new ProblemError(409, {
    code: 'refused',
    message: `#${number} is ${state}, and waits for nothing any more.`,
    hint:
      state === 'withdrawn' ? `Put it back first: treadle reopen ${number}` : 'Add an item for what is left.',
    details: { state },
  })
}
