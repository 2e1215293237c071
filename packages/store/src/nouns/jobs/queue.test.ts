import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestContext } from 'vitest'
import { afterAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../driver/database.ts'
import { openData, PG_MAJOR } from '../../driver/embedded.ts'
import { openServer } from '../../driver/server.ts'
import { DRIVERS, eventually, openAt, useTestDatabases } from '../../testing/both-drivers.ts'
import { startBoss } from './jobs.ts'
import {
  defineQueue,
  installQueue,
  type QueueDefinition,
  type QueueWorld,
  sendJob,
  workQueue,
} from './queue.ts'

const soon = 120_000
/** The shortest that pg-boss takes; and a time in which a job that is due would have been found. */
const pollSeconds = 0.5
const severalPollsMs = 1_300
const log = (): void => undefined
const notDead = async (): Promise<void> => undefined

// Each test has a queue of its own and mostly waits, so they wait together.
describe.each(DRIVERS)('a queue on the %s database', { concurrent: true }, (driver) => {
  const places = useTestDatabases(driver)
  let opened: Promise<{ world: QueueWorld; close: () => Promise<void> }> | undefined
  afterAll(async () => (await opened)?.close())

  const open = async (context: TestContext): Promise<QueueWorld> => {
    opened ??= openWorld(context)
    return (await opened).world
  }
  const openWorld = async (context: TestContext) => {
    const place = places(context)
    await (await openAt(place)).close()
    const { target, schema } = place
    const at =
      target.is === 'server'
        ? openServer({ url: target.url, schema, log })
        : {
            ...(await openData(join(target.dir, `db-${PG_MAJOR}`), {
              schema,
              workerUrl: new URL('../../driver/pglite-worker.ts', import.meta.url),
              watchdogMs: 30_000,
              log,
            })),
            durability: 'full' as const,
            setHolder: log,
          }
    const database = openDatabase({ pool: at.pool, txMs: 60_000 })
    const world = await startBoss({ database, driver: at, jobsSchema: `${schema}_jobs`, log })
    const close = async (): Promise<void> => {
      await world.boss.stop({ graceful: false })
      await at.close()
    }
    return { world, close }
  }
  const install = async (world: QueueWorld, queue: QueueDefinition): Promise<QueueDefinition> => {
    await installQueue(world, queue)
    return queue
  }

  test('many at once and one for later are all done soon, each once', async (context) => {
    const world = await open(context)
    const queue = await install(world, defineQueue('prompt', { concurrency: 2, pollSeconds }))
    const done: string[] = []
    const working = await workQueue(world, queue, {
      run: async (data) => {
        done.push((data as { name: string }).name)
      },
      dead: notDead,
    })
    await sleep(severalPollsMs)
    const names = Array.from({ length: 8 }, (_, index) => `job ${index}`)
    await Promise.all(names.map((name) => sendJob(world, queue, { key: name, data: { name } })))
    await sendJob(world, queue, { key: 'later', data: { name: 'later' }, startAfterSeconds: 1 })
    await eventually(() => (done.length >= 9 ? true : undefined), soon)
    await sleep(severalPollsMs)
    expect(done.sort()).toEqual([...names, 'later'].sort())
    await working.stop(1_000)
  })

  test('a job that fails is tried again with a growing delay; when all tries are used up, it is reported once', async (context) => {
    const world = await open(context)
    const queue = await install(world, defineQueue('failing', { retryLimit: 2, pollSeconds }))
    const tries: Record<string, number> = {}
    const dead: unknown[] = []
    const working = await workQueue(world, queue, {
      run: async (data) => {
        const { name } = data as { name: string }
        tries[name] = (tries[name] ?? 0) + 1
        if (name === 'never' || tries[name] < 3) throw new Error(`try ${tries[name]} with a \0 in it`)
      },
      dead: async (data, why) => void dead.push([data, why]),
    })
    await sendJob(world, queue, { key: 'never', data: { name: 'never' } })
    await sendJob(world, queue, { key: 'third time', data: { name: 'third time' } })
    await eventually(() => (dead.length > 0 && tries['third time'] === 3 ? true : undefined), soon)
    await sleep(severalPollsMs)
    expect(tries).toEqual({ never: 3, 'third time': 3 })
    expect(dead).toEqual([[{ name: 'never' }, 'try 3 with a \uFFFD in it']])
    await working.stop(1_000)
  })

  test('of one key at most one waits, and at most one runs', async (context) => {
    const world = await open(context)
    const queue = await install(world, defineQueue('keyed', { concurrency: 3, pollSeconds }))
    const go = Promise.withResolvers<void>()
    let running = 0
    let most = 0
    let runs = 0
    const working = await workQueue(world, queue, {
      run: async () => {
        running += 1
        runs += 1
        most = Math.max(most, running)
        await go.promise
        running -= 1
      },
      dead: notDead,
    })
    const send = () => sendJob(world, queue, { key: 'same', data: {} })
    for (let count = 0; count < 4; count += 1) await send()
    await eventually(() => (runs === 1 ? true : undefined), soon)
    // While it runs, one more may wait: what it is to see may have changed since it looked.
    for (let count = 0; count < 4; count += 1) await send()
    await sleep(severalPollsMs)
    expect([runs, most]).toEqual([1, 1])
    go.resolve()
    await eventually(() => (runs === 2 ? true : undefined), soon)
    await sleep(severalPollsMs)
    expect([runs, most]).toEqual([2, 1])
    await working.stop(1_000)
  })

  test('a job that runs is not lost, and is not sent again as if it were', async (context) => {
    const world = await open(context)
    const queue = await install(world, defineQueue('lost', { pollSeconds }))
    const go = Promise.withResolvers<void>()
    let runs = 0
    const working = await workQueue(world, queue, {
      run: () => {
        runs += 1
        return go.promise
      },
      dead: notDead,
    })
    const sendIfLost = () => sendJob(world, queue, { key: 'same', data: {}, onlyIfLost: true })
    await sendIfLost()
    await eventually(() => (runs === 1 ? true : undefined), soon)
    await sendIfLost()
    const text = `select state::text from ${world.jobsSchema}.job where name = 'lost'`
    expect((await world.database.execute(text)).rows).toEqual([{ state: 'active' }])
    go.resolve()
    // Until the end of the first is written down it still runs.
    while (runs < 2) {
      await sendIfLost()
      await sleep(100)
    }
    expect(runs).toBe(2)
    await working.stop(1_000)
  })

  test('while a job waits for its next try, the same job again is not a second one', async (context) => {
    const world = await open(context)
    const queue = await install(world, defineQueue('retrying', { retryDelaySeconds: 4, pollSeconds }))
    let runs = 0
    const working = await workQueue(world, queue, {
      run: async () => {
        runs += 1
        if (runs > 1) return
        await sendJob(world, queue, { key: 'same', data: {} })
        throw new Error('first time')
      },
      dead: notDead,
    })
    await sendJob(world, queue, { key: 'same', data: {} })
    const states = async () => {
      const text = `select state::text from ${world.jobsSchema}.job where name = 'retrying' order by state`
      return (await world.database.execute(text)).rows
    }
    await expect.poll(states, { timeout: soon }).toEqual([{ state: 'retry' }])
    await sendJob(world, queue, { key: 'same', data: {} })
    expect(await states()).toEqual([{ state: 'retry' }])
    await eventually(() => (runs === 2 ? true : undefined), soon)
    await sleep(severalPollsMs)
    expect(runs).toBe(2)
    await working.stop(1_000)
  })

  test('stopping lets a short job end, tells a long one, and its try does not count', async (context) => {
    const world = await open(context)
    const queue = await install(world, defineQueue('stopping', { retryLimit: 0, pollSeconds }))
    const seen: string[] = []
    const dead: string[] = []
    const handlers = {
      run: (data: object, signal: AbortSignal) => {
        const { name } = data as { name: string }
        seen.push(`${name} started`)
        if (name === 'short') return sleep(700).then(() => void seen.push('short ended'))
        return new Promise<void>((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('told to stop'))),
        )
      },
      dead: async (_: object, why: string) => void dead.push(why),
    }
    const working = await workQueue(world, queue, handlers)
    await sendJob(world, queue, { key: 'short', data: { name: 'short' } })
    await sendJob(world, queue, { key: 'long', data: { name: 'long' } })
    await eventually(() => (seen.length === 2 ? true : undefined), soon)
    await working.stop(1_500)
    expect([...seen].sort()).toEqual(['long started', 'short ended', 'short started'])
    const again = await workQueue(world, queue, handlers)
    await eventually(
      () => (seen.filter((line) => line === 'long started').length === 2 ? true : undefined),
      soon,
    )
    await again.stop(100)
    expect(dead).toEqual([])
  })
})
