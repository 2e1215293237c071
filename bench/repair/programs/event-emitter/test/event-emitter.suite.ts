import { describe, expect, it } from 'vitest'
import { Emitter } from '../src/event-emitter.ts'

type Events = { ping: number; done: string }

function recorder() {
  const log: string[] = []
  const note = (label: string) => (value: unknown) => {
    log.push(`${label}:${value}`)
  }
  return { log, note }
}

describe('listeners', () => {
  it('are called in order of priority, then of age', () => {
    const emitter = new Emitter<Events>()
    const { log, note } = recorder()
    emitter.on('ping', note('a'))
    emitter.on('ping', note('b'), 5)
    emitter.on('ping', note('c'))
    emitter.on('done', note('d'))
    expect(emitter.emit('ping', 1)).toBe(3)
    expect(log).toEqual(['b:1', 'a:1', 'c:1'])
  })

  it('are called once', () => {
    const emitter = new Emitter<Events>()
    const { log, note } = recorder()
    emitter.once('ping', note('a'))
    emitter.emit('ping', 1)
    expect(emitter.emit('ping', 2)).toBe(0)
    expect(log).toEqual(['a:1'])
  })

  it('can be taken off', () => {
    const emitter = new Emitter<Events>()
    const { log, note } = recorder()
    const listener = note('a')
    const stop = emitter.on('ping', note('b'))
    emitter.on('ping', listener)
    expect(emitter.off('ping', listener)).toBe(true)
    expect(emitter.off('ping', listener)).toBe(false)
    emitter.emit('ping', 1)
    stop()
    emitter.emit('ping', 2)
    expect(log).toEqual(['b:1'])
  })

  it('may change the list while it is called', () => {
    const emitter = new Emitter<Events>()
    const { log, note } = recorder()
    const stop = emitter.on('ping', (value) => {
      log.push(`first:${value}`)
      stop()
      emitter.on('ping', note('late'))
    })
    emitter.on('ping', note('second'))
    emitter.emit('ping', 1)
    expect(log).toEqual(['first:1', 'second:1'])
    expect(emitter.count('ping')).toBe(2)
    expect(emitter.count()).toBe(2)
  })
})

describe('failures', () => {
  it('do not stop the others', async () => {
    const emitter = new Emitter<Events>()
    const { log, note } = recorder()
    emitter.on('ping', () => {
      throw new Error('sync')
    })
    emitter.on('ping', async () => {
      throw new Error('async')
    })
    emitter.on('ping', note('ok'))
    expect(emitter.emit('ping', 1)).toBe(3)
    await Promise.resolve()
    expect(log).toEqual(['ok:1'])
    expect(emitter.errors.map(String)).toEqual(['Error: sync', 'Error: async'])
  })
})

describe('asynchronous use', () => {
  it('calls one after the other', async () => {
    const emitter = new Emitter<Events>()
    const { log, note } = recorder()
    emitter.on('done', async (value) => {
      await new Promise((resolve) => setTimeout(resolve, 2))
      log.push(`slow:${value}`)
    })
    emitter.once('done', note('fast'))
    await emitter.emitInOrder('done', 'x')
    expect(log).toEqual(['slow:x', 'fast:x'])
    expect(emitter.count('done')).toBe(1)
  })

  it('waits for the next one', async () => {
    const emitter = new Emitter<Events>()
    const next = emitter.next('ping')
    emitter.emit('ping', 42)
    expect(await next).toBe(42)
    expect(emitter.count()).toBe(0)
  })
})
