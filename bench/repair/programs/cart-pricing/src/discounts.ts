import { percentOf } from './rounding.ts'

export type Line = { sku: string; category: string; unitCents: number; quantity: number }
export type Discount =
  | { is: 'percent'; percent: number; category?: string; minimumCents?: number }
  | { is: 'amount'; cents: number; minimumCents?: number }
  | { is: 'buy_get'; sku: string; buy: number; free: number }

export function lineTotal(line: Line): number {
  return line.unitCents * line.quantity
}

export function subtotal(lines: readonly Line[]): number {
  return lines.reduce((sum, line) => sum + lineTotal(line), 0)
}

// What this discount takes off the whole cart.
export function discountOf(discount: Discount, lines: readonly Line[]): number {
  if (discount.is === 'buy_get') return freeItems(discount, lines)
  if (subtotal(lines) < (discount.minimumCents ?? 0)) return 0
  if (discount.is === 'amount') return Math.min(discount.cents, subtotal(lines))
  const matching = lines.filter((line) => !discount.category || line.category === discount.category)
  return percentOf(subtotal(matching), discount.percent)
}

// Of each group of bought and free ones the free ones cost nothing.
function freeItems(discount: { sku: string; buy: number; free: number }, lines: readonly Line[]): number {
  return lines
    .filter((line) => line.sku === discount.sku)
    .reduce((sum, line) => {
      const group = discount.buy + discount.free
      const full = Math.floor(line.quantity / group) * discount.free
      const rest = Math.max(0, (line.quantity % group) - discount.buy)
      return sum + (full + rest) * line.unitCents
    }, 0)
}

// Codes cannot be combined, so the customer gets the best one.
export function bestDiscount(discounts: readonly Discount[], lines: readonly Line[]): number {
  return Math.max(0, ...discounts.map((discount) => discountOf(discount, lines)))
}
