import { describe, expect, it } from 'vitest'
import { Cart } from '../src/cart.ts'
import { bestDiscount, discountOf, type Line } from '../src/discounts.ts'
import { percentOf, roundCents } from '../src/rounding.ts'

const pen: Line = { sku: 'pen', category: 'paper', unitCents: 150, quantity: 4 }
const lamp: Line = { sku: 'lamp', category: 'home', unitCents: 2499, quantity: 1 }

describe('rounding', () => {
  it('goes away from zero at a half', () => {
    expect(roundCents(2.5)).toBe(3)
    expect(roundCents(-2.5)).toBe(-3)
    expect(roundCents(2.4)).toBe(2)
    expect(percentOf(999, 15)).toBe(150)
  })
})

describe('discounts', () => {
  it('by percent, of all or of a category', () => {
    expect(discountOf({ is: 'percent', percent: 10 }, [pen, lamp])).toBe(310)
    expect(discountOf({ is: 'percent', percent: 10, category: 'paper' }, [pen, lamp])).toBe(60)
  })

  it('by amount, from a minimum, never more than the cart', () => {
    expect(discountOf({ is: 'amount', cents: 500, minimumCents: 600 }, [pen])).toBe(500)
    expect(discountOf({ is: 'amount', cents: 500, minimumCents: 601 }, [pen])).toBe(0)
    expect(discountOf({ is: 'amount', cents: 5000 }, [pen])).toBe(600)
  })

  it('free items', () => {
    const offer = { is: 'buy_get', sku: 'pen', buy: 2, free: 1 } as const
    expect(discountOf(offer, [pen])).toBe(150)
    expect(discountOf(offer, [{ ...pen, quantity: 6 }, lamp])).toBe(300)
    expect(discountOf({ ...offer, buy: 2, free: 2 }, [{ ...pen, quantity: 3 }])).toBe(150)
  })

  it('the best one counts', () => {
    const codes = [
      { is: 'percent', percent: 50 },
      { is: 'amount', cents: 200 },
    ] as const
    expect(bestDiscount(codes, [pen])).toBe(300)
    expect(bestDiscount([], [pen])).toBe(0)
  })
})

describe('the cart', () => {
  it('joins equal items and leaves the line alone', () => {
    const cart = new Cart()
      .add(pen)
      .add({ ...pen, quantity: 2 })
      .add(lamp)
    expect(cart.count()).toBe(7)
    expect(pen.quantity).toBe(4)
    expect(() => cart.add({ ...pen, quantity: 0 })).toThrow(RangeError)
  })

  it('takes items out', () => {
    const cart = new Cart().add(pen).add(lamp)
    expect(cart.remove('pen', 1).count()).toBe(4)
    expect(cart.remove('pen').remove('nothing').count()).toBe(1)
  })

  it('quotes with shipping and tax', () => {
    expect(new Cart().add(pen).quote()).toEqual({
      subtotal: 600,
      discount: 0,
      shipping: 490,
      tax: 218,
      total: 1308,
    })
    expect(new Cart().add({ ...lamp, quantity: 3 }).quote({ taxPercent: 10 })).toEqual({
      subtotal: 7497,
      discount: 0,
      shipping: 0,
      tax: 750,
      total: 8247,
    })
  })

  it('quotes after discounts', () => {
    const cart = new Cart().add({ ...lamp, unitCents: 5500 }).apply({ is: 'amount', cents: 501 })
    expect(cart.quote()).toEqual({ subtotal: 5500, discount: 501, shipping: 490, tax: 1098, total: 6587 })
    expect(cart.quote({ freeShippingFrom: 4999 }).shipping).toBe(0)
    expect(new Cart().quote().total).toBe(0)
  })
})
