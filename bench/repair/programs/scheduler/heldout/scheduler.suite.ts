import { describe, expect, it } from 'vitest'
import { PriorityQueue } from '../src/priority-queue.ts'
import { type Job, Scheduler } from '../src/scheduler.ts'

let state = 77
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

describe('the queue', () => {
  it('agrees with a sorted list', () => {
    for (let run = 0; run < 40; run += 1) {
      const queue = new PriorityQueue<number>((a, b) => a > b)
      let list: number[] = []
      for (let round = 0; round < 80; round += 1) {
        if (random(3) > 0) {
          const value = random(30)
          queue.push(value)
          list = [...list, value].sort((a, b) => b - a)
        } else {
          expect(queue.pop()).toBe(list.shift())
        }
        expect(queue.size).toBe(list.length)
        expect(queue.peek()).toBe(list[0])
      }
      while (list.length > 0) expect(queue.pop()).toBe(list.shift())
    }
  })
})

// Looks through all jobs for the next one, each time.
function simulate(jobs: readonly Job[], until: number): string[] {
  let open = jobs.map((job, order) => ({ ...job, order }))
  let order = jobs.length
  let now = 0
  const ran: string[] = []
  for (;;) {
    const due = open.filter((job) => job.at <= until)
    due.sort((a, b) => a.at - b.at || (b.priority ?? 0) - (a.priority ?? 0) || a.order - b.order)
    const next = due[0]
    if (!next) return ran
    open = open.filter((job) => job !== next)
    now = Math.max(now, next.at)
    ran.push(`${now}:${next.name}`)
    if (next.every !== undefined) {
      open.push({ ...next, at: next.at + next.every, order })
      order += 1
    }
  }
}

describe('the scheduler', () => {
  it('agrees with a slow one', () => {
    for (let run = 0; run < 150; run += 1) {
      const jobs: Job[] = Array.from({ length: random(7) + 1 }, (_, index) => ({
        name: `j${index}`,
        at: random(12),
        ...(random(3) === 0 ? { every: random(4) + 1 } : {}),
        ...(random(2) === 0 ? { priority: random(3) - 1 } : {}),
      }))
      const scheduler = new Scheduler()
      for (const job of jobs) scheduler.add(job)
      const ran: string[] = []
      for (const time of [0, 3, 4, 9, 15]) {
        ran.push(...scheduler.advanceTo(time))
        expect(scheduler.now).toBe(time)
      }
      expect(ran).toEqual(simulate(jobs, 15))
    }
  })

  it('never goes back in time and says when late jobs ran', () => {
    const scheduler = new Scheduler()
    scheduler.advanceTo(10)
    scheduler.add({ name: 'late', at: 4, every: 5 })
    expect(scheduler.advanceTo(14)).toEqual(['10:late', '10:late', '14:late'])
    expect(scheduler.advanceTo(3)).toEqual([])
    expect(scheduler.now).toBe(14)
  })

  it('refuses periods that are not positive and takes cancelled jobs out', () => {
    const scheduler = new Scheduler()
    expect(() => scheduler.add({ name: 'x', at: 0, every: -1 })).toThrow('a period must be positive')
    scheduler.add({ name: 'x', at: 1, every: 2 })
    scheduler.add({ name: 'y', at: 2 })
    scheduler.cancel('x')
    expect(scheduler.advanceTo(9)).toEqual(['2:y'])
    scheduler.add({ name: 'x', at: 11, every: 2 })
    expect(scheduler.advanceTo(13)).toEqual(['11:x', '13:x'])
  })
})
