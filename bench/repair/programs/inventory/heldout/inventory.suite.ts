import { describe, expect, it } from 'vitest'
import { Inventory } from '../src/inventory.ts'
import { available, toReorder, value } from '../src/stock.ts'

let state = 13
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

describe('stock', () => {
  it('is reordered by a table', () => {
    const table: [number, number, number, number, number, number][] = [
      // onHand, reserved, reorderAt, reorderTo, onOrder, expected
      [10, 0, 10, 20, 0, 10],
      [11, 0, 10, 20, 0, 0],
      [10, 5, 10, 20, 0, 15],
      [10, 5, 10, 20, 5, 10],
      [10, 5, 10, 20, 6, 0],
      [0, 0, 0, 7, 0, 7],
      [0, 0, 0, 0, 0, 0],
      [5, 0, 8, 3, 0, 0],
      [5, 9, 0, 10, 0, 14],
    ]
    for (const [onHand, reserved, reorderAt, reorderTo, onOrder, expected] of table) {
      const item = { sku: 's', onHand, reserved, reorderAt, reorderTo }
      expect(toReorder(item, onOrder)).toBe(expected)
      expect(available(item)).toBe(onHand - reserved)
    }
  })

  it('has a value that knows prices of zero and none', () => {
    const item = { sku: 'a', onHand: 3, reserved: 3, reorderAt: 0, reorderTo: 0 }
    const prices = new Map([
      ['a', 2],
      ['b', 0],
    ])
    const items = [item, { ...item, sku: 'b' }, { ...item, sku: 'c' }, { ...item, onHand: 10 }]
    expect(value(items, prices)).toBe(26)
    expect(value([], prices)).toBe(0)
  })
})

describe('random trade', () => {
  it('keeps to independent books', () => {
    const skus = ['a', 'b', 'c']
    const inventory = new Inventory()
    const hand = new Map<string, number>()
    const orders = new Map<string, Map<string, number>>()
    for (const sku of skus) {
      inventory.add(sku, 20)
      hand.set(sku, 20)
    }
    const held = (sku: string) => [...orders.values()].reduce((sum, lines) => sum + (lines.get(sku) ?? 0), 0)
    const free = (sku: string) => (hand.get(sku) ?? 0) - held(sku)

    const tryReserve = (order: string) => {
      const lines = Array.from({ length: random(4) + 1 }, () => ({
        sku: skus[random(3)] ?? 'a',
        quantity: random(6) + 1,
      }))
      const wanted = new Map<string, number>()
      for (const line of lines) wanted.set(line.sku, (wanted.get(line.sku) ?? 0) + line.quantity)
      const missing = [...wanted]
        .filter(([sku, quantity]) => quantity > free(sku))
        .map(([sku, quantity]) => ({ sku, quantity: quantity - free(sku) }))
      const outcome = inventory.reserve(order, lines)
      if (missing.length > 0) {
        expect(outcome).toEqual({ is: 'short', missing })
        return
      }
      expect(outcome).toEqual({ is: 'reserved', order })
      orders.set(order, wanted)
    }

    const close = (order: string, shipped: boolean) => {
      const end = () => (shipped ? inventory.ship(order) : inventory.cancel(order))
      const lines = orders.get(order)
      if (!lines) {
        expect(end).toThrow(`no order ${order}`)
        return
      }
      end()
      orders.delete(order)
      const sign = shipped ? 1 : 0
      for (const [sku, quantity] of lines) hand.set(sku, (hand.get(sku) ?? 0) - sign * quantity)
    }

    for (let round = 0; round < 500; round += 1) {
      const order = `o${random(6)}`
      const action = random(5)
      const sku = skus[random(3)] ?? 'a'
      if (action < 2 && !orders.has(order)) tryReserve(order)
      else if (action < 4) close(order, action === 3)
      else {
        inventory.receive(sku, 2)
        hand.set(sku, (hand.get(sku) ?? 0) + 2)
      }
      expect(skus.map((one) => inventory.get(one))).toMatchObject(
        skus.map((one) => ({ onHand: hand.get(one), reserved: held(one) })),
      )
    }
  })

  it('refuses what makes no sense', () => {
    const inventory = new Inventory()
    inventory.add('a', 5)
    expect(() => inventory.add('a', 5)).toThrow('a is already known')
    expect(() => inventory.get('z')).toThrow('no item z')
    expect(() => inventory.reserve('o', [{ sku: 'z', quantity: 1 }])).toThrow('no item z')
    expect(() => inventory.receive('a', -1)).toThrow(RangeError)
    expect(() => inventory.receive('a', 0)).toThrow(RangeError)
    inventory.reserve('o', [])
    expect(() => inventory.reserve('o', [])).toThrow('order o exists')
  })

  it('lists by amount, then by name', () => {
    const inventory = new Inventory()
    inventory.add('d', 5, 5, 9)
    inventory.add('b', 1, 2, 5)
    inventory.add('c', 6, 5, 90)
    inventory.add('a', 0, 0, 20)
    inventory.add('e', 9, 9, 9)
    expect(inventory.shoppingList()).toEqual([
      { sku: 'a', quantity: 20 },
      { sku: 'b', quantity: 4 },
      { sku: 'd', quantity: 4 },
    ])
  })
})
