import { describe, expect, it } from 'vitest'
import { CachedLoader } from '../src/loader.ts'
import { TtlCache } from '../src/ttl-cache.ts'

let state = 29
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve()
}

type Known = { key: string; value: number; ttl: number; end: number }

// A list in order of writing that is filtered for every question.
class SlowCache {
  list: Known[] = []
  private readonly max: number
  private readonly sliding: boolean

  constructor(max: number, sliding: boolean) {
    this.max = max
    this.sliding = sliding
  }

  alive(time: number): Known[] {
    return this.list.filter((one) => one.end > time)
  }

  set(time: number, one: Known): void {
    this.list = this.alive(time).filter((other) => other.key !== one.key)
    if (this.list.length >= this.max) {
      const soonest = Math.min(...this.list.map((other) => other.end))
      const first = this.list.find((other) => other.end === soonest)
      this.list = this.list.filter((other) => other !== first)
    }
    this.list.push(one)
  }

  get(time: number, key: string): number | undefined {
    const found = this.alive(time).find((one) => one.key === key)
    if (found && this.sliding) found.end = time + found.ttl
    return found?.value
  }
}

// Does something to both and compares the answers.
function act(cache: TtlCache<number>, slow: SlowCache, time: number, step: number): void {
  const key = `k${random(6)}`
  const what = random(6)
  if (what < 3) {
    const ttl = random(3) === 0 ? random(20) + 1 : undefined
    if (ttl === undefined) cache.set(key, step)
    else cache.set(key, step, ttl)
    slow.set(time, { key, value: step, ttl: ttl ?? 10, end: time + (ttl ?? 10) })
  } else if (what === 3) {
    expect(cache.delete(key)).toBe(slow.alive(time).some((one) => one.key === key))
    slow.list = slow.list.filter((one) => one.key !== key)
  } else {
    expect(cache.get(key)).toBe(slow.get(time, key))
  }
}

function compareAll(cache: TtlCache<number>, slow: SlowCache, time: number): void {
  const alive = slow.alive(time)
  for (let number = 0; number < 6; number += 1) {
    const found = alive.find((one) => one.key === `k${number}`)
    expect(cache.has(`k${number}`)).toBe(found !== undefined)
    expect(cache.remaining(`k${number}`)).toBe(found ? found.end - time : 0)
  }
  if (random(4) > 0) return
  expect(cache.size).toBe(alive.length)
  expect(cache.keys()).toEqual(alive.map((one) => one.key))
}

describe('TtlCache', () => {
  it('agrees with a list', () => {
    for (let round = 0; round < 150; round += 1) {
      let time = 0
      const sliding = random(2) === 0
      const maxEntries = random(2) === 0 ? random(4) + 1 : 99
      const cache = new TtlCache<number>({ ttlMs: 10, maxEntries, sliding, now: () => time })
      const slow = new SlowCache(maxEntries, sliding)
      for (let step = 0; step < 40; step += 1) {
        time += random(4)
        act(cache, slow, time, step)
        compareAll(cache, slow, time)
      }
    }
  })

  it('tells how many were dropped', () => {
    let time = 0
    const cache = new TtlCache<number>({ ttlMs: 5, now: () => time })
    for (let number = 0; number < 7; number += 1) cache.set(`k${number}`, number, number + 1)
    time = 3
    expect(cache.prune()).toBe(3)
    expect(cache.prune()).toBe(0)
    expect(cache.keys()).toEqual(['k3', 'k4', 'k5', 'k6'])
    expect(() => new TtlCache({ ttlMs: -1, now: () => 0 })).toThrow('a value must live for a while')
  })

  it('keeps its own options', () => {
    let time = 0
    const options = { ttlMs: 5, sliding: false, now: () => time }
    const cache = new TtlCache<number>(options)
    options.ttlMs = 500
    options.sliding = true
    cache.set('a', 1)
    time = 4
    expect(cache.get('a')).toBe(1)
    time = 5
    expect(cache.get('a')).toBeUndefined()
  })
})

type Times = { staleMs: number; failureTtlMs: number }

// What a loader answers, told from when things happened.
class SlowLoader {
  readonly stats = { hits: 0, loads: 0, failures: 0, stale: 0 }
  private loaded = { at: Number.NEGATIVE_INFINITY, value: '' }
  private failedAt = Number.NEGATIVE_INFINITY
  private version = 0
  private readonly times: Times

  constructor(times: Times) {
    this.times = times
  }

  get(time: number, up: boolean): string {
    const failedLately = time < this.failedAt + this.times.failureTtlMs
    if (!failedLately && time < this.loaded.at + 10) {
      this.stats.hits += 1
      return this.loaded.value
    }
    if (!failedLately) {
      this.stats.loads += 1
      if (up) return this.keep(time)
      this.stats.failures += 1
      this.failedAt = time
    }
    if (time >= this.loaded.at + 10 + this.times.staleMs) return `down ${this.failedAt}`
    this.stats.stale += 1
    return this.loaded.value
  }

  private keep(at: number): string {
    this.version += 1
    this.loaded = { at, value: `k${this.version}` }
    return this.loaded.value
  }
}

describe('CachedLoader', () => {
  it('random questions: values, failures and old values', async () => {
    for (let round = 0; round < 80; round += 1) {
      let time = 0
      let up = true
      let version = 0
      const times = { staleMs: random(3) * 5, failureTtlMs: random(3) * 3 }
      const load = async (key: string) => {
        await turns(random(3))
        if (!up) throw new Error(`down ${time}`)
        version += 1
        return `${key}${version}`
      }
      const loader = new CachedLoader<string>(load, { ttlMs: 10, ...times, now: () => time })
      const slow = new SlowLoader(times)
      for (let step = 0; step < 30; step += 1) {
        time += random(6)
        up = random(3) > 0
        const answer = await loader.get('k').catch((error: Error) => error.message)
        expect(answer).toBe(slow.get(time, up))
        expect(loader.stats).toEqual(slow.stats)
      }
    }
  })

  it('shares loads that fail, and starts anew after them', async () => {
    let calls = 0
    const loader = new CachedLoader<number>(
      async () => {
        calls += 1
        await turns(3)
        if (calls === 1) throw new Error('first')
        return calls
      },
      { ttlMs: 10, now: () => 0 },
    )
    const both = await Promise.allSettled([loader.get('k'), loader.get('k')])
    expect(both.map((one) => one.status)).toEqual(['rejected', 'rejected'])
    expect(await Promise.all([loader.get('k'), loader.get('k'), loader.get('k')])).toEqual([2, 2, 2])
    expect(loader.stats).toEqual({ hits: 0, loads: 2, failures: 1, stale: 0 })
    expect(await loader.get('k')).toBe(2)
    expect(loader.stats.hits).toBe(1)
  })

  it('counts the life of a value from the end of its load', async () => {
    let time = 0
    const loader = new CachedLoader<number>(
      async () => {
        time += 30
        return time
      },
      { ttlMs: 10, now: () => time },
    )
    expect(await loader.get('k')).toBe(30)
    time = 39
    expect(await loader.get('k')).toBe(30)
    time = 40
    expect(await loader.get('k')).toBe(70)
  })

  it('gives many, in order and without repeating', async () => {
    const asked: string[] = []
    const loader = new CachedLoader<string>(
      async (key) => {
        asked.push(key)
        await turns(key.length)
        if (key === 'bad') throw new Error('no')
        return key.toUpperCase()
      },
      { ttlMs: 10, now: () => 0 },
    )
    expect([...(await loader.getAll(['ccc', 'a', 'ccc', 'bb', 'a']))]).toEqual([
      ['ccc', 'CCC'],
      ['a', 'A'],
      ['bb', 'BB'],
    ])
    expect(asked).toEqual(['ccc', 'a', 'bb'])
    expect(await loader.getAll([])).toEqual(new Map())
    await expect(loader.getAll(['a', 'bad'])).rejects.toThrow('no')
  })

  it('forgets all it knew, and takes what it is given', async () => {
    let time = 0
    let up = true
    const loader = new CachedLoader<string>(
      async () => {
        if (!up) throw new Error('down')
        return 'loaded'
      },
      { ttlMs: 10, staleMs: 90, now: () => time },
    )
    loader.prime('j', 'primed')
    loader.forget('j')
    expect(await loader.get('j')).toBe('loaded')
    loader.prime('k', 'primed')
    up = false
    expect(await loader.get('k')).toBe('primed')
    time = 10
    expect(await loader.get('k')).toBe('primed')
    time = 99
    expect(await loader.get('k')).toBe('primed')
    loader.forget('k')
    await expect(loader.get('k')).rejects.toThrow('down')
    up = true
    expect(await loader.get('k')).toBe('loaded')
    const { stats } = loader
    stats.hits = 1000
    expect(loader.stats).toEqual({ hits: 1, loads: 5, failures: 3, stale: 2 })
  })
})
