import { isFinal, type Move, nextState, type State } from './machine.ts'

export type Event = { at: number; move: Move; from: State; to: State }
export type Result = { is: 'moved'; order: Order } | { is: 'refused'; because: string }

const returnDays = 30
const day = 24

// Times are hours. An order is never changed; a move makes a new one.
export class Order {
  readonly id: string
  readonly state: State
  readonly events: readonly Event[]

  constructor(id: string, state: State = 'draft', events: readonly Event[] = []) {
    this.id = id
    this.state = state
    this.events = events
  }

  apply(move: Move, at: number): Result {
    const to = nextState(this.state, move)
    if (!to) return { is: 'refused', because: `${this.state} orders cannot ${move}` }
    const last = this.events.at(-1)
    if (last && at < last.at) return { is: 'refused', because: 'time goes forward' }
    if (move === 'return' && last && at - last.at > returnDays * day) {
      return { is: 'refused', because: 'too late to return' }
    }
    const event: Event = { at, move, from: this.state, to }
    return { is: 'moved', order: new Order(this.id, to, [...this.events, event]) }
  }

  get open(): boolean {
    return !isFinal(this.state) && this.state !== 'delivered'
  }

  // Hours spent in each state so far; the last one runs until now.
  durations(now: number): Map<State, number> {
    const spent = new Map<State, number>()
    for (const [index, event] of this.events.entries()) {
      const until = this.events[index + 1]?.at ?? now
      spent.set(event.to, (spent.get(event.to) ?? 0) + until - event.at)
    }
    return spent
  }

  static replay(id: string, steps: readonly { move: Move; at: number }[]): Order {
    let order = new Order(id)
    for (const { move, at } of steps) {
      const result = order.apply(move, at)
      if (result.is === 'refused') throw new Error(`${id}: ${result.because}`)
      order = result.order
    }
    return order
  }
}

// Open orders that have waited in their state longer than allowed, the longest first.
export function overdue(
  orders: readonly Order[],
  now: number,
  allowed: Partial<Record<State, number>>,
): string[] {
  const late: { id: string; by: number }[] = []
  for (const order of orders) {
    const limit = allowed[order.state]
    const since = order.events.at(-1)?.at
    if (!order.open || limit === undefined || since === undefined) continue
    const by = now - since - limit
    if (by > 0) late.push({ id: order.id, by })
  }
  return late.sort((a, b) => b.by - a.by).map((one) => one.id)
}
