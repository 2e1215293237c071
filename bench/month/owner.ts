// The owner of the month: looks in now and then, decides what waits for a person, values what was merged, adds a little.
import { CATEGORIES, type Category } from '@treadle/contracts/categories'
import { type Item, NewItem } from '@treadle/contracts/item'
import type { World } from '@treadle/daemon/world'
import { ask } from './ask.ts'
import type { Chance } from './chance.ts'

const MANY = 100
const BY = 'ada'

export class Owner {
  readonly #world: World
  readonly #chance: Chance
  readonly #share: number
  /** What the owner thinks of a category, from 0 to 10. */
  readonly #taste: ReadonlyMap<Category, number>
  readonly #valued = new Set<number>()
  #added = 0

  constructor(world: World, chance: Chance, valued: number) {
    this.#world = world
    this.#chance = chance
    this.#share = valued
    const [least, next] = chance.shuffled(world.config().agents.enabledCategories)
    const taste = (category: Category) => (category === least || category === next ? 2 : chance.between(6, 9))
    this.#taste = new Map(CATEGORIES.map((category) => [category, taste(category)]))
  }

  async lookIn(): Promise<void> {
    const { items } = this.#world.store
    for (const item of await items.inStates(['escalated', 'conflicted'], MANY))
      await this.#order(item, this.#chance.is(0.6) ? 'reopenItem' : 'withdrawItem')
    for (const item of await items.inStates(['in_review'], MANY))
      if (item.needsHuman) await this.#order(item, this.#chance.is(0.8) ? 'approveItem' : 'withdrawItem')
    for (const item of await items.inStates(['todo'], MANY))
      if (item.source === 'category' && this.#chance.is(0.02)) await this.#order(item, 'withdrawItem')
    await this.#value()
  }

  async add(): Promise<void> {
    const count = this.#chance.whole(1, 3)
    for (let nth = 0; nth < count; nth += 1)
      await ask(this.#world, 'addItem', { body: newItem(`Wish ${++this.#added} of the owner`) })
  }

  async #value(): Promise<void> {
    for (const { number } of await this.#world.store.items.inStates(['done'], 1_000)) {
      if (this.#valued.has(number)) continue
      this.#valued.add(number)
      const made = await this.#world.store.ideations.ofItem({ projectNumber: 1, number })
      if (made === null || !this.#chance.is(this.#share)) continue
      const taste = this.#taste.get(made.category) ?? 5
      const value = Math.round(Math.min(10, Math.max(0, taste + this.#chance.between(-1, 1))))
      await ask(this.#world, 'scoreValue', {
        params: pathOf({ projectNumber: 1, number }),
        body: { by: BY, value },
      })
    }
  }

  #order(item: Item, name: 'reopenItem' | 'withdrawItem' | 'approveItem') {
    return ask(this.#world, name, { params: pathOf(item), body: { by: BY } as never })
  }
}

function newItem(title: string) {
  return { ...NewItem.parse({ title }), by: BY }
}

function pathOf({ projectNumber, number }: Pick<Item, 'projectNumber' | 'number'>) {
  return { projectNumber, issueNumber: number }
}
