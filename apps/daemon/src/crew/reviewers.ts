// The reviewer beside a crew at work, and those who help it while more is delivered than one can read.
import type { Config } from '@treadle/contracts/config'
import type { AgentId } from '@treadle/contracts/ids'
import { REVIEW_AGENT, REVIEWERS_MAX, reviewerName } from '@treadle/contracts/review'
import type { AgentRow } from '@treadle/flow/ports/agents'
import type { Store } from '@treadle/flow/ports/store'
import { reviewersFor } from '@treadle/flow/review/staff'
import { reviewerIn } from '@treadle/flow/work/approval'

export interface ReviewersDeps {
  readonly store: Pick<Store, 'agents' | 'reviews'>
  readonly config: () => Config
  isElsewhere(row: AgentRow): boolean
  /** Is anybody at work whose deliveries would be read? */
  works(): Promise<boolean>
  order(id: AgentId, order: 'start' | 'stop'): Promise<void>
}

/** As many open reviews are looked at as could ever make a difference. */
const OPEN_MAX = 10_000

export class Reviewers {
  readonly #deps: ReviewersDeps
  /** Whether a reviewer was wanted when the settings were last looked at. */
  #wanted = false
  /** Helpers that were called; one that a person stopped is not called again for the same crowd. */
  readonly #called = new Set<AgentId>()

  constructor(deps: ReviewersDeps) {
    this.#deps = deps
  }

  /** Who stopped or paused one is not overruled, unless the settings, or the crowd, have changed since. */
  async follow(): Promise<void> {
    const { config, store, order, isElsewhere, works } = this.#deps
    const rows = new Map((await store.agents.list()).map((one) => [one.id, one]))
    const row = rows.get(REVIEW_AGENT) ?? null
    const isWanted = (await works()) && reviewerIn(config()).is === 'engine'
    if (row === null || !isElsewhere(row)) {
      const changed = isWanted !== this.#wanted
      this.#wanted = isWanted
      const stopped = row === null || row.wanted === 'stopped'
      if (isWanted && changed && stopped) await order(REVIEW_AGENT, 'start')
      if (!isWanted && !stopped) await order(REVIEW_AGENT, 'stop')
    }
    await this.#staff(rows, isWanted ? await this.#needed() : 0)
  }

  async #needed(): Promise<number> {
    const { store, config } = this.#deps
    const { reviewers: reviewersMax, waitingPerReviewer } = config().review
    if (reviewersMax === 1) return 1
    const waiting = await store.reviews.queue({ waitsFor: 'reviewer', limit: OPEN_MAX })
    const read = await store.reviews.list({ status: 'in_review', limit: OPEN_MAX })
    return reviewersFor({ open: waiting.length + read.length, reviewersMax, waitingPerReviewer })
  }

  async #staff(rows: ReadonlyMap<AgentId, AgentRow>, needed: number): Promise<void> {
    const { order, isElsewhere } = this.#deps
    for (let nth = 2; nth <= REVIEWERS_MAX; nth += 1) {
      const id = reviewerName(nth)
      const row = rows.get(id) ?? null
      if (row !== null && isElsewhere(row)) continue
      const stopped = row === null || row.wanted === 'stopped'
      if (nth <= needed) {
        if (stopped && !this.#called.has(id)) await order(id, 'start')
        this.#called.add(id)
        continue
      }
      this.#called.delete(id)
      // What is being read is read to its end.
      if (!stopped && row.status !== 'reviewing') await order(id, 'stop')
    }
  }
}
