import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Coins, change, minus, plus, totalOf } from '../src/coins.ts'
import { VendingMachine } from '../src/machine.ts'

const coins = (counts: Record<number, number>): Coins =>
  new Map(Object.entries(counts).map(([value, count]) => [Number(value), count]))

function machine(box: Coins = coins({ 50: 2, 20: 2, 10: 2 })): VendingMachine {
  return new VendingMachine(
    {
      b1: { name: 'water', price: 80, left: 5 },
      a1: { name: 'crisps', price: 150, left: 1 },
      a2: { name: 'gum', price: 45, left: 0 },
    },
    box,
  )
}

describe('coins', () => {
  it('have a total', () => {
    assert.equal(totalOf(coins({ 200: 1, 20: 3, 5: 1 })), 265)
    assert.equal(totalOf(new Map()), 0)
  })

  it('are added and taken away', () => {
    const purse = coins({ 50: 1, 10: 2 })
    assert.deepEqual(plus(purse, coins({ 10: 1, 5: 1 })), coins({ 50: 1, 10: 3, 5: 1 }))
    assert.deepEqual(minus(purse, coins({ 50: 1, 10: 1 })), coins({ 10: 1 }))
    assert.throws(() => minus(purse, coins({ 50: 2 })), /not enough coins of 50/)
    assert.deepEqual(purse, coins({ 50: 1, 10: 2 }))
  })

  it('give change with few coins', () => {
    const box = coins({ 200: 1, 100: 3, 50: 3, 20: 3, 10: 3, 5: 3 })
    assert.deepEqual(change(box, 185), coins({ 100: 1, 50: 1, 20: 1, 10: 1, 5: 1 }))
    assert.deepEqual(change(box, 0), new Map())
  })

  it('give change with what is there', () => {
    assert.deepEqual(change(coins({ 50: 1, 20: 3 }), 60), coins({ 20: 3 }))
    assert.deepEqual(change(coins({ 100: 1, 10: 9 }), 90), coins({ 10: 9 }))
    assert.equal(change(coins({ 100: 1, 10: 8 }), 90), undefined)
    assert.equal(change(coins({ 20: 5 }), 45), undefined)
  })
})

describe('a machine', () => {
  it('knows what state it is in', () => {
    const vending = machine()
    assert.equal(vending.state, 'ready')
    vending.insert(50)
    assert.equal(vending.state, 'paying')
    vending.cancel()
    assert.equal(vending.state, 'ready')
    vending.startService()
    assert.equal(vending.state, 'service')
    vending.endService()
    assert.equal(vending.state, 'ready')
  })

  it('takes coins that it knows', () => {
    const vending = machine()
    assert.equal(vending.insert(100), true)
    assert.equal(vending.insert(5), true)
    assert.equal(vending.insert(25), false)
    assert.equal(vending.credit, 105)
    vending.startService()
    assert.equal(vending.insert(100), false)
  })

  it('sells and gives change', () => {
    const vending = machine()
    vending.insert(100)
    assert.deepEqual(vending.select('b1'), { is: 'sold', product: 'water', change: coins({ 20: 1 }) })
    assert.equal(vending.credit, 0)
    assert.equal(vending.cash, 240)
    assert.equal(vending.turnover, 80)
    assert.equal(vending.state, 'ready')
  })

  it('takes the exact price', () => {
    const vending = machine(new Map())
    for (const coin of [50, 20, 10]) vending.insert(coin)
    assert.deepEqual(vending.select('b1'), { is: 'sold', product: 'water', change: new Map() })
    assert.equal(vending.cash, 80)
  })

  it('may use the inserted coins for the change', () => {
    const vending = machine(new Map())
    for (const coin of [50, 20, 20, 20]) vending.insert(coin)
    assert.deepEqual(vending.select('b1'), { is: 'refused', why: 'no_change' })
    assert.equal(vending.credit, 110)
    vending.insert(10)
    assert.deepEqual(vending.select('b1'), { is: 'sold', product: 'water', change: coins({ 20: 2 }) })
  })

  it('refuses with a reason and keeps the money', () => {
    const vending = machine()
    vending.insert(50)
    assert.deepEqual(vending.select('b1'), { is: 'refused', why: 'more_money' })
    assert.deepEqual(vending.select('a2'), { is: 'refused', why: 'sold_out' })
    assert.deepEqual(vending.select('z9'), { is: 'refused', why: 'unknown' })
    assert.equal(vending.credit, 50)
    assert.equal(vending.turnover, 0)
  })

  it('runs out of products', () => {
    const vending = machine()
    for (const coin of [100, 50, 200]) vending.insert(coin)
    assert.equal(vending.select('a1').is, 'sold')
    vending.insert(200)
    assert.deepEqual(vending.select('a1'), { is: 'refused', why: 'sold_out' })
    assert.deepEqual(vending.offers(), ['b1 water 0.80'])
  })

  it('gives back the coins that were inserted', () => {
    const vending = machine()
    for (const coin of [20, 20, 50]) vending.insert(coin)
    assert.deepEqual(vending.cancel(), coins({ 20: 2, 50: 1 }))
    assert.deepEqual(vending.cancel(), new Map())
    assert.equal(vending.cash, 160)
  })

  it('sells nothing in service and gives the money back before', () => {
    const vending = machine()
    vending.insert(200)
    assert.deepEqual(vending.startService(), coins({ 200: 1 }))
    assert.equal(vending.credit, 0)
    assert.deepEqual(vending.select('b1'), { is: 'refused', why: 'service' })
  })

  it('is refilled in service only', () => {
    const vending = machine()
    assert.throws(() => vending.refill('a2', 3), /only in service/)
    vending.startService()
    vending.refill('a2', 3)
    assert.throws(() => vending.refill('z9', 1), /there is no slot z9/)
    assert.throws(() => vending.refill('a2', 0), RangeError)
    assert.deepEqual(vending.offers(), ['a1 crisps 1.50', 'a2 gum 0.45', 'b1 water 0.80'])
  })

  it('is emptied in service only', () => {
    const vending = machine()
    assert.throws(() => vending.empty(), /only in service/)
    vending.startService()
    assert.deepEqual(vending.empty(coins({ 20: 5, 10: 1, 5: 3 })), coins({ 50: 2, 10: 1 }))
    assert.equal(vending.cash, 50)
    assert.deepEqual(vending.empty(), coins({ 20: 2, 10: 1 }))
    assert.equal(vending.cash, 0)
  })
})
