import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Coins, change, coinValues, minus, plus, totalOf } from '../src/coins.ts'
import { VendingMachine } from '../src/machine.ts'

let state = 83
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

function drawBox(most: number): Map<number, number> {
  const box = new Map<number, number>()
  for (const value of coinValues) {
    const count = random(most + 1)
    if (count > 0) box.set(value, count)
  }
  return box
}

const counted = (coins: Coins) => coinValues.map((value) => coins.get(value) ?? 0)

// The least number of coins over all ways to take them.
function fewest(box: Coins, cents: number, from = 0): number {
  if (cents === 0) return 0
  const value = coinValues[from]
  if (value === undefined) return Number.POSITIVE_INFINITY
  let best = Number.POSITIVE_INFINITY
  for (let count = 0; count <= (box.get(value) ?? 0) && count * value <= cents; count += 1) {
    best = Math.min(best, count + fewest(box, cents - count * value, from + 1))
  }
  return best
}

describe('coins', () => {
  it('add up and come apart', () => {
    for (let round = 0; round < 200; round += 1) {
      const a = drawBox(4)
      const b = drawBox(4)
      const sum = plus(a, b)
      assert.equal(totalOf(sum), totalOf(a) + totalOf(b))
      assert.deepEqual(
        counted(sum),
        counted(a).map((count, index) => count + (counted(b)[index] ?? 0)),
      )
      assert.deepEqual(new Map([...minus(sum, b)].sort()), new Map([...a].sort()))
      const enough = counted(a).every((count, index) => count >= (counted(b)[index] ?? 0))
      if (!enough) assert.throws(() => minus(a, b), /not enough coins of \d+/)
      else assert.equal(totalOf(minus(a, b)), totalOf(a) - totalOf(b))
    }
    assert.deepEqual(minus(new Map([[5, 1]]), new Map([[5, 1]])), new Map())
  })

  it('give change with the fewest coins there are', () => {
    for (let round = 0; round < 300; round += 1) {
      const box = drawBox(3)
      const before = new Map(box)
      const cents = 5 * random(70)
      const found = change(box, cents)
      const least = fewest(box, cents)
      assert.deepEqual(box, before)
      if (!found) {
        assert.equal(least, Number.POSITIVE_INFINITY)
        continue
      }
      assert.equal(totalOf(found), cents)
      assert.equal(
        counted(found).reduce((sum, count) => sum + count, 0),
        least,
      )
      minus(box, found)
    }
    assert.equal(change(new Map([[5, 9]]), 3), undefined)
  })
})

const nothing: Coins = new Map()

// A plain account of what happened to a machine with the slots x and y.
class Account {
  readonly prices: Record<string, number> = { x: 5 * (random(30) + 1), y: 5 * (random(60) + 1) }
  readonly left: Record<string, number> = { x: random(3), y: random(4) }
  box: Coins = drawBox(3)
  inserted: Coins = nothing
  service = false
  turnover = 0

  machine(): VendingMachine {
    const product = (slot: string) => ({
      name: `${slot}!`,
      price: this.prices[slot] ?? 0,
      left: this.left[slot] ?? 0,
    })
    return new VendingMachine({ x: product('x'), y: product('y') }, this.box)
  }

  whyNot(slot: string): string | undefined {
    const due = totalOf(this.inserted) - (this.prices[slot] ?? 0)
    if (this.service) return 'service'
    if (slot === 'z') return 'unknown'
    if (this.left[slot] === 0) return 'sold_out'
    if (due < 0) return 'more_money'
    return fewest(plus(this.box, this.inserted), due) === Number.POSITIVE_INFINITY ? 'no_change' : undefined
  }
}

function insertCoin(vending: VendingMachine, account: Account): void {
  const value = [200, 100, 50, 20, 10, 5, 2, 500][random(8)] ?? 5
  const known = !account.service && value >= 5 && value <= 200
  assert.equal(vending.insert(value), known)
  if (known) account.inserted = plus(account.inserted, new Map([[value, 1]]))
}

function selectSlot(vending: VendingMachine, account: Account): void {
  const slot = ['x', 'y', 'z'][random(3)] ?? 'x'
  const price = account.prices[slot] ?? 0
  const why = account.whyNot(slot)
  const sale = vending.select(slot)
  assert.equal(sale.is === 'refused' ? sale.why : undefined, why)
  if (sale.is === 'refused') return
  assert.equal(sale.product, `${slot}!`)
  assert.equal(totalOf(sale.change), totalOf(account.inserted) - price)
  account.box = minus(plus(account.box, account.inserted), sale.change)
  account.inserted = nothing
  account.left[slot] = (account.left[slot] ?? 0) - 1
  account.turnover += price
}

function turnKey(vending: VendingMachine, account: Account): void {
  if (account.service) vending.endService()
  else assert.deepEqual(counted(vending.startService()), counted(account.inserted))
  account.inserted = nothing
  account.service = !account.service
}

function openDoor(vending: VendingMachine, account: Account): void {
  if (!account.service) return
  const count = random(3) + 1
  vending.refill('x', count)
  account.left.x = (account.left.x ?? 0) + count
  const stay = drawBox(4)
  const kept = coinValues.map(
    (value) => [value, Math.min(stay.get(value) ?? 0, account.box.get(value) ?? 0)] as const,
  )
  const taken = vending.empty(stay)
  assert.deepEqual(counted(taken), counted(minus(account.box, new Map(kept))))
  account.box = new Map(kept)
}

function takeBack(vending: VendingMachine, account: Account): void {
  assert.deepEqual(counted(vending.cancel()), counted(account.inserted))
  account.inserted = nothing
}

const acts = [
  insertCoin,
  insertCoin,
  insertCoin,
  insertCoin,
  selectSlot,
  selectSlot,
  turnKey,
  openDoor,
  takeBack,
]

describe('a machine', () => {
  it('agrees with a plain account of what happened', () => {
    for (let round = 0; round < 120; round += 1) {
      const account = new Account()
      const vending = account.machine()
      for (let step = 0; step < 40; step += 1) {
        acts[random(acts.length)]?.(vending, account)
        assert.equal(vending.credit, totalOf(account.inserted))
        assert.equal(vending.cash, totalOf(account.box))
        assert.equal(vending.turnover, account.turnover)
        const paying = totalOf(account.inserted) > 0 ? 'paying' : 'ready'
        assert.equal(vending.state, account.service ? 'service' : paying)
        const offered = vending.offers().map((line) => line.split(' ')[0])
        const full = ['x', 'y'].filter((slot) => (account.left[slot] ?? 0) > 0)
        assert.deepEqual(offered, full)
      }
    }
  })

  it('keeps its own shelf and box', () => {
    const tea = { name: 'tea', price: 105, left: 1 }
    const box = new Map([[5, 1]])
    const vending = new VendingMachine({ t: tea }, box)
    tea.left = 0
    box.clear()
    assert.equal(vending.cash, 5)
    assert.deepEqual(vending.offers(), ['t tea 1.05'])
    for (const coin of [100, 10]) vending.insert(coin)
    assert.deepEqual(vending.select('t'), { is: 'sold', product: 'tea', change: new Map([[5, 1]]) })
    assert.equal(tea.left, 0)
    assert.deepEqual(vending.offers(), [])
  })

  it('gives out no empty piles of coins', () => {
    const vending = new VendingMachine(
      {},
      new Map([
        [50, 2],
        [10, 1],
      ]),
    )
    vending.startService()
    assert.deepEqual(
      vending.empty(
        new Map([
          [50, 1],
          [20, 4],
          [10, 9],
          [5, 0],
        ]),
      ),
      new Map([[50, 1]]),
    )
    assert.deepEqual(
      vending.empty(),
      new Map([
        [50, 1],
        [10, 1],
      ]),
    )
    assert.deepEqual(vending.empty(), new Map())
    assert.deepEqual(vending.startService(), new Map())
  })

  it('offers in order and guards its doors', () => {
    const vending = new VendingMachine(
      {
        c: { name: 'c', price: 5, left: 1 },
        a: { name: 'a', price: 1000, left: 2 },
        b: { name: 'b', price: 50, left: 0 },
      },
      new Map(),
    )
    assert.deepEqual(vending.offers(), ['a a 10.00', 'c c 0.05'])
    assert.throws(() => vending.refill('a', 1), /only in service/)
    assert.throws(() => vending.empty(new Map()), /only in service/)
    vending.startService()
    assert.throws(() => vending.refill('q', 1), /there is no slot q/)
    assert.throws(() => vending.refill('a', -1), /a refill adds something/)
    assert.throws(() => vending.refill('a', 0), RangeError)
    vending.refill('b', 1)
    assert.deepEqual(vending.offers(), ['a a 10.00', 'b b 0.50', 'c c 0.05'])
    vending.endService()
    assert.throws(() => vending.refill('a', 1), /only in service/)
  })
})
