import { describe, expect, it } from 'vitest'
import { Bill } from '../src/bill.ts'
import { formatMoney, parseMoney } from '../src/money.ts'
import { splitByWeight, splitEvenly, withTip } from '../src/shares.ts'

let state = 11
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

const everybody = ['al', 'bo', 'cy', 'dy', 'ed']

function some(): string[] {
  const chosen = everybody.filter(() => random(2) === 0)
  return chosen.length > 0 ? chosen : ['cy']
}

describe('money', () => {
  it('comes back from text', () => {
    for (let round = 0; round < 300; round += 1) {
      const cents = random(10 ** (1 + random(8))) - random(500)
      const text = formatMoney(cents)
      expect(parseMoney(text.replaceAll(' ', ''))).toBe(cents)
      expect(text).toMatch(/^-?\d{1,3}( \d{3})*\.\d\d$/)
      expect(text.startsWith('-')).toBe(cents < 0)
    }
  })

  it('is read strictly', () => {
    expect(parseMoney('007.10')).toBe(710)
    expect(parseMoney('-0')).toBe(0)
    expect(Object.is(parseMoney('-0.00'), 0)).toBe(true)
    expect(parseMoney('1.05')).toBe(105)
    expect(parseMoney('1.5')).toBe(150)
    for (const text of ['-', '--1', '1.2.3', '1 000', '1e3', '+1', '1.-5', '12.345', 'a', '1.x']) {
      expect(() => parseMoney(text)).toThrow(`no amount: ${text}`)
    }
  })
})

// Hands out one cent after the other to whom the most is still due.
function slowSplit(cents: number, weights: Record<string, number>): Record<string, number> {
  const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0)
  const names = Object.keys(weights).sort()
  const shares = Object.fromEntries(
    names.map((name) => [name, Number((BigInt(cents) * BigInt(weights[name] ?? 0)) / BigInt(total))]),
  )
  const given = Object.values(shares).reduce((sum, share) => sum + share, 0)
  const restOf = (name: string) => (cents * (weights[name] ?? 0)) % total
  const taken = new Set<string>()
  for (let left = cents - given; left > 0; left -= 1) {
    let best: string | undefined
    for (const name of names) {
      if (!taken.has(name) && (best === undefined || restOf(name) > restOf(best))) best = name
    }
    if (best === undefined) throw new Error('nobody left')
    taken.add(best)
    shares[best] = (shares[best] ?? 0) + 1
  }
  return shares
}

describe('shares', () => {
  it('agree with a slow way and lose nothing', () => {
    for (let round = 0; round < 400; round += 1) {
      const weights = Object.fromEntries(some().map((name) => [name, random(8)]))
      const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0)
      const cents = random(3000)
      if (total === 0) {
        expect(() => splitByWeight(cents, weights)).toThrow('somebody must have a share')
        continue
      }
      const shares = splitByWeight(cents, weights)
      expect(Object.fromEntries(shares)).toEqual(slowSplit(cents, weights))
      expect([...shares.keys()]).toEqual(Object.keys(weights).sort())
      expect([...shares.values()].reduce((sum, share) => sum + share, 0)).toBe(cents)
    }
  })

  it('are even for all or nearly so', () => {
    for (let round = 0; round < 200; round += 1) {
      const people = some()
      const cents = random(500)
      const shares = [...splitEvenly(cents, people.toReversed()).values()]
      expect(shares).toHaveLength(people.length)
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1)
      expect(shares).toEqual(shares.toSorted((a, b) => b - a))
    }
    expect(() => splitEvenly(5, [])).toThrow(RangeError)
    expect(() => splitByWeight(5, { al: 2, bo: -1 })).toThrow('bo has a negative share')
  })

  it('grow by tips that are rounded half up', () => {
    for (let round = 0; round < 300; round += 1) {
      const cents = random(5000)
      const percent = random(40)
      const tip = withTip(cents, percent) - cents
      expect(Math.abs(tip * 100 - cents * percent)).toBeLessThanOrEqual(50)
      if ((cents * percent) % 100 === 50) expect(tip * 100).toBeGreaterThan(cents * percent)
    }
    expect(withTip(150, 1)).toBe(152)
    expect(() => withTip(1, -0.5)).toThrow('a tip is not negative')
  })
})

type Account = { paid: Record<string, number>; used: Record<string, number>; total: number }

function note(to: Record<string, number>, name: string, cents: number): void {
  to[name] = (to[name] ?? 0) + cents
}

// Does something to the bill and to the account.
function act(bill: Bill, account: Account): void {
  const cents = random(2000) + 1
  const payer = everybody[random(5)] ?? 'al'
  const kind = random(4)
  note(account.paid, payer, cents)
  if (kind === 3) {
    const to = everybody[random(5)] ?? 'al'
    bill.pay({ from: payer, to, cents })
    note(account.used, to, cents)
    return
  }
  const people = kind === 0 ? everybody : some()
  const weights = Object.fromEntries(people.map((name) => [name, kind === 2 ? random(4) + 1 : 1]))
  if (kind === 0) bill.add({ payer, cents })
  if (kind === 1) bill.add({ payer, cents, among: people })
  if (kind === 2) bill.add({ payer, cents, weights })
  account.total += cents
  for (const [name, share] of Object.entries(slowSplit(cents, weights))) note(account.used, name, share)
}

// Pays what the bill says, the largest debt to the largest claim each time.
function payAll(bill: Bill): void {
  const transfers = bill.settle()
  expect(bill.settle()).toEqual(transfers)
  expect(transfers.length).toBeLessThan(everybody.length)
  for (const { from, to, cents } of transfers) {
    expect(cents).toBeGreaterThan(0)
    const all = everybody.map((name) => bill.balanceOf(name))
    expect(bill.balanceOf(from)).toBe(Math.min(...all))
    expect(bill.balanceOf(to)).toBe(Math.max(...all))
    bill.pay({ from, to, cents })
  }
}

describe('a bill', () => {
  it('agrees with sums over a list', () => {
    for (let round = 0; round < 120; round += 1) {
      const bill = new Bill(everybody)
      const account: Account = { paid: {}, used: {}, total: 0 }
      for (let left = random(8); left > 0; left -= 1) act(bill, account)
      const { paid, used, total } = account
      expect(bill.total).toBe(total)
      const balances = everybody.map((name) => (paid[name] ?? 0) - (used[name] ?? 0))
      expect(everybody.map((name) => bill.balanceOf(name))).toEqual(balances)
      payAll(bill)
      expect(everybody.every((name) => bill.balanceOf(name) === 0)).toBe(true)
      expect(bill.total).toBe(total)
    }
  })

  it('does not change when the list of people does', () => {
    const people = ['al', 'bo']
    const bill = new Bill(people)
    people.push('cy')
    bill.add({ payer: 'al', cents: 100 })
    expect(bill.balanceOf('bo')).toBe(-50)
    expect(bill.summary()).toEqual(['al gets 0.50', 'bo owes 0.50'])
    expect(() => bill.balanceOf('cy')).toThrow('cy is not on the bill')
  })

  it('settles ties by name', () => {
    const orders = [
      ['al', 'bo', 'cy', 'dy'],
      ['dy', 'cy', 'bo', 'al'],
      ['bo', 'dy', 'al', 'cy'],
    ]
    for (const people of orders) {
      const bill = new Bill(people)
      bill.add({ payer: 'bo', cents: 100, among: ['cy'] })
      bill.add({ payer: 'al', cents: 100, among: ['dy'] })
      expect(bill.settle()).toEqual([
        { from: 'cy', to: 'bo', cents: 100 },
        { from: 'dy', to: 'al', cents: 100 },
      ])
    }
  })

  it('refuses what makes no sense', () => {
    const bill = new Bill(['al', 'bo'])
    expect(() => bill.add({ payer: 'al', cents: -5 })).toThrow('an expense is positive')
    expect(() => bill.add({ payer: 'al', cents: 5, weights: { al: 1, dy: 1 } })).toThrow('dy is not')
    expect(() => bill.add({ payer: 'al', cents: 5, weights: {} })).toThrow('somebody must have a share')
    expect(() => bill.pay({ from: 'al', to: 'dy', cents: 5 })).toThrow('dy is not on the bill')
    expect(() => bill.pay({ from: 'dy', to: 'al', cents: 5 })).toThrow('dy is not on the bill')
    expect(() => bill.pay({ from: 'al', to: 'bo', cents: -5 })).toThrow('a payment is positive')
    expect(bill.summary()).toEqual(['al is even', 'bo is even'])
    expect(bill.total).toBe(0)
  })
})
