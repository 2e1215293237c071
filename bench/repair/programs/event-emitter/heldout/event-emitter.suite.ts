import { describe, expect, it } from 'vitest'
import { Emitter } from '../src/event-emitter.ts'

type Events = { a: number; b: number; c: number }
type Name = keyof Events
type Plain = { name: Name; label: string; once: boolean; priority: number; age: number }

let state = 53
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

function inOrder(plain: readonly Plain[], name: Name): Plain[] {
  const called = plain.filter((one) => one.name === name)
  return called.sort((x, y) => y.priority - x.priority || x.age - y.age)
}

describe('random use', () => {
  it('agrees with a plain list', () => {
    const names: Name[] = ['a', 'b', 'c']
    const emitter = new Emitter<Events>()
    let plain: Plain[] = []
    const stops = new Map<string, () => void>()
    const log: string[] = []
    for (let round = 0; round < 500; round += 1) {
      const name = names[random(3)] ?? 'a'
      const action = random(6)
      if (action < 3) {
        const label = `l${round}`
        const priority = random(3) - 1
        const once = random(2) === 0
        const listener = (value: number) => {
          log.push(`${label}:${value}`)
        }
        stops.set(label, emitter[once ? 'once' : 'on'](name, listener, priority))
        plain.push({ name, label, once, priority, age: round })
      } else if (action < 4) {
        const gone = plain[random(plain.length + 1)]
        stops.get(gone?.label ?? '')?.()
        plain = plain.filter((one) => one !== gone)
      } else {
        const called = inOrder(plain, name)
        log.length = 0
        expect(emitter.emit(name, round)).toBe(called.length)
        expect(log).toEqual(called.map((one) => `${one.label}:${round}`))
        plain = plain.filter((one) => one.name !== name || !one.once)
      }
      expect(emitter.count()).toBe(plain.length)
      expect(emitter.count(name)).toBe(plain.filter((one) => one.name === name).length)
    }
  })
})

describe('corners', () => {
  it('a once listener that emits again is not called twice', () => {
    const emitter = new Emitter<Events>()
    let calls = 0
    emitter.once('a', () => {
      calls += 1
      emitter.emit('a', 2)
    })
    emitter.emit('a', 1)
    expect(calls).toBe(1)
  })

  it('off takes away all of one listener and nothing else', () => {
    const emitter = new Emitter<Events>()
    const twice = () => undefined
    emitter.on('a', twice)
    emitter.once('a', twice)
    emitter.on('b', twice)
    emitter.on('a', () => undefined)
    expect(emitter.off('a', twice)).toBe(true)
    expect(emitter.count('a')).toBe(1)
    expect(emitter.count('b')).toBe(1)
    expect(emitter.off('c', twice)).toBe(false)
  })

  it('failures are kept in order and rejections too', async () => {
    const emitter = new Emitter<Events>()
    const heard: number[] = []
    emitter.once('a', () => {
      throw new Error('one')
    })
    emitter.on('a', async (value) => {
      if (value > 1) throw new Error('two')
    })
    emitter.on('a', (value) => {
      heard.push(value)
    })
    expect(emitter.emit('a', 1)).toBe(3)
    expect(emitter.emit('a', 2)).toBe(2)
    await new Promise((resolve) => setTimeout(resolve, 0))
    expect(emitter.errors.map(String)).toEqual(['Error: one', 'Error: two'])
    expect(heard).toEqual([1, 2])
    expect(emitter.emit('c', 0)).toBe(0)
  })

  it('in order: the first failure ends it, once listeners are gone', async () => {
    const emitter = new Emitter<Events>()
    const log: string[] = []
    emitter.on('a', async () => {
      await Promise.resolve()
      await Promise.resolve()
      log.push('low')
    })
    emitter.once(
      'a',
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 1))
        log.push('high')
      },
      1,
    )
    await emitter.emitInOrder('a', 1)
    await emitter.emitInOrder('a', 2)
    expect(log).toEqual(['high', 'low', 'low'])
    emitter.on('a', () => Promise.reject(new Error('stop')), 9)
    await expect(emitter.emitInOrder('a', 3)).rejects.toThrow('stop')
    expect(log).toHaveLength(3)
    expect(emitter.errors).toEqual([])
  })

  it('next hears only one', async () => {
    const emitter = new Emitter<Events>()
    const both = Promise.all([emitter.next('a'), emitter.next('b')])
    emitter.emit('b', 1)
    emitter.emit('b', 2)
    emitter.emit('a', 3)
    expect(await both).toEqual([3, 1])
    expect(emitter.count()).toBe(0)
  })
})
