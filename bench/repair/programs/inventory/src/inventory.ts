import { available, type Item, toReorder } from './stock.ts'

export type Line = { sku: string; quantity: number }
export type Outcome = { is: 'reserved'; order: string } | { is: 'short'; missing: Line[] }

export class Inventory {
  private readonly items = new Map<string, Item>()
  private readonly orders = new Map<string, Line[]>()

  add(sku: string, onHand: number, reorderAt = 0, reorderTo = 0): void {
    if (this.items.has(sku)) throw new RangeError(`${sku} is already known`)
    this.items.set(sku, { sku, onHand, reserved: 0, reorderAt, reorderTo })
  }

  get(sku: string): Item {
    const item = this.items.get(sku)
    if (!item) throw new RangeError(`no item ${sku}`)
    return item
  }

  receive(sku: string, quantity: number): void {
    if (quantity <= 0) throw new RangeError('a quantity must be positive')
    this.get(sku).onHand += quantity
  }

  // All lines or none.
  reserve(order: string, lines: readonly Line[]): Outcome {
    if (this.orders.has(order)) throw new RangeError(`order ${order} exists`)
    const wanted = combine(lines)
    const missing: Line[] = []
    for (const { sku, quantity } of wanted) {
      const free = available(this.get(sku))
      if (free < quantity) missing.push({ sku, quantity: quantity - free })
    }
    if (missing.length > 0) return { is: 'short', missing }
    for (const line of wanted) this.get(line.sku).reserved += line.quantity
    this.orders.set(order, wanted)
    return { is: 'reserved', order }
  }

  ship(order: string): void {
    for (const { sku, quantity } of this.take(order)) {
      const item = this.get(sku)
      item.onHand -= quantity
      item.reserved -= quantity
    }
  }

  cancel(order: string): void {
    for (const { sku, quantity } of this.take(order)) this.get(sku).reserved -= quantity
  }

  shoppingList(): Line[] {
    return [...this.items.values()]
      .map((item) => ({ sku: item.sku, quantity: toReorder(item) }))
      .filter((line) => line.quantity > 0)
      .sort((a, b) => b.quantity - a.quantity || a.sku.localeCompare(b.sku))
  }

  private take(order: string): Line[] {
    const lines = this.orders.get(order)
    if (!lines) throw new RangeError(`no order ${order}`)
    this.orders.delete(order)
    return lines
  }
}

// The same item twice in an order counts as one line.
function combine(lines: readonly Line[]): Line[] {
  const bySku = new Map<string, number>()
  for (const { sku, quantity } of lines) bySku.set(sku, (bySku.get(sku) ?? 0) + quantity)
  return [...bySku].map(([sku, quantity]) => ({ sku, quantity }))
}
