// A new item, and the event that says so, in one transaction.
import { ENGINE_NAMES } from '@treadle/contracts/config/engines'
import type { Item, NewItem } from '@treadle/contracts/item'
import type { Actor } from '@treadle/contracts/order'
import type { World } from '../world.ts'
import { checkLinks } from './edit-item.ts'
import { ProblemError } from './problem.ts'

type AddWorld = Pick<World, 'store' | 'now' | 'uuid'>

export function addItem(
  { store, now, uuid }: AddWorld,
  { by, ...given }: NewItem & { readonly by?: Actor | undefined },
): Promise<Item> {
  checkEngine(given.engine)
  const at = now()
  return store.tx(async () => {
    const { projectNumber, parent, dependsOn } = given
    if (parent !== null || dependsOn.length > 0) {
      await store.items.lockPlans(projectNumber)
      checkLinks(await store.items.plans(projectNumber), null, given)
    }
    const item = await store.items.add(given, at)
    await store.events.append({
      id: uuid(),
      at,
      item: { projectNumber: item.projectNumber, number: item.number },
      agentId: null,
      runId: null,
      state: item.state,
      event: { type: 'item.added', title: item.title, ...(by === undefined ? {} : { by }) },
    })
    return dependsOn.length === 0 ? item : ((await store.items.find(item)) ?? item)
  })
}

function checkEngine(name: string | null): void {
  if (name === null || ENGINE_NAMES.includes(name)) return
  throw new ProblemError(400, {
    code: 'bad_request',
    message: `body.engine: there is no engine ${name}`,
    hint: `Known engines: ${ENGINE_NAMES.join(', ')}.`,
  })
}
