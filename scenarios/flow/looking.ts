// Looks for improvements on a real store, with a clock, a crew and answers that a test hands in.
import type { Category } from '@treadle/contracts/categories'
import { CATEGORIES } from '@treadle/contracts/categories'
import { THOUGHT_PROJECT } from '@treadle/contracts/cost'
import type { StoredEvent } from '@treadle/contracts/event'
import type { AgentId } from '@treadle/contracts/ids'
import type { Item, NewItem } from '@treadle/contracts/item'
import type { Thought } from '@treadle/contracts/thought'
import { runLook } from '@treadle/flow/idea/category/look.run'
import type { LookWorld } from '@treadle/flow/idea/category/look-world'
import { runTakeIn, runTakeInLeft } from '@treadle/flow/idea/category/take-in.run'
import { sampleConfig } from '@treadle/flow/work/testing/sample'
import {
  runAnswerThought,
  runClaimThought,
  runWithdrawThought,
  type ThoughtWorld,
} from '@treadle/flow/work/thought.run'
import type { OpenStore } from '@treadle/store/connect'
import { newItem } from '@treadle/store/testing/both-drivers'
import { FlowWorld } from './world.ts'

export const MINUTE = 60_000
export const DAY = 24 * 60 * MINUTE

export interface Known {
  hasTests: boolean
  unready: string | null
  hold: string | null
  packages: readonly string[] | null
  changedAt: Date | null
  /** Templates that are not there. */
  missing: readonly Category[]
}

/** A crew whose agents are all idle, unless a test says otherwise. */
export class Looking {
  readonly flow: FlowWorld
  readonly known: Known = {
    hasTests: true,
    unready: null,
    hold: null,
    packages: null,
    changedAt: null,
    missing: [],
  }
  readonly world: LookWorld & ThoughtWorld
  #began = ''

  private constructor(store: OpenStore, settings: object) {
    const flow = new FlowWorld(store)
    this.flow = flow
    this.set(settings)
    const { known } = this
    this.world = {
      store,
      now: flow.now,
      uuid: flow.uuid,
      config: flow.config,
      prompt: async (category) =>
        known.missing.includes(category)
          ? { is: 'missing', why: `${category}.md is not there` }
          : { is: 'prompt', text: `Improve its ${category}.` },
      packages: async () => known.packages,
      changedAt: async () => known.changedAt,
      surveyed: CATEGORIES,
      hasTests: () => known.hasTests,
      unready: () => known.unready,
      hold: () => known.hold,
      isIdle: () => true,
      lockSubject: async () => undefined,
      endThought: async () => null,
    }
  }

  /** In a year of its own, with nothing open of what the tests before have left in the store. */
  static async of(store: OpenStore, settings: object = {}): Promise<Looking> {
    const looking = new Looking(store, settings)
    const { flow, world } = looking
    lastYear += 1
    flow.time = new Date(Date.UTC(lastYear, 5, 15, 12))
    await store.agents.ensure('agent-1', flow.now())
    for (const category of CATEGORIES) await store.ideations.exhaust(category, null, null)
    for (const [nth, category] of CATEGORIES.entries())
      await store.ideations.markUsed(category, new Date(flow.now().getTime() - DAY + nth))
    for (const { number } of await store.ideations.titles(1)) {
      const item = await store.items.find({ projectNumber: 1, number })
      if (item !== null && item.state !== 'done') await store.items.save({ ...item, state: 'withdrawn' })
    }
    for (const { id } of await store.thoughts.list({ kind: 'category_idea', isOpen: true, limit: 100 }))
      await runWithdrawThought(world, id, 'the next test')
    await runTakeInLeft(world)
    flow.wait(1)
    looking.#began = flow.now().toISOString()
    return looking
  }

  set({ ideas = {}, agents = {}, ...others }: { ideas?: object; agents?: object } & object): void {
    this.flow.settings = sampleConfig({
      flags: { enable_ideation: true },
      engines: { default: 'native' },
      ideas: { perDay: 1_000, perCategoryPerDay: 100, ...ideas },
      agents,
      ...others,
    })
  }

  /** One sweep; the looks that nobody has begun after it. */
  async sweep(): Promise<Thought[]> {
    await runTakeInLeft(this.world)
    await runLook(this.world)
    return this.flow.store.thoughts.list({ kind: 'category_idea', status: 'pending', limit: 100 })
  }

  /** Sweeps, and answers the one look that is asked. */
  async answer(text: string): Promise<Category> {
    const [asked, ...others] = await this.sweep()
    if (asked === undefined || others.length > 0) throw new Error(`${others.length + 1} looks, not one`)
    return this.answerTo(asked, text)
  }

  async answerTo({ id }: Thought, text: string, costUSD = 0): Promise<Category> {
    const { world } = this
    const agentId: AgentId = 'agent-1'
    const claimed = await runClaimThought(world, { id, agentId })
    if (claimed.is !== 'claimed') throw new Error(`not claimed: ${claimed.is}`)
    const { fence } = claimed.thought
    if (costUSD > 0) await this.#pay(id, costUSD)
    const end = { is: 'answered', text, structured: null, model: 'm-1' } as const
    await runAnswerThought(world, { id, agentId, fence, end })
    await runTakeIn(world, id)
    return claimed.thought.subject as Category
  }

  async #pay(thoughtId: string, costUSD: number): Promise<void> {
    await this.flow.store.ledger.log({
      id: this.flow.uuid(),
      agentId: 'agent-1',
      projectNumber: THOUGHT_PROJECT,
      itemNumber: null,
      runId: null,
      thoughtId,
      model: 'm-1',
      tokens: { input: 1, output: 1 },
      costUSD,
      assumed: false,
      timestamp: this.flow.now().toISOString(),
    })
  }

  async told(type: StoredEvent['event']['type']): Promise<StoredEvent[]> {
    const newest = await this.flow.store.events.newest({ type, limit: 500 })
    return newest.filter(({ at }) => at >= this.#began).reverse()
  }

  async items(): Promise<Item[]> {
    const titles = await this.flow.store.ideations.titles(1)
    const items = await Promise.all(
      titles.map(({ number }) => this.flow.store.items.find({ projectNumber: 1, number })),
    )
    return items.filter((item) => item !== null).filter(({ createdAt }) => createdAt >= this.#began)
  }

  /** Items of people. */
  async wait(count: number): Promise<void> {
    for (let nth = 0; nth < count; nth += 1)
      await this.flow.store.items.add(
        { ...newItem({ title: newTitle() }), projectNumber: 1 },
        this.flow.now(),
      )
  }

  /** An item of the crew's own in a category, with nothing asked before. */
  async own(category: Category, given: Partial<NewItem> = {}, state: Item['state'] = 'todo'): Promise<Item> {
    const { store } = this.flow
    const at = this.flow.now()
    const added = await store.items.add({ ...newItem(given), projectNumber: 1 }, at)
    const { projectNumber, number } = added
    await store.ideations.record(
      { item: { projectNumber, number }, category, ideatedByAgentId: 'agent-1', createdAt: at.toISOString() },
      null,
    )
    const item = { ...added, state }
    if (state !== added.state) await store.items.save(item)
    return item
  }
}

let lastYear = 2_000
let lastIdea = 0
const WORDS = [
  'cart',
  'pump',
  'ledger',
  'greenhouse',
  'compass',
  'harbour',
  'lantern',
  'orchard',
  'quarry',
  'violin',
]

/** An answer as a model gives it, with a title that no other one is like. */
export function idea({
  title = newTitle(),
  criteria = 3,
  hours = 4,
  approach = 'Change one function.',
}: {
  readonly title?: string
  readonly criteria?: number
  readonly hours?: number
  readonly approach?: string
} = {}): string {
  const lines = Array.from(
    { length: criteria },
    (_, index) => `- AC-1.${'abcdefgh'[index]}: Part ${index + 1} works`,
  )
  return `**Title:** ${title}
**Description:** It is slow. It need not be.
**Acceptance Criteria:**
${lines.join('\n')}
**Technical Approach:** ${approach}
**Estimated Effort:** ${hours} hours`
}

function newTitle(): string {
  lastIdea += 1
  return `Mend ${WORDS[lastIdea % WORDS.length]} ${WORDS[Math.floor(lastIdea / WORDS.length) % WORDS.length]} number ${lastIdea}`
}
