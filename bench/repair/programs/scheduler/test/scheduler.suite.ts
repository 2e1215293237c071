import { describe, expect, it } from 'vitest'
import { PriorityQueue } from '../src/priority-queue.ts'
import { Scheduler } from '../src/scheduler.ts'

function drain(values: number[]): number[] {
  const queue = new PriorityQueue<number>((a, b) => a < b)
  for (const value of values) queue.push(value)
  const sorted: number[] = []
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) sorted.push(value)
  return sorted
}

describe('the queue', () => {
  it('gives the smallest first', () => {
    expect(drain([5, 3, 8, 1, 9, 2])).toEqual([1, 2, 3, 5, 8, 9])
    expect(drain([2, 2, 1])).toEqual([1, 2, 2])
  })

  it('knows its size and its head', () => {
    const queue = new PriorityQueue<string>((a, b) => a < b)
    expect(queue.pop()).toBeUndefined()
    queue.push('b')
    queue.push('a')
    expect(queue.peek()).toBe('a')
    expect(queue.size).toBe(2)
    queue.pop()
    expect(queue.pop()).toBe('b')
    expect(queue.size).toBe(0)
  })
})

describe('the scheduler', () => {
  it('runs what is due, in order of time', () => {
    const scheduler = new Scheduler()
    scheduler.add({ name: 'late', at: 20 })
    scheduler.add({ name: 'early', at: 5 })
    expect(scheduler.advanceTo(10)).toEqual(['5:early'])
    expect(scheduler.now).toBe(10)
    expect(scheduler.advanceTo(20)).toEqual(['20:late'])
  })

  it('repeats jobs', () => {
    const scheduler = new Scheduler()
    scheduler.add({ name: 'tick', at: 2, every: 3 })
    scheduler.add({ name: 'once', at: 6 })
    expect(scheduler.advanceTo(8)).toEqual(['2:tick', '5:tick', '6:once', '8:tick'])
    expect(() => scheduler.add({ name: 'bad', at: 1, every: 0 })).toThrow(RangeError)
  })

  it('prefers priority, then age', () => {
    const scheduler = new Scheduler()
    scheduler.add({ name: 'a', at: 1 })
    scheduler.add({ name: 'b', at: 1, priority: 5 })
    scheduler.add({ name: 'c', at: 1 })
    expect(scheduler.advanceTo(1)).toEqual(['1:b', '1:a', '1:c'])
  })

  it('forgets cancelled jobs until they are added again', () => {
    const scheduler = new Scheduler()
    scheduler.add({ name: 'tick', at: 1, every: 1 })
    expect(scheduler.advanceTo(2)).toEqual(['1:tick', '2:tick'])
    scheduler.cancel('tick')
    expect(scheduler.advanceTo(4)).toEqual([])
    scheduler.add({ name: 'tick', at: 3 })
    expect(scheduler.advanceTo(5)).toEqual(['4:tick'])
    expect(scheduler.now).toBe(5)
  })
})
