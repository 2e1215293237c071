import { CATEGORIES, type Category } from '@treadle/contracts/categories'
import type { CategoryView } from '@treadle/contracts/category'
import type { ItemRef } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { categoryRoutes } from '@treadle/contracts/routes/categories'
import { readCategoryFacts, readNext } from '@treadle/flow/idea/category/look.run'
import { projectItem } from '@treadle/flow/idea/category/project-item'
import { type CategoryFacts, whyOff } from '@treadle/flow/idea/category/select-category'
import { lookWorld } from '../jobs/categories.ts'
import type { World } from '../world.ts'
import { addItem } from './add-item.ts'
import type { HandlersOf } from './handler.ts'
import { ProblemError } from './problem.ts'

export const categoryHandlers = {
  async listCategories(world) {
    const facts = await readCategoryFacts(lookWorld(world))
    return { items: CATEGORIES.map((category) => view(facts, category)) }
  },

  async nextCategory(world) {
    const { look, selected } = await readNext(lookWorld(world))
    if (selected.is === 'none') return { category: null, why: selected.why }
    return { category: selected.category, why: look.is === 'look' ? null : look.why }
  },

  async markCategoryUsed(world, { params: { name } }) {
    await world.store.ideations.markUsed(name, world.now())
    return one(world, name)
  },

  async exhaustCategory(world, { params: { name }, body: { until, by } }) {
    const why = until === null ? null : `${by} wants it left alone`
    await world.store.ideations.exhaust(name, until === null ? null : new Date(until), why)
    return one(world, name)
  },

  async createProject(world, { body: { text, by, ideatedByAgentId = null } }) {
    const read = projectItem(text, null)
    if (read.is === 'unreadable')
      throw new ProblemError(400, {
        code: 'bad_request',
        message: `body.text: ${read.why}`,
        hint: 'It begins with /project-create <category>: <title>, and has a description and acceptance criteria.',
      })
    const { item, category } = read
    return world.store.tx(async () => {
      const added = await addItem(world, { ...item, by: ideatedByAgentId ?? by })
      const createdAt = world.now().toISOString()
      await world.store.ideations.record({ item: refOf(added), category, ideatedByAgentId, createdAt }, null)
      return added
    })
  },

  async recordSelfGenerated(world, { body: { projectNumber: number, ...said } }) {
    const item = { projectNumber: 1, number }
    await findItem(world, item)
    const { ideations } = world.store
    await ideations.record({ item, ...said }, null)
    const recorded = await ideations.ofItem(item)
    if (recorded === null) throw new Error('what was recorded is there')
    return recorded
  },

  async scoreValue(world, { params, body: { value, by } }) {
    const item = { projectNumber: params.projectNumber, number: params.issueNumber }
    const { store, now, uuid } = world
    return store.tx(async () => {
      const valued = await findItem(world, item)
      if (valued.state !== 'done')
        throw new ProblemError(409, {
          code: 'refused',
          message: `#${item.number} is not merged yet, so nobody knows what it is worth.`,
          hint: `See where it stands: treadle show ${item.number}`,
        })
      await store.ideations.value(item, { value, by }, now())
      const event = { type: 'item.valued', value, by } as const
      const about = { item, agentId: null, runId: null, state: valued.state }
      await store.events.append({ id: uuid(), at: now(), ...about, event })
      return valued
    })
  },
} satisfies HandlersOf<typeof categoryRoutes>

async function findItem({ store }: World, ref: ItemRef): Promise<Item> {
  const item = await store.items.find(ref)
  if (item !== null) return item
  throw new ProblemError(404, {
    code: 'not_found',
    message: `There is no item #${ref.number}.`,
    hint: 'treadle list shows what there is.',
  })
}

async function one(world: World, category: Category): Promise<CategoryView> {
  return view(await readCategoryFacts(lookWorld(world)), category)
}

const UNKNOWN = {
  lastUsedAt: null,
  exhaustedUntil: null,
  projectsGenerated: 0,
  open: 0,
  merged: 0,
  withdrawn: 0,
  refused: 0,
  value: null,
  valued: 0,
  costUSD: 0,
  weekly: [],
} as const

function view(facts: CategoryFacts, category: Category): CategoryView {
  const tally = facts.tallies.find((each) => each.category === category)
  const {
    lastUsedAt,
    exhaustedUntil,
    projectsGenerated,
    open,
    merged,
    withdrawn,
    refused,
    value,
    valued,
    costUSD,
    weekly,
  } = tally ?? UNKNOWN
  return {
    category,
    off: whyOff(facts, category),
    lastUsedAt,
    exhaustedUntil,
    projectsGenerated,
    open,
    merged,
    withdrawn,
    refused,
    value,
    valued,
    costUSD,
    weekly: [...weekly],
  }
}

function refOf({ projectNumber, number }: Item): ItemRef {
  return { projectNumber, number }
}
