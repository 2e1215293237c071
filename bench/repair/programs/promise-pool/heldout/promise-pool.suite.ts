import { describe, expect, it } from 'vitest'
import { mapPool, runPool, Shared } from '../src/promise-pool.ts'

let state = 71
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve()
}

describe('runPool', () => {
  it('random tasks: order, bound, failures, progress', async () => {
    for (let round = 0; round < 60; round += 1) {
      const size = random(5) + 1
      const waits = Array.from({ length: random(12) }, () => random(12))
      let running = 0
      let most = 0
      const order: number[] = []
      const progress: [number, number][] = []
      const tasks = waits.map((wait, index) => async () => {
        order.push(index)
        running += 1
        most = Math.max(most, running)
        await turns(wait)
        running -= 1
        if (wait % 4 === 3) throw new Error(`w${wait}`)
        return index * 2
      })
      const results = await runPool(tasks, {
        size,
        onProgress: (done, total) => progress.push([done, total]),
      })
      expect(results).toEqual(
        waits.map((wait, index) =>
          wait % 4 === 3 ? { is: 'failed', reason: `w${wait}` } : { is: 'done', value: index * 2 },
        ),
      )
      expect(order).toEqual(waits.map((_, index) => index))
      expect(most).toBe(Math.min(size, waits.length))
      expect(running).toBe(0)
      expect(progress).toEqual(waits.map((_, index) => [index + 1, waits.length]))
    }
  })

  it('stops, but lets what runs come to its end', async () => {
    const log: string[] = []
    const make = (name: string, wait: number, fails: boolean) => async () => {
      await turns(wait)
      log.push(name)
      if (fails) throw new Error(name)
      return name
    }
    const tasks = [
      make('slow', 30, false),
      make('bad', 1, true),
      make('never', 1, false),
      make('nor this', 1, false),
    ]
    expect(await runPool(tasks, { size: 2, stopOnFailure: true })).toEqual([
      { is: 'done', value: 'slow' },
      { is: 'failed', reason: 'bad' },
      { is: 'skipped' },
      { is: 'skipped' },
    ])
    expect(log).toEqual(['bad', 'slow'])
    log.length = 0
    const all = await runPool(tasks, { size: 2, stopOnFailure: false })
    expect(all.filter((result) => result.is === 'done')).toHaveLength(3)
  })

  it('takes odd failures and refuses odd sizes', async () => {
    expect(await runPool([() => Promise.reject('text'), () => Promise.reject(7)], { size: 5 })).toEqual([
      { is: 'failed', reason: 'text' },
      { is: 'failed', reason: '7' },
    ])
    expect(await runPool([], { size: 1 })).toEqual([])
    await expect(runPool([], { size: 0 })).rejects.toThrow('at least one place')
    await expect(runPool([], { size: -1 })).rejects.toThrow(RangeError)
  })
})

describe('mapPool', () => {
  it('maps, stops and throws the failure', async () => {
    for (const size of [1, 2, 10]) {
      const items = [4, 0, 3, 1]
      expect(
        await mapPool(items, size, async (item, index) => turns(item).then(() => item * 10 + index)),
      ).toEqual([40, 1, 32, 13])
    }
    const seen: number[] = []
    const failing = mapPool([1, 2, 3, 4, 5], 1, async (item) => {
      seen.push(item)
      if (item === 3) throw new Error('three')
    })
    await expect(failing).rejects.toThrow(/^three$/)
    expect(seen).toEqual([1, 2, 3])
    const later = mapPool([9, 1], 2, async (wait) => {
      await turns(wait)
      throw new Error(`w${wait}`)
    })
    await expect(later).rejects.toThrow('w9')
  })
})

describe('Shared', () => {
  it('keeps keys apart and counts what runs', async () => {
    const shared = new Shared<string>()
    const loaded: string[] = []
    const load = async (key: string) => {
      loaded.push(key)
      await turns(4)
      if (key === 'bad') throw new Error('bad')
      return key.toUpperCase()
    }
    const first = [shared.get('a', load), shared.get('b', load), shared.get('a', load)]
    expect(shared.pending).toBe(2)
    expect(await Promise.all(first)).toEqual(['A', 'B', 'A'])
    expect(loaded).toEqual(['a', 'b'])
    expect(shared.pending).toBe(0)
    const failing = [shared.get('bad', load), shared.get('bad', load)]
    for (const one of failing) await expect(one).rejects.toThrow('bad')
    expect(loaded).toEqual(['a', 'b', 'bad'])
    expect(shared.pending).toBe(0)
    await expect(shared.get('bad', load)).rejects.toThrow('bad')
    expect(await shared.get('a', load)).toBe('A')
    expect(loaded).toEqual(['a', 'b', 'bad', 'bad', 'a'])
  })
})
