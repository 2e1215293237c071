import { describe, expect, it } from 'vitest'
import { mapPool, runPool, Shared } from '../src/promise-pool.ts'

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await Promise.resolve()
}

describe('runPool', () => {
  it('keeps the order of the tasks', async () => {
    const tasks = [9, 1, 5].map((wait) => async () => {
      await turns(wait)
      return wait
    })
    expect(await runPool(tasks, { size: 3 })).toEqual([
      { is: 'done', value: 9 },
      { is: 'done', value: 1 },
      { is: 'done', value: 5 },
    ])
  })

  it('runs only so many at a time', async () => {
    let running = 0
    let most = 0
    const tasks = Array.from({ length: 7 }, (_, index) => async () => {
      running += 1
      most = Math.max(most, running)
      await turns(index % 3)
      running -= 1
    })
    await runPool(tasks, { size: 3 })
    expect(most).toBe(3)
    await expect(runPool(tasks, { size: 0 })).rejects.toThrow(RangeError)
  })

  it('goes on after failures and tells of progress', async () => {
    const progress: string[] = []
    const tasks = [async () => 'a', async () => Promise.reject(new Error('broken')), async () => 'c']
    const results = await runPool(tasks, {
      size: 1,
      onProgress: (done, total) => progress.push(`${done}/${total}`),
    })
    expect(results).toEqual([
      { is: 'done', value: 'a' },
      { is: 'failed', reason: 'broken' },
      { is: 'done', value: 'c' },
    ])
    expect(progress).toEqual(['1/3', '2/3', '3/3'])
  })

  it('can stop at the first failure', async () => {
    const started: number[] = []
    const tasks = [1, 2, 3, 4].map((number) => async () => {
      started.push(number)
      if (number === 2) throw new Error('two')
      return number
    })
    const results = await runPool(tasks, { size: 1, stopOnFailure: true })
    expect(started).toEqual([1, 2])
    expect(results.map((result) => result.is)).toEqual(['done', 'failed', 'skipped', 'skipped'])
  })
})

describe('mapPool', () => {
  it('maps in order', async () => {
    expect(await mapPool(['a', 'b', 'c'], 2, async (item, index) => `${item}${index}`)).toEqual([
      'a0',
      'b1',
      'c2',
    ])
    expect(await mapPool([], 2, async () => 1)).toEqual([])
  })

  it('throws the first failure', async () => {
    const mapped = mapPool([1, 2, 3], 1, async (item) => {
      if (item === 2) throw new Error(`no ${item}`)
      return item
    })
    await expect(mapped).rejects.toThrow('no 2')
  })
})

describe('Shared', () => {
  it('shares a running call and starts a new one later', async () => {
    const shared = new Shared<number>()
    let loads = 0
    const load = async () => {
      loads += 1
      const mine = loads
      await turns(3)
      return mine
    }
    const [a, b] = await Promise.all([shared.get('k', load), shared.get('k', load)])
    expect([a, b]).toEqual([1, 1])
    expect(shared.pending).toBe(0)
    expect(await shared.get('k', load)).toBe(2)
  })

  it('forgets failures', async () => {
    const shared = new Shared<string>()
    await expect(shared.get('k', async () => Promise.reject(new Error('down')))).rejects.toThrow('down')
    expect(await shared.get('k', async (key) => `up ${key}`)).toBe('up k')
  })
})
