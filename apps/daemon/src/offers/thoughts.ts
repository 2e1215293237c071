// Looks up what flow/claim/thought-lease.ts decides by: which thought an agent is offered, if any.
import type { AgentId } from '@treadle/contracts/ids'
import { isReviewer } from '@treadle/contracts/review'
import type { Thought } from '@treadle/contracts/thought'
import { heldBy, pickThought } from '@treadle/flow/claim/thought-lease'
import { kindsFor } from '@treadle/flow/work/thought-terms'
import type { OpenStore } from '@treadle/store/connect'
import type { Clock } from '../clock.ts'
import type { World } from '../world.ts'

/** How far to look past thoughts whose engines rest. */
const AHEAD = 20

/** Knows when there is nothing to think about, so that agents who ask for work do not look each time. */
export class ThoughtWatch {
  readonly #store: Pick<OpenStore, 'thoughts'>
  readonly #pollMs: () => number
  readonly #clock: Pick<Clock, 'elapsedMs'>
  /** When it was seen last that there is none; null: there may be some. */
  #noneAt: number | null = null
  #news = 0

  constructor(
    store: Pick<OpenStore, 'thoughts' | 'listenToHints'>,
    pollMs: () => number,
    clock: Pick<Clock, 'elapsedMs'>,
  ) {
    this.#store = store
    this.#pollMs = pollMs
    this.#clock = clock
    store.listenToHints(({ is }) => {
      if (is !== 'thought' && is !== 'missed') return
      this.#news += 1
      this.#noneAt = null
    })
  }

  /** A call may be lost with its connection: what was seen does not count for long. */
  async areOpen(): Promise<boolean> {
    if (this.#noneAt !== null && this.#clock.elapsedMs() - this.#noneAt < this.#pollMs()) return false
    const news = this.#news
    const areOpen = await this.#store.thoughts.areOpen()
    this.#noneAt = areOpen || news !== this.#news ? null : this.#clock.elapsedMs()
    return areOpen
  }
}

/** What this agent has in hand already, or the first that waits; null: nothing that it could begin now. */
export async function thoughtFor(world: World, id: AgentId): Promise<Thought | null> {
  return (await world.thoughtWatch.areOpen()) ? openThoughtFor(world, id) : null
}

/** The same where it is known that there is one. */
export async function openThoughtFor(world: World, id: AgentId): Promise<Thought | null> {
  const { store, budget, cooldowns } = world
  return pickThought({
    open: await store.thoughts.open(id, AHEAD, kindsFor(id)),
    resting: cooldowns.list().map(({ engine }) => engine),
    hold: heldBy(budget.hold(), isReviewer(id)),
  })
}
