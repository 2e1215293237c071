import { bestDiscount, type Discount, type Line, subtotal } from './discounts.ts'
import { percentOf } from './rounding.ts'

export type Rules = { taxPercent: number; shippingCents: number; freeShippingFrom: number }
export type Quote = { subtotal: number; discount: number; shipping: number; tax: number; total: number }

const standard: Rules = { taxPercent: 20, shippingCents: 490, freeShippingFrom: 5000 }

export class Cart {
  private readonly lines: Line[] = []
  private readonly discounts: Discount[] = []

  add(line: Line): this {
    if (line.quantity < 1) throw new RangeError('at least one item')
    const known = this.lines.find((one) => one.sku === line.sku)
    if (known) known.quantity += line.quantity
    else this.lines.push({ ...line })
    return this
  }

  remove(sku: string, quantity = Number.POSITIVE_INFINITY): this {
    const index = this.lines.findIndex((line) => line.sku === sku)
    const line = this.lines[index]
    if (!line) return this
    line.quantity -= quantity
    if (line.quantity <= 0) this.lines.splice(index, 1)
    return this
  }

  apply(discount: Discount): this {
    this.discounts.push(discount)
    return this
  }

  count(): number {
    return this.lines.reduce((sum, line) => sum + line.quantity, 0)
  }

  // Shipping depends on what is left to pay, and tax is on goods and shipping.
  quote(rules: Partial<Rules> = {}): Quote {
    const { taxPercent, shippingCents, freeShippingFrom } = { ...standard, ...rules }
    const goods = subtotal(this.lines)
    const discount = bestDiscount(this.discounts, this.lines)
    const reduced = goods - discount
    const free = this.lines.length === 0 || reduced >= freeShippingFrom
    const shipping = free ? 0 : shippingCents
    const tax = percentOf(reduced + shipping, taxPercent)
    return { subtotal: goods, discount, shipping, tax, total: reduced + shipping + tax }
  }
}
