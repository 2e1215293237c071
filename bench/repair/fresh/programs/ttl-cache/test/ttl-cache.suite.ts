import { describe, expect, it } from 'vitest'
import { CachedLoader } from '../src/loader.ts'
import { TtlCache } from '../src/ttl-cache.ts'

function clock() {
  let time = 0
  return {
    now: () => time,
    pass: (ms: number) => {
      time += ms
    },
  }
}

describe('TtlCache', () => {
  it('forgets after its time', () => {
    const { now, pass } = clock()
    const cache = new TtlCache<string>({ ttlMs: 100, now })
    cache.set('a', 'x')
    pass(99)
    expect(cache.get('a')).toBe('x')
    pass(1)
    expect(cache.get('a')).toBeUndefined()
  })

  it('takes a time for each value', () => {
    const { now, pass } = clock()
    const cache = new TtlCache<number>({ ttlMs: 100, now })
    cache.set('long', 1, 500)
    cache.set('short', 2, 10)
    pass(50)
    expect(cache.get('long')).toBe(1)
    expect(cache.get('short')).toBeUndefined()
  })

  it('counts only what lives', () => {
    const { now, pass } = clock()
    const cache = new TtlCache<number>({ ttlMs: 100, now })
    cache.set('a', 1)
    pass(60)
    cache.set('b', 2)
    expect(cache.size).toBe(2)
    pass(60)
    expect(cache.size).toBe(1)
    expect(cache.keys()).toEqual(['b'])
  })

  it('starts anew on each read when it slides', () => {
    const { now, pass } = clock()
    const cache = new TtlCache<number>({ ttlMs: 100, sliding: true, now })
    cache.set('a', 1)
    pass(80)
    expect(cache.get('a')).toBe(1)
    pass(80)
    expect(cache.has('a')).toBe(true)
    expect(cache.remaining('a')).toBe(20)
    pass(20)
    expect(cache.has('a')).toBe(false)
  })

  it('does not slide unless it is told to', () => {
    const { now, pass } = clock()
    const cache = new TtlCache<number>({ ttlMs: 100, now })
    cache.set('a', 1)
    pass(80)
    cache.get('a')
    expect(cache.remaining('a')).toBe(20)
    pass(80)
    expect(cache.remaining('a')).toBe(0)
  })

  it('drops the one that expires first when it is full', () => {
    const { now } = clock()
    const cache = new TtlCache<number>({ ttlMs: 100, maxEntries: 2, now })
    cache.set('a', 1)
    cache.set('b', 2, 50)
    cache.set('c', 3)
    expect(cache.keys()).toEqual(['a', 'c'])
    cache.set('c', 4)
    expect(cache.keys()).toEqual(['a', 'c'])
    expect(cache.get('c')).toBe(4)
  })

  it('drops what has expired rather than what lives', () => {
    const { now, pass } = clock()
    const cache = new TtlCache<number>({ ttlMs: 100, maxEntries: 3, now })
    cache.set('a', 1, 10)
    cache.set('b', 2, 20)
    cache.set('c', 3, 40)
    pass(30)
    cache.set('d', 4)
    expect(cache.keys()).toEqual(['c', 'd'])
  })

  it('deletes and prunes', () => {
    const { now, pass } = clock()
    const cache = new TtlCache<number>({ ttlMs: 100, now })
    cache.set('a', 1)
    cache.set('b', 2)
    cache.set('c', 3, 200)
    expect(cache.delete('a')).toBe(true)
    expect(cache.delete('a')).toBe(false)
    pass(150)
    expect(cache.delete('b')).toBe(false)
    expect(cache.prune()).toBe(0)
    pass(50)
    expect(cache.prune()).toBe(1)
  })

  it('refuses a life of no length', () => {
    expect(() => new TtlCache({ ttlMs: 0, now: () => 0 })).toThrow(RangeError)
  })
})

describe('CachedLoader', () => {
  it('loads once while the value lives', async () => {
    const { now, pass } = clock()
    let loads = 0
    const loader = new CachedLoader(async (key) => `${key}${++loads}`, { ttlMs: 100, now })
    expect(await loader.get('k')).toBe('k1')
    pass(50)
    expect(await loader.get('k')).toBe('k1')
    pass(50)
    expect(await loader.get('k')).toBe('k2')
    expect(loader.stats).toEqual({ hits: 1, loads: 2, failures: 0, stale: 0 })
  })

  it('shares a running load', async () => {
    const { now } = clock()
    const loader = new CachedLoader(async (key) => key.toUpperCase(), { ttlMs: 100, now })
    expect(await Promise.all([loader.get('a'), loader.get('a'), loader.get('b')])).toEqual(['A', 'A', 'B'])
    expect(loader.stats.loads).toBe(2)
  })

  it('tries again after a failure', async () => {
    const { now } = clock()
    let calls = 0
    const loader = new CachedLoader(
      async () => {
        calls += 1
        if (calls === 1) throw new Error('down')
        return calls
      },
      { ttlMs: 100, now },
    )
    await expect(loader.get('k')).rejects.toThrow('down')
    expect(await loader.get('k')).toBe(2)
    expect(loader.stats).toEqual({ hits: 0, loads: 2, failures: 1, stale: 0 })
  })

  it('remembers failures for a while', async () => {
    const { now, pass } = clock()
    let calls = 0
    const loader = new CachedLoader<number>(
      async () => {
        calls += 1
        throw new Error(`down ${calls}`)
      },
      { ttlMs: 100, failureTtlMs: 20, now },
    )
    await expect(loader.get('k')).rejects.toThrow('down 1')
    pass(19)
    await expect(loader.get('k')).rejects.toThrow('down 1')
    pass(1)
    await expect(loader.get('k')).rejects.toThrow('down 2')
  })

  it('lets an old value stand in', async () => {
    const { now, pass } = clock()
    let up = true
    const loader = new CachedLoader(
      async (key) => {
        if (!up) throw new Error('down')
        return key
      },
      { ttlMs: 100, staleMs: 50, now },
    )
    await loader.get('k')
    up = false
    pass(120)
    expect(await loader.get('k')).toBe('k')
    pass(30)
    await expect(loader.get('k')).rejects.toThrow('down')
    expect(loader.stats).toEqual({ hits: 0, loads: 3, failures: 2, stale: 1 })
  })

  it('gives many at once', async () => {
    const { now } = clock()
    const loader = new CachedLoader(async (key) => key.length, { ttlMs: 100, now })
    expect([...(await loader.getAll(['aa', 'b', 'aa']))]).toEqual([
      ['aa', 2],
      ['b', 1],
    ])
    expect(loader.stats.loads).toBe(2)
  })

  it('can be primed and can forget', async () => {
    const { now } = clock()
    const loader = new CachedLoader(async () => 'loaded', { ttlMs: 100, staleMs: 100, now })
    loader.prime('k', 'primed')
    expect(await loader.get('k')).toBe('primed')
    loader.forget('k')
    expect(await loader.get('k')).toBe('loaded')
  })

  it('gives its numbers away as a copy', async () => {
    const loader = new CachedLoader(async () => 1, { ttlMs: 100, now: () => 0 })
    const before = loader.stats
    await loader.get('k')
    expect(before.loads).toBe(0)
  })
})
