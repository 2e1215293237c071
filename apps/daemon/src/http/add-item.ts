// A new item, and the event that says so, in one transaction.
import { ENGINE_NAMES } from '@treadle/contracts/config/engines'
import type { Item, NewItem, SpecTaskRef } from '@treadle/contracts/item'
import type { Actor } from '@treadle/contracts/order'
import type { World } from '../world.ts'
import { checkLinks } from './edit-item.ts'
import { ProblemError } from './problem.ts'

type AddWorld = Pick<World, 'store' | 'now' | 'uuid' | 'git'>

export async function addItem(
  { store, now, uuid, git }: AddWorld,
  { by, ...given }: NewItem & { readonly by?: Actor | undefined },
): Promise<Item> {
  checkEngine(given.engine)
  await checkTarget(git, given.target)
  const source = given.specTask !== null && given.source === 'person' ? 'spec' : given.source
  const at = now()
  return store.tx(async () => {
    if (given.specTask !== null) await checkTask(store, given.specTask)
    const { projectNumber, parent, dependsOn } = given
    if (parent !== null || dependsOn.length > 0) {
      await store.items.lockPlans(projectNumber)
      checkLinks(await store.items.plans(projectNumber), null, given)
    }
    const item = await store.items.add({ ...given, source }, at)
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

/** An item is made of a task that is there, so that a look back finds what was planned. */
async function checkTask({ specifications }: World['store'], task: SpecTaskRef): Promise<void> {
  const { spec, revision, id } = task
  const kept = await specifications.revision(spec, revision)
  if (kept?.spec.tasks.some((each) => each.id === id) === true) return
  throw new ProblemError(400, {
    code: 'bad_request',
    message:
      kept === null
        ? `body.specTask: there is no revision ${revision} of a specification ${spec}`
        : `body.specTask: revision ${revision} of ${spec} has no task ${id}`,
    hint: kept === null ? 'treadle spec list shows what there is.' : `Its tasks: treadle spec show ${spec}`,
  })
}

/** A branch is not made by naming it: a slip of the pen would merge work to where nobody looks. */
async function checkTarget(git: World['git'], target: string | null): Promise<void> {
  if (target === null || (await git.commitOf(`refs/heads/${target}`)) !== null) return
  throw new ProblemError(400, {
    code: 'bad_request',
    message: `body.target: there is no branch ${target}`,
    hint: `Make it first: git branch ${target}`,
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
