import { type Coins, change, coinValues, minus, plus, totalOf } from './coins.ts'

export type State = 'ready' | 'paying' | 'service'
export type Product = { name: string; price: number; left: number }
export type Sale =
  | { is: 'sold'; product: string; change: Coins }
  | { is: 'refused'; why: 'unknown' | 'sold_out' | 'more_money' | 'no_change' | 'service' }

const none: Coins = new Map()

// Takes coins, gives products and change. In service it sells nothing and may be opened.
export class VendingMachine {
  private readonly shelf = new Map<string, Product>()
  private box: Coins
  private inserted: Coins = none
  private inService = false
  private soldCents = 0

  constructor(products: Readonly<Record<string, Product>>, box: Coins) {
    for (const [slot, product] of Object.entries(products)) this.shelf.set(slot, { ...product })
    this.box = new Map(box)
  }

  get state(): State {
    if (this.inService) return 'service'
    return totalOf(this.inserted) > 0 ? 'paying' : 'ready'
  }

  get credit(): number {
    return totalOf(this.inserted)
  }

  get cash(): number {
    return totalOf(this.box)
  }

  get turnover(): number {
    return this.soldCents
  }

  // A coin that it does not know, or that comes in service, falls through.
  insert(value: number): boolean {
    if (this.inService || !coinValues.includes(value)) return false
    this.inserted = plus(this.inserted, new Map([[value, 1]]))
    return true
  }

  // What was inserted belongs to the buyer until the sale, but may be used for the change.
  select(slot: string): Sale {
    if (this.inService) return { is: 'refused', why: 'service' }
    const product = this.shelf.get(slot)
    if (!product) return { is: 'refused', why: 'unknown' }
    if (product.left === 0) return { is: 'refused', why: 'sold_out' }
    const due = this.credit - product.price
    if (due < 0) return { is: 'refused', why: 'more_money' }
    const all = plus(this.box, this.inserted)
    const back = change(all, due)
    if (!back) return { is: 'refused', why: 'no_change' }
    this.box = minus(all, back)
    this.inserted = none
    product.left -= 1
    this.soldCents += product.price
    return { is: 'sold', product: product.name, change: back }
  }

  // Gives back the very coins that were inserted.
  cancel(): Coins {
    const back = this.inserted
    this.inserted = none
    return back
  }

  startService(): Coins {
    const back = this.cancel()
    this.inService = true
    return back
  }

  endService(): void {
    this.inService = false
  }

  refill(slot: string, count: number): void {
    this.mustBeInService()
    const product = this.shelf.get(slot)
    if (!product) throw new Error(`there is no slot ${slot}`)
    if (count <= 0) throw new RangeError('a refill adds something')
    product.left += count
  }

  // Takes all but what is to stay, as far as it is there, and tells what was taken.
  empty(stay: Coins = none): Coins {
    this.mustBeInService()
    const kept = new Map<number, number>()
    for (const [value, count] of stay) {
      const there = Math.min(count, this.box.get(value) ?? 0)
      if (there > 0) kept.set(value, there)
    }
    const taken = minus(this.box, kept)
    this.box = kept
    return taken
  }

  offers(): string[] {
    return [...this.shelf]
      .filter(([, { left }]) => left > 0)
      .map(([slot, { name, price }]) => `${slot} ${name} ${(price / 100).toFixed(2)}`)
      .sort()
  }

  private mustBeInService(): void {
    if (!this.inService) throw new Error('only in service')
  }
}
