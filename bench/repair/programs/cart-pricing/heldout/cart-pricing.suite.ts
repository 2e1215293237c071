import { describe, expect, it } from 'vitest'
import { Cart } from '../src/cart.ts'
import { bestDiscount, type Discount, discountOf, type Line, lineTotal, subtotal } from '../src/discounts.ts'
import { percentOf, roundCents } from '../src/rounding.ts'

let state = 67
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

describe('rounding', () => {
  it('by tenths of cents', () => {
    for (let tenths = -60; tenths <= 60; tenths += 1) {
      const whole = Math.trunc(tenths / 10)
      const rest = Math.abs(tenths % 10)
      const expected = rest >= 5 ? whole + Math.sign(tenths) : whole
      expect(roundCents(tenths / 10) + 0).toBe(expected + 0)
    }
    expect(percentOf(1000, 7.5)).toBe(75)
    expect(percentOf(10, 25)).toBe(3)
    expect(percentOf(-10, 25)).toBe(-3)
    expect(percentOf(0, 20)).toBe(0)
    expect(percentOf(105, 50)).toBe(53)
  })
})

function randomLines(): Line[] {
  return ['a', 'b', 'c'].slice(0, random(4)).map((sku, index) => ({
    sku,
    category: index === 1 ? 'y' : 'x',
    unitCents: (random(40) + 1) * 50,
    quantity: random(7) + 1,
  }))
}

// Puts single items in a row and pays for them one by one.
function slowFree(line: Line, buy: number, free: number): number {
  let off = 0
  for (let item = 0; item < line.quantity; item += 1) {
    if (item % (buy + free) >= buy) off += line.unitCents
  }
  return off
}

describe('discounts', () => {
  it('of random carts', () => {
    for (let round = 0; round < 300; round += 1) {
      const lines = randomLines()
      const sum = lines.reduce((total, line) => total + line.unitCents * line.quantity, 0)
      expect(subtotal(lines)).toBe(sum)
      const [first] = lines
      if (first) expect(lineTotal(first)).toBe(first.unitCents * first.quantity)
      const minimumCents = random(4) * 1000
      const percent = random(10) * 10
      const inY = lines
        .filter((line) => line.category === 'y')
        .reduce((total, line) => total + lineTotal(line), 0)
      const cents = random(3000)
      const buy = random(3) + 1
      const free = random(3) + 1
      const offFree = lines
        .filter((line) => line.sku === 'a')
        .reduce((all, line) => all + slowFree(line, buy, free), 0)
      const reached = sum >= minimumCents
      const cases: [Discount, number][] = [
        [{ is: 'percent', percent, minimumCents }, reached ? (sum * percent) / 100 : 0],
        [{ is: 'percent', percent, category: 'y' }, (inY * percent) / 100],
        [{ is: 'amount', cents, minimumCents }, reached ? Math.min(cents, sum) : 0],
        [{ is: 'amount', cents }, Math.min(cents, sum)],
        [{ is: 'buy_get', sku: 'a', buy, free }, offFree],
      ]
      for (const [discount, expected] of cases) expect(discountOf(discount, lines)).toBe(expected)
      const best = Math.max(...cases.map(([, expected]) => expected))
      const discounts = cases.map(([discount]) => discount)
      expect(bestDiscount(discounts, lines)).toBe(best)
    }
    expect(discountOf({ is: 'amount', cents: 10, minimumCents: 1000 }, randomLines().slice(0, 0))).toBe(0)
  })
})

describe('the cart', () => {
  it('quotes random carts', () => {
    for (let round = 0; round < 200; round += 1) {
      const lines = randomLines()
      const cart = new Cart()
      for (const line of lines) cart.add(line)
      for (const line of lines) cart.add({ ...line, quantity: 1 })
      const grown = lines.map((line) => ({ ...line, quantity: line.quantity + 1 }))
      expect(cart.count()).toBe(grown.reduce((sum, line) => sum + line.quantity, 0))
      const cents = random(2000)
      cart.apply({ is: 'amount', cents }).apply({ is: 'percent', percent: 10 })
      const goods = grown.reduce((sum, line) => sum + line.unitCents * line.quantity, 0)
      const discount = Math.max(Math.min(cents, goods), goods / 10)
      const left = goods - discount
      const rules = { taxPercent: 20, shippingCents: 500, freeShippingFrom: random(100) * 50 }
      const shipping = left >= rules.freeShippingFrom || goods === 0 ? 0 : 500
      const tax = Math.floor((left + shipping) * 0.2 + 0.5 + 1e-6)
      expect(cart.quote(rules)).toEqual({
        subtotal: goods,
        discount,
        shipping,
        tax,
        total: left + shipping + tax,
      })
    }
  })

  it('has standard rules', () => {
    const line = { sku: 's', category: 'c', unitCents: 4999, quantity: 1 }
    expect(new Cart().add(line).quote()).toEqual({
      subtotal: 4999,
      discount: 0,
      shipping: 490,
      tax: 1098,
      total: 6587,
    })
    const full = new Cart().add({ ...line, unitCents: 5000 })
    expect(full.quote()).toEqual({ subtotal: 5000, discount: 0, shipping: 0, tax: 1000, total: 6000 })
    expect(full.quote({ shippingCents: 100, freeShippingFrom: 9000 }).total).toBe(6120)
    expect(new Cart().quote()).toEqual({ subtotal: 0, discount: 0, shipping: 0, tax: 0, total: 0 })
  })

  it('takes items out', () => {
    const line = { sku: 's', category: 'c', unitCents: 100, quantity: 3 }
    const other = { ...line, sku: 't', quantity: 2 }
    const cart = () => new Cart().add(line).add(other)
    expect(cart().remove('s', 2).quote().subtotal).toBe(300)
    expect(cart().remove('s', 3).quote().subtotal).toBe(200)
    expect(cart().remove('s', 9).count()).toBe(2)
    expect(cart().remove('t').count()).toBe(3)
    expect(cart().remove('zzz').count()).toBe(5)
    expect(cart().remove('s').remove('t').quote().shipping).toBe(0)
    expect(line.quantity).toBe(3)
    for (const quantity of [0, -1]) expect(() => cart().add({ ...line, quantity })).toThrow(RangeError)
  })
})
