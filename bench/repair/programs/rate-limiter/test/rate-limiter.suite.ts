import { describe, expect, it } from 'vitest'
import { SlidingWindow } from '../src/sliding-window.ts'
import { TokenBucket } from '../src/token-bucket.ts'

describe('the bucket', () => {
  it('gives what it holds, then refuses', () => {
    const bucket = new TokenBucket({ capacity: 3, perSecond: 1 })
    expect([1, 2, 3, 4].map(() => bucket.take('a', 0))).toEqual([true, true, true, false])
    expect(bucket.take('b', 0)).toBe(true)
  })

  it('fills with time, up to its capacity', () => {
    const bucket = new TokenBucket({ capacity: 4, perSecond: 2 })
    expect(bucket.take('a', 0, 4)).toBe(true)
    expect(bucket.remaining('a', 500)).toBe(1)
    expect(bucket.remaining('a', 1400)).toBe(2)
    expect(bucket.remaining('a', 60_000)).toBe(4)
  })

  it('says how long to wait', () => {
    const bucket = new TokenBucket({ capacity: 10, perSecond: 4 })
    bucket.take('a', 0, 10)
    expect(bucket.waitFor('a', 0)).toBe(250)
    expect(bucket.waitFor('a', 0, 10)).toBe(2500)
    expect(bucket.waitFor('a', 250)).toBe(0)
    expect(bucket.waitFor('a', 0, 11)).toBe(Number.POSITIVE_INFINITY)
  })

  it('does not mind a clock that goes back', () => {
    const bucket = new TokenBucket({ capacity: 2, perSecond: 1 })
    bucket.take('a', 5000, 2)
    expect(bucket.remaining('a', 1000)).toBe(0)
    expect(bucket.remaining('a', 6000)).toBe(1)
  })

  it('forgets full buckets', () => {
    const bucket = new TokenBucket({ capacity: 2, perSecond: 1 })
    bucket.take('a', 0)
    bucket.take('b', 0, 2)
    expect(bucket.sweep(1000)).toBe(1)
    expect(bucket.sweep(2000)).toBe(1)
    expect(() => new TokenBucket({ capacity: 1, perSecond: 0 })).toThrow(RangeError)
  })
})

describe('the window', () => {
  it('limits the hits in any window', () => {
    const window = new SlidingWindow(2, 100)
    expect([0, 10, 20, 99, 100, 105, 110].map((now) => window.hit('a', now))).toEqual([
      true,
      true,
      false,
      false,
      true,
      false,
      true,
    ])
  })

  it('says when the next hit passes', () => {
    const window = new SlidingWindow(2, 100)
    window.hit('a', 5)
    expect(window.nextAt('a', 6)).toBe(6)
    window.hit('a', 30)
    expect(window.nextAt('a', 40)).toBe(105)
  })

  it('knows the busiest key', () => {
    const window = new SlidingWindow(5, 100)
    expect(window.busiest(0)).toBeNull()
    window.hit('a', 0)
    window.hit('b', 50)
    window.hit('b', 60)
    window.hit('c', 70)
    expect(window.busiest(80)).toBe('b')
  })
})
