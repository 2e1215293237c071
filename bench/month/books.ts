// What the month has seen, kept from the events alone and from what each answer deserved; no policy of the product is asked.
import { CATEGORIES, type Category } from '@treadle/contracts/categories'
import type { StoredEvent } from '@treadle/contracts/event'
import type { ItemState } from '@treadle/contracts/item'
import type { Said, Verdict } from './model.ts'

export interface ItemBook {
  readonly number: number
  readonly category: Category | null
  /** As the model said it, of an improvement of the crew's own. */
  readonly title: string | null
  readonly addedAt: number
  state: ItemState
  claimedAt: number | null
  endedAt: number | null
  value: { readonly points: number; readonly at: number } | null
}

export interface LookBook {
  readonly thought: string
  readonly category: Category
  readonly askedAt: number
  readonly isRetry: boolean
  claimedAt: number | null
  /** When the thought was over; null: it is not. */
  endedAt: number | null
  /** Null: nobody has answered. */
  said: Said | null
  /** What the product made of it; null: nothing yet. */
  outcome: string | null
}

const QUEUED: ReadonlySet<ItemState> = new Set(['todo', 'backlog', 'rework'])
const OVER: ReadonlySet<ItemState> = new Set(['done', 'withdrawn'])
const AGAIN: ReadonlySet<Verdict> = new Set(['unreadable', 'too_long', 'too_few_criteria'])
const DAY = 24 * 3_600_000

interface Lasts {
  readonly exhaustedMs: number
  readonly roundMs: number
}

export class Books {
  readonly items = new Map<number, ItemBook>()
  readonly looks = new Map<string, LookBook>()
  readonly lastUsed = new Map<Category, number>()
  /** Until when a category is to be left alone, by what its answers deserved. */
  readonly leftAlone = new Map<Category, number>()
  /** A category whose answer did not hold, which is asked once more. */
  readonly retries = new Set<Category>()
  /** Dollars, by day. */
  readonly spentOnLooks = new Map<number, number>()
  readonly spent = new Map<number, number>()
  readonly counts = new Map<string, number>()
  /** Looks that nobody answered, one after the other. */
  failedInRow = 0
  lastFailedAt = 0
  /** When something moved last: an item or a look. */
  movedAt: number
  readonly #lasts: Lasts
  readonly #saids = new Map<string, Said>()

  constructor(began: Date, lasts: Lasts) {
    this.movedAt = began.getTime()
    this.#lasts = lasts
  }

  expect(thought: string, said: Said): void {
    this.#saids.set(thought, said)
  }

  take({ event, item, at: told, state, id }: StoredEvent): void {
    const at = Date.parse(told)
    this.counts.set(event.type, (this.counts.get(event.type) ?? 0) + 1)
    switch (event.type) {
      case 'item.added':
        if (item !== null && !this.items.has(item.number)) this.#add(item.number, null, { title: null, at })
        break
      case 'idea.generated':
        if (item !== null) this.#add(item.number, event.category, { title: titleIn(event.title), at })
        this.#outcome(id.slice('idea-generated:'.length), 'project')
        break
      case 'idea.rejected':
        this.#outcome(id.slice('idea-rejected:'.length), event.outcome)
        break
      case 'item.valued':
        if (item !== null) this.#bookOf(item.number).value = { points: event.value, at }
        break
      case 'cost.logged':
        this.#pay(at, event.costUSD, item === null)
        break
      default:
        this.#takeLook(event, at)
        if (item !== null && state !== null) this.#move(item.number, state as ItemState, at)
    }
  }

  // ── What follows from it ──────────────────────────────────────────────────────────────────────

  get depth(): number {
    return this.#count(({ state }) => QUEUED.has(state))
  }

  /** Improvements of the crew's own that are not over. */
  get open(): number {
    return this.#count(({ state, category }) => category !== null && !OVER.has(state))
  }

  get inReview(): number {
    return this.#count(({ state }) => state === 'in_review')
  }

  createdOn(day: number, category?: Category): number {
    return this.#count(
      (each) =>
        each.category !== null &&
        (category === undefined || each.category === category) &&
        dayOf(each.addedAt) === day,
    )
  }

  openLooks(): LookBook[] {
    return [...this.looks.values()].filter(({ outcome }) => outcome === null)
  }

  openOf(category: Category): number {
    return this.#count((each) => each.category === category && !OVER.has(each.state))
  }

  /** The points of the last 30 days. */
  pointsOf(category: Category, now: number): number[] {
    return [...this.items.values()].flatMap((each) =>
      each.category === category && each.value !== null && each.value.at > now - 30 * DAY
        ? [each.value.points]
        : [],
    )
  }

  spentSince(day: number, length: number): number {
    return Array.from({ length }, (_, at) => this.spent.get(day - at) ?? 0).reduce((a, b) => a + b, 0)
  }

  // ── Entries ───────────────────────────────────────────────────────────────────────────────────

  #count(test: (item: ItemBook) => boolean): number {
    let found = 0
    for (const item of this.items.values()) if (test(item)) found += 1
    return found
  }

  #add(number: number, category: Category | null, { title, at }: { title: string | null; at: number }): void {
    this.items.set(number, {
      number,
      category,
      title,
      addedAt: at,
      state: 'todo',
      claimedAt: null,
      endedAt: null,
      value: null,
    })
    this.movedAt = at
  }

  #bookOf(number: number): ItemBook {
    const found = this.items.get(number)
    if (found === undefined) throw new Error(`nobody has added #${number}`)
    return found
  }

  #move(number: number, state: ItemState, at: number): void {
    const book = this.#bookOf(number)
    if (book.state === state) return
    book.state = state
    this.movedAt = at
    if (state === 'claimed') book.claimedAt ??= at
    if (OVER.has(state)) book.endedAt = at
  }

  #pay(at: number, costUSD: number, isLook: boolean): void {
    const day = dayOf(at)
    this.spent.set(day, (this.spent.get(day) ?? 0) + costUSD)
    if (isLook) this.spentOnLooks.set(day, (this.spentOnLooks.get(day) ?? 0) + costUSD)
  }

  #takeLook(event: StoredEvent['event'], at: number): void {
    if (!('thought' in event) || !('kind' in event) || event.kind !== 'category_idea') return
    this.movedAt = at
    if (event.type === 'thought.asked') {
      this.#ask(event.thought, CATEGORY.get(event.subject), at)
      return
    }
    const look = this.looks.get(event.thought)
    if (look === undefined) return
    if (event.type === 'thought.claimed') look.claimedAt = at
    if (event.type === 'thought.withdrawn') look.outcome = 'withdrawn'
    if (
      event.type === 'thought.answered' ||
      event.type === 'thought.failed' ||
      event.type === 'thought.withdrawn'
    )
      look.endedAt = at
    if (event.type === 'thought.failed') {
      this.failedInRow += 1
      this.lastFailedAt = at
    }
    if (event.type === 'thought.answered') this.#judge(look, at)
  }

  #ask(thought: string, category: Category | undefined, at: number): void {
    if (category === undefined) return
    const isRetry = this.retries.delete(category)
    const blank = { claimedAt: null, endedAt: null, said: null, outcome: null }
    this.looks.set(thought, { thought, category, askedAt: at, isRetry, ...blank })
    this.lastUsed.set(category, at)
  }

  /** What is to follow, whatever the product does. */
  #judge(look: LookBook, at: number): void {
    const said = this.#saids.get(look.thought)
    if (said === undefined) throw new Error(`nobody has said what the answer of ${look.thought} deserves`)
    look.said = said
    this.failedInRow = 0
    const { verdict } = said
    const { category, isRetry } = look
    if (verdict === 'none') this.leftAlone.set(category, at + this.#lasts.exhaustedMs)
    else if (AGAIN.has(verdict) && !isRetry) this.retries.add(category)
    else if (verdict !== 'idea') this.leftAlone.set(category, at + this.#lasts.roundMs)
  }

  #outcome(thought: string, outcome: string): void {
    const look = this.looks.get(thought)
    if (look !== undefined) look.outcome = outcome
  }
}

const CATEGORY: ReadonlyMap<string, Category> = new Map(CATEGORIES.map((category) => [category, category]))

export function dayOf(at: number): number {
  return Math.floor(at / DAY)
}

/** Without the category before it. */
function titleIn(title: string): string {
  return title.slice(title.indexOf(': ') + 2)
}
