import { describe, expect, it } from 'vitest'
import { Inventory } from '../src/inventory.ts'
import { available, toReorder, value } from '../src/stock.ts'

function shop(): Inventory {
  const inventory = new Inventory()
  inventory.add('bolt', 100, 20, 120)
  inventory.add('nut', 10, 10, 50)
  return inventory
}

describe('stock', () => {
  const item = { sku: 'x', onHand: 12, reserved: 4, reorderAt: 8, reorderTo: 30 }

  it('what is reserved is not available', () => {
    expect(available(item)).toBe(8)
  })

  it('is ordered at the level, not above', () => {
    expect(toReorder(item)).toBe(22)
    expect(toReorder({ ...item, reserved: 3 })).toBe(0)
    expect(toReorder(item, 5)).toBe(0)
  })

  it('has a value', () => {
    expect(value([item, { ...item, sku: 'free' }], new Map([['x', 2.5]]))).toBe(30)
  })
})

describe('orders', () => {
  it('reserve and ship', () => {
    const inventory = shop()
    expect(inventory.reserve('o1', [{ sku: 'bolt', quantity: 30 }])).toEqual({ is: 'reserved', order: 'o1' })
    expect(available(inventory.get('bolt'))).toBe(70)
    inventory.ship('o1')
    expect(inventory.get('bolt')).toMatchObject({ onHand: 70, reserved: 0 })
    expect(() => inventory.ship('o1')).toThrow('no order o1')
  })

  it('reserve all or nothing', () => {
    const inventory = shop()
    const lines = [
      { sku: 'bolt', quantity: 5 },
      { sku: 'nut', quantity: 11 },
    ]
    expect(inventory.reserve('o1', lines)).toEqual({ is: 'short', missing: [{ sku: 'nut', quantity: 1 }] })
    expect(inventory.get('bolt').reserved).toBe(0)
    expect(inventory.reserve('o1', [{ sku: 'nut', quantity: 10 }]).is).toBe('reserved')
  })

  it('count the same item once', () => {
    const line = { sku: 'nut', quantity: 6 }
    expect(shop().reserve('o1', [line, line])).toEqual({
      is: 'short',
      missing: [{ sku: 'nut', quantity: 2 }],
    })
  })

  it('can be cancelled', () => {
    const inventory = shop()
    inventory.reserve('o1', [{ sku: 'nut', quantity: 4 }])
    expect(() => inventory.reserve('o1', [])).toThrow('order o1 exists')
    inventory.cancel('o1')
    expect(inventory.get('nut')).toMatchObject({ onHand: 10, reserved: 0 })
  })
})

describe('supply', () => {
  it('lists what to order, most first', () => {
    const inventory = shop()
    inventory.reserve('o1', [{ sku: 'bolt', quantity: 85 }])
    expect(inventory.shoppingList()).toEqual([
      { sku: 'bolt', quantity: 105 },
      { sku: 'nut', quantity: 40 },
    ])
    inventory.receive('nut', 40)
    expect(inventory.shoppingList()).toEqual([{ sku: 'bolt', quantity: 105 }])
    expect(() => inventory.receive('nut', 0)).toThrow(RangeError)
    expect(() => inventory.add('nut', 1)).toThrow('already known')
  })
})
