// Files that a task takes while it is at work, and who waits for them.
import { findWaitCycles } from '@treadle/flow/supervise/wait-cycles'
import { DRIVERS, useStore } from '@treadle/store/testing/both-drivers'
import { describe, expect, test } from 'vitest'
import { crewOn } from './testing/build-crew.ts'

describe.each(DRIVERS)('further files of a build on the %s database', (driver) => {
  const open = useStore(driver)

  test('further files are taken at work; two who want what the other has wait in a circle, which is found', async (context) => {
    const crew = await crewOn(await open(context))
    const { store, now, add, claim, move, further } = crew
    const one = await add('one', { files: ['src/a.ts'] })
    const two = await add('two', { files: ['src/b.ts'] })
    await claim(one, 'agent-1')
    await claim(two, 'agent-2')
    const taken = await further(one, 'agent-1', ['./src/a.ts', 'src/c.ts'])
    expect(taken.is === 'taken' && taken.locks.map(({ file }) => file)).toEqual(['src/a.ts', 'src/c.ts'])
    expect(await further(one, 'agent-2', ['src/d.ts'])).toEqual({ is: 'fenced' })
    expect(await further(two, 'agent-2', ['src/d.ts', 'src/c.ts'])).toMatchObject({
      is: 'locked',
      lock: { file: 'src/c.ts', lockedBy: 'agent-1' },
    })
    expect(findWaitCycles(await store.fileLocks.waits(now()))).toEqual([])
    expect(await further(one, 'agent-1', ['src/b.ts'])).toMatchObject({ is: 'locked' })
    expect(findWaitCycles(await store.fileLocks.waits(now()))).toEqual([
      [`1/${one.number}`, `1/${two.number}`].sort(),
    ])
    await move(two, { type: 'claim.released', why: 'given back' })
    expect(findWaitCycles(await store.fileLocks.waits(now()))).toEqual([])
    expect(await further(one, 'agent-1', ['src/b.ts'])).toMatchObject({ is: 'taken' })
  })

  test('whoever has delivered waits for no file any more, nor for one that was only taken with an earlier claim', async (context) => {
    const crew = await crewOn(await open(context))
    const { store, now, add, claim, move, deliver } = crew
    const is = async (...asked: Parameters<typeof crew.further>) => (await crew.further(...asked)).is
    const [one, two] = [await add('one', { files: ['src/a.ts'] }), await add('two', { files: ['src/b.ts'] })]
    await claim(one, 'agent-1')
    await claim(two, 'agent-2')
    expect(await is(one, 'agent-1', ['src/b.ts'])).toBe('locked')
    await deliver(one)
    expect(await is(two, 'agent-2', ['src/a.ts'])).toBe('locked')
    expect(findWaitCycles(await store.fileLocks.waits(now()))).toEqual([])
    await move(one, { type: 'item.escalated', why: 'enough' })

    const three = await add('three', { files: ['src/c.ts'] })
    await claim(three, 'agent-3')
    expect(await is(two, 'agent-2', ['src/d.ts'])).toBe('taken')
    expect(await is(three, 'agent-3', ['src/d.ts'])).toBe('locked')
    await move(two, { type: 'claim.released', why: 'given back' })
    await claim(two, 'agent-2')
    // The file that three waits for is free, and two has it no more.
    expect(await is(two, 'agent-2', ['src/c.ts'])).toBe('locked')
    expect(findWaitCycles(await store.fileLocks.waits(now()))).toEqual([])
    // Another file of the same one is a wait of its own.
    expect(await is(three, 'agent-3', ['src/b.ts'])).toBe('locked')
    expect(findWaitCycles(await store.fileLocks.waits(now()))).toHaveLength(1)
  })

  test('files that an item without any of its own has taken at work end with its claim', async (context) => {
    const crew = await crewOn(await open(context))
    const { store, now, add, claim, move } = crew
    const item = await add('the delivery', { files: [] })
    await claim(item, 'agent-1')
    expect((await crew.further(item, 'agent-1', ['src/a.ts'])).is).toBe('taken')
    await move(item, { type: 'claim.released', why: 'given back' })
    expect(await store.fileLocks.live(now())).toEqual([])
  })
})
