// What was shown and can be confirmed: each for a minute and once.
import { CONFIRM_MS, type Ticket } from '@treadle/flow/supervise/orders/confirm'

/** More than this at once is nobody's honest use; the oldest goes. */
const TICKETS_MAX = 1_000

export class Confirmations {
  readonly #tickets = new Map<string, Ticket>()

  issue(token: string, shown: { order: string; impact: string }, now: number): Date {
    const expiresAt = now + CONFIRM_MS
    for (const [old, ticket] of this.#tickets)
      if (now >= ticket.expiresAt || this.#tickets.size >= TICKETS_MAX) this.#tickets.delete(old)
    this.#tickets.set(token, { ...shown, expiresAt })
    return new Date(expiresAt)
  }

  /** Used up by being asked for, whatever comes of it. */
  take(token: string | undefined): Ticket | null {
    const ticket = token === undefined ? undefined : this.#tickets.get(token)
    if (token !== undefined) this.#tickets.delete(token)
    return ticket ?? null
  }
}
