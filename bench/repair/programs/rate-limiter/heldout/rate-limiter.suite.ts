import { describe, expect, it } from 'vitest'
import { SlidingWindow } from '../src/sliding-window.ts'
import { TokenBucket } from '../src/token-bucket.ts'

let state = 19
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

describe('the bucket', () => {
  it('agrees with exact books in quarter tokens', () => {
    for (const [capacity, perSecond] of [
      [5, 4],
      [1, 2],
      [20, 8],
    ] as const) {
      const bucket = new TokenBucket({ capacity, perSecond })
      const tokens = new Map<string, number>()
      let now = 0
      for (let round = 0; round < 400; round += 1) {
        const step = random(4) * 125
        now += step
        for (const [key, held] of tokens)
          tokens.set(key, Math.min(capacity, held + (step * perSecond) / 1000))
        const key = `k${random(3)}`
        const cost = random(4) + 1
        const held = tokens.get(key) ?? capacity
        const wait = Math.max(0, Math.ceil(((cost - held) / perSecond) * 1000))
        expect(bucket.remaining(key, now)).toBe(Math.floor(held))
        if (cost <= capacity) expect(bucket.waitFor(key, now, cost) + 0).toBe(wait + 0)
        else expect(bucket.waitFor(key, now, cost)).toBe(Number.POSITIVE_INFINITY)
        expect(bucket.take(key, now, cost)).toBe(held >= cost)
        tokens.set(key, held - Number(held >= cost) * cost)
      }
    }
  })

  it('sweeps only the full ones', () => {
    const bucket = new TokenBucket({ capacity: 4, perSecond: 1 })
    for (const [key, cost] of [
      ['a', 1],
      ['b', 2],
      ['c', 3],
      ['d', 2],
    ] as const) {
      bucket.take(key, 0, cost)
    }
    expect(bucket.sweep(999)).toBe(0)
    expect(bucket.sweep(1000)).toBe(1)
    expect(bucket.sweep(2500)).toBe(2)
    expect(bucket.sweep(2600)).toBe(0)
    expect(bucket.remaining('c', 2600)).toBe(3)
    expect(bucket.sweep(10_000)).toBe(1)
  })

  it('takes one by default, refuses bad options and ignores a clock that goes back', () => {
    for (const options of [
      { capacity: 0, perSecond: 1 },
      { capacity: 1, perSecond: 0 },
      { capacity: -1, perSecond: 1 },
      { capacity: 1, perSecond: -1 },
    ]) {
      expect(() => new TokenBucket(options)).toThrow(RangeError)
    }
    const bucket = new TokenBucket({ capacity: 3, perSecond: 1 })
    expect(bucket.take('a', 10_000)).toBe(true)
    expect(bucket.remaining('a', 9000)).toBe(2)
    expect(bucket.remaining('a', 10_500)).toBe(2)
    expect(bucket.waitFor('a', 10_500, 3)).toBe(500)
    expect(bucket.remaining('a', 11_000)).toBe(3)
    expect(bucket.take('a', 11_000, 4)).toBe(false)
    expect(bucket.remaining('a', 11_000)).toBe(3)
  })
})

describe('the window', () => {
  it('agrees with a plain list of hits', () => {
    for (const limit of [1, 3, 6]) {
      const window = new SlidingWindow(limit, 50)
      const passed: [string, number][] = []
      let now = 0
      for (let round = 0; round < 500; round += 1) {
        now += random(15)
        const key = `k${random(3)}`
        const recent = passed.filter(([, time]) => now - time < 50)
        const counts = ['k0', 'k1', 'k2'].map((one) => recent.filter(([name]) => name === one).length)
        const mine = recent.filter(([name]) => name === key)
        const busiest = window.busiest(now)
        expect(counts[Number(busiest?.slice(1) ?? counts.indexOf(0))]).toBe(Math.max(...counts))
        expect(window.nextAt(key, now)).toBe(mine.length < limit ? now : (mine[0]?.[1] ?? 0) + 50)
        expect(window.hit(key, now)).toBe(mine.length < limit)
        if (mine.length < limit) passed.push([key, now])
      }
    }
  })

  it('lets nothing through at a limit of zero', () => {
    const window = new SlidingWindow(0, 10)
    expect(window.hit('a', 0)).toBe(false)
    expect(window.nextAt('a', 3)).toBe(3)
  })
})
