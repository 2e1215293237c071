import { describe, expect, it } from 'vitest'
import { Bill } from '../src/bill.ts'
import { formatMoney, parseMoney } from '../src/money.ts'
import { splitByWeight, splitEvenly, withTip } from '../src/shares.ts'

describe('money', () => {
  it('is read from text', () => {
    expect(parseMoney('12.34')).toBe(1234)
    expect(parseMoney(' 7 ')).toBe(700)
    expect(parseMoney('0.5')).toBe(50)
    expect(parseMoney('-3.05')).toBe(-305)
  })

  it('is refused in other forms', () => {
    for (const text of ['', '1,50', '1.234', '.5', '1.', 'x1']) {
      expect(() => parseMoney(text)).toThrow(SyntaxError)
    }
  })

  it('is written with two digits and groups', () => {
    expect(formatMoney(5)).toBe('0.05')
    expect(formatMoney(-120)).toBe('-1.20')
    expect(formatMoney(123456789)).toBe('1 234 567.89')
    expect(formatMoney(99900)).toBe('999.00')
  })
})

describe('shares', () => {
  it('are even where they can be', () => {
    expect([...splitEvenly(900, ['bo', 'al', 'cy'])]).toEqual([
      ['al', 300],
      ['bo', 300],
      ['cy', 300],
    ])
  })

  it('give what is left to the first names', () => {
    expect([...splitEvenly(1001, ['cy', 'bo', 'al']).values()]).toEqual([334, 334, 333])
  })

  it('follow the weights', () => {
    expect(Object.fromEntries(splitByWeight(1000, { al: 1, bo: 3 }))).toEqual({ al: 250, bo: 750 })
    expect(Object.fromEntries(splitByWeight(100, { al: 1, bo: 2, cy: 0 }))).toEqual({ al: 33, bo: 67, cy: 0 })
  })

  it('give what is left to the largest remainder', () => {
    expect(Object.fromEntries(splitByWeight(10, { al: 5, bo: 9, cy: 6 }))).toEqual({ al: 3, bo: 4, cy: 3 })
    expect(Object.fromEntries(splitByWeight(5, { al: 1, bo: 6 }))).toEqual({ al: 1, bo: 4 })
  })

  it('need somebody', () => {
    expect(() => splitByWeight(10, {})).toThrow('somebody must have a share')
    expect(() => splitByWeight(10, { al: 0 })).toThrow(RangeError)
    expect(() => splitByWeight(10, { al: -1, bo: 3 })).toThrow('al has a negative share')
  })

  it('grow by a tip', () => {
    expect(withTip(1000, 10)).toBe(1100)
    expect(withTip(333, 15)).toBe(383)
    expect(withTip(50, 1)).toBe(51)
    expect(withTip(49, 1)).toBe(49)
    expect(() => withTip(100, -1)).toThrow(RangeError)
    expect(withTip(100, 0)).toBe(100)
  })
})

describe('a bill', () => {
  it('starts even', () => {
    const bill = new Bill(['al', 'bo'])
    expect(bill.settle()).toEqual([])
    expect(bill.summary()).toEqual(['al is even', 'bo is even'])
    expect(() => new Bill(['al', 'al'])).toThrow('two people have one name')
  })

  it('divides an expense among all', () => {
    const bill = new Bill(['al', 'bo', 'cy'])
    bill.add({ payer: 'al', cents: 900 })
    expect([bill.balanceOf('al'), bill.balanceOf('bo'), bill.balanceOf('cy')]).toEqual([600, -300, -300])
    expect(bill.total).toBe(900)
  })

  it('divides an expense among some, also without the payer', () => {
    const bill = new Bill(['al', 'bo', 'cy'])
    bill.add({ payer: 'al', cents: 500, among: ['bo', 'cy'] })
    bill.add({ payer: 'bo', cents: 100, weights: { al: 3, bo: 1 } })
    expect([bill.balanceOf('al'), bill.balanceOf('bo'), bill.balanceOf('cy')]).toEqual([425, -175, -250])
    expect(bill.total).toBe(600)
  })

  it('refuses strangers and leaves everything as it was', () => {
    const bill = new Bill(['al', 'bo'])
    expect(() => bill.add({ payer: 'al', cents: 10, among: ['al', 'dy'] })).toThrow('dy is not on the bill')
    expect(() => bill.add({ payer: 'dy', cents: 10 })).toThrow('dy is not on the bill')
    expect(() => bill.add({ payer: 'al', cents: 0 })).toThrow(RangeError)
    expect(() => bill.balanceOf('dy')).toThrow('dy is not on the bill')
    expect(bill.total).toBe(0)
    expect(bill.balanceOf('al')).toBe(0)
  })

  it('counts payments', () => {
    const bill = new Bill(['al', 'bo'])
    bill.add({ payer: 'al', cents: 400 })
    bill.pay({ from: 'bo', to: 'al', cents: 150 })
    expect(bill.balanceOf('bo')).toBe(-50)
    expect(bill.balanceOf('al')).toBe(50)
    expect(() => bill.pay({ from: 'bo', to: 'al', cents: 0 })).toThrow(RangeError)
  })

  it('settles with the largest first', () => {
    const bill = new Bill(['al', 'bo', 'cy', 'dy'])
    bill.add({ payer: 'al', cents: 1000, among: ['bo', 'cy'] })
    bill.add({ payer: 'dy', cents: 200, among: ['cy'] })
    expect(bill.settle()).toEqual([
      { from: 'cy', to: 'al', cents: 700 },
      { from: 'bo', to: 'al', cents: 300 },
      { from: 'bo', to: 'dy', cents: 200 },
    ])
    expect(bill.balanceOf('cy')).toBe(-700)
  })

  it('sums up in words', () => {
    const bill = new Bill(['bo', 'al', 'cy'])
    bill.add({ payer: 'al', cents: 250000, among: ['bo'] })
    expect(bill.summary()).toEqual(['bo owes 2 500.00', 'al gets 2 500.00', 'cy is even'])
  })
})
