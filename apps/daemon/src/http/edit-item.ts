// What an item has to do with others, changed by a person; no item may come to wait for itself.
import type { ItemRef } from '@treadle/contracts/ids'
import type { Item, ItemChanges, ItemPlan } from '@treadle/contracts/item'
import type { Actor } from '@treadle/contracts/order'
import type { PlanLinks } from '@treadle/flow/ports/items'
import { linkFault, linkFaultWords } from '@treadle/flow/work/item-links'
import type { World } from '../world.ts'
import { ProblemError } from './problem.ts'

/** Null: there is no such item. */
export function editItem(
  { store, now, uuid }: Pick<World, 'store' | 'now' | 'uuid'>,
  ref: ItemRef,
  { by, ...given }: ItemChanges & { readonly by: Actor },
): Promise<Item | null> {
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return store.tx(async () => {
    const { items, events } = store
    await items.lockPlans(ref.projectNumber)
    const item = await items.lock(ref)
    if (item === null) return null
    const edited: Item = { ...item, ...changes }
    if (item.status === 'done' || item.status === 'withdrawn') throw ended(item)
    checkLinks(await items.plans(ref.projectNumber), ref.number, edited)
    const at = now()
    await items.plan(edited, at)
    const { projectNumber, number, state, runId } = item
    await events.append({
      id: uuid(),
      at,
      item: { projectNumber, number },
      agentId: null,
      runId,
      state,
      event: { type: 'item.edited', by, changes },
    })
    return items.find(ref)
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
