// One new item calls one of those who wait; a lost claim calls the run that lost it. Two stores play two daemons.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentId } from '@treadle/contracts/ids'
import { bindAdvance } from '@treadle/flow/advance'
import { type Claimed, runClaim } from '@treadle/flow/claim/claim.run'
import { CONSEQUENCES } from '@treadle/flow/consequences'
import { sampleConfig } from '@treadle/flow/work/testing/sample'
import type { OpenStore } from '@treadle/store/connect'
import {
  DRIVERS,
  newItem,
  openAt,
  type TestDatabase,
  useTestDatabases,
} from '@treadle/store/testing/both-drivers'
import { afterAll, describe, expect, type TestContext, test } from 'vitest'
import { comesLater, keptFor } from './pass-over.ts'
import { WaitList } from './wait-list.ts'

const NEVER = new AbortController().signal
/** So long that only a call can be the reason when somebody wakes. */
const LONG_MS = 600_000

describe.each(DRIVERS)('the waiting room on the %s database', (driver) => {
  const place = useTestDatabases(driver)
  const stores: Promise<OpenStore>[] = []
  afterAll(async () => {
    for (const store of stores) await (await store).close()
  })

  let at: TestDatabase | undefined
  /** The first one is everybody's. */
  function openStores(context: TestContext, count: number): Promise<OpenStore[]> {
    at ??= place(context)
    while (stores.length < count) stores.push(openAt(at))
    return Promise.all(stores)
  }

  const worldOf = (store: OpenStore) => ({
    store,
    ...bindAdvance({
      store,
      now: () => new Date(),
      config: () => sampleConfig(),
      consequences: CONSEQUENCES,
    }),
    now: () => new Date(),
    uuid: randomUUID,
  })

  /** Waits as an agent does, and claims what it is offered. */
  class Waiter {
    calls = 0
    held: Extract<Claimed, { is: 'claimed' }> | null = null
    readonly room: WaitList
    readonly id: AgentId
    constructor(waitList: WaitList, id: AgentId) {
      this.room = waitList
      this.id = id
    }
    async wait(): Promise<void> {
      const entry = this.room.enterAgent(this.id)
      if (entry === null) throw new Error('the room is full')
      while (this.held === null) {
        const item = await this.room.pick(this.id, Date.now())
        const { store } = this.room.deps
        if (item === null) {
          await entry.called(LONG_MS, NEVER)
          this.calls += 1
          continue
        }
        const claim = await runClaim(worldOf(store as OpenStore), {
          item,
          agentId: this.id,
          requestId: null,
        })
        if (claim.is === 'claimed') this.held = claim
      }
      entry.leave()
    }
  }

  test('each new item calls one agent, whoever added it, and a claim that ends calls its run', async (context) => {
    // On the server the items come from another daemon; the embedded database has only one.
    const [store, other = store] = await openStores(context, driver === 'server' ? 2 : 1)
    if (store === undefined || other === undefined) throw new Error('no store')
    const waitList = new WaitList({ store, pollMs: () => LONG_MS, stopping: NEVER })
    const waiters = ([1, 2, 3, 4, 5] as const).map((n) => new Waiter(waitList, `agent-${n}`))
    const holding = () => waiters.filter(({ held }) => held !== null)
    const waits = waiters.map((waiter) => waiter.wait())
    await sleep(300)
    expect(holding()).toEqual([])

    const first = await other.items.add(newItem({ title: 'first' }), new Date())
    await Promise.race(waits)
    await sleep(300)
    const [holder] = holding()
    expect(holding()).toHaveLength(1)
    expect(holder?.held?.item).toMatchObject({ number: first.number, title: 'first' })
    expect(waiters.reduce((sum, { calls }) => sum + calls, 0)).toBeLessThanOrEqual(2)

    // Two in one transaction make one notification; nobody must be forgotten over it.
    await other.tx(async () => {
      await other.items.add(newItem({ title: 'second' }), new Date())
      await other.items.add(newItem({ title: 'third' }), new Date())
    })
    await expect.poll(() => holding().length, { timeout: 60_000 }).toBe(3)

    const lost = holder?.held?.run.id ?? ''
    const news = waitList.enterRun(lost)?.called(LONG_MS, NEVER)
    const move = { type: 'claim.released', why: 'needed elsewhere' } as const
    const order = { item: first, eventId: `release:${lost}`, fence: null, agentId: null, move }
    await worldOf(other).advance({ ...order, item: { projectNumber: 1, number: first.number } })
    await news
    // What came free goes to one of the two who still wait.
    await expect.poll(() => holding().length, { timeout: 60_000 }).toBe(4)

    await other.agents.ensure('agent-9', new Date())
    const told = waitList.enterAgent('agent-9')?.called(LONG_MS, NEVER)
    await other.agents.patch('agent-9', { wanted: 'paused' })
    await told
    // The last one is let go, so that nothing waits when the store closes.
    await other.items.add(newItem({ title: 'last' }), new Date())
    await Promise.all(waits)
    expect(waiters.map(({ held }) => held?.item.title).toSorted()).toEqual([
      'first',
      'first',
      'last',
      'second',
      'third',
    ])
  })

  test('a delivery that is to be judged calls a reviewer, a reply and an item call somebody else', async (context) => {
    const [store] = await openStores(context, 1)
    if (store === undefined) throw new Error('no store')
    const waitList = new WaitList({ store, pollMs: () => LONG_MS, stopping: NEVER })
    const called: AgentId[] = []
    const enter = (id: AgentId) => {
      const entry = waitList.enterAgent(id)
      if (entry === null) throw new Error('the room is full')
      void entry.called(LONG_MS, NEVER).then(() => called.push(id))
    }
    // The reviewer has waited longest, and an item would be lost on it.
    for (const id of ['review-agent', 'agent-1', 'agent-2']) enter(id)
    const asked = { engine: 'native', system: '', prompt: 'Say', schema: null, deadlineAt: null }
    const ask = (kind: 'idea_reply' | 'review_judge', use: 'idea' | 'review') =>
      store.thoughts.add({ ...asked, id: randomUUID(), kind, use, subject: 'cart' }, new Date())
    await ask('idea_reply', 'idea')
    await expect.poll(() => called, { timeout: 60_000 }).toEqual(['agent-1'])
    const { number } = await store.items.add(newItem({ title: 'for a builder' }), new Date())
    await expect.poll(() => called, { timeout: 60_000 }).toEqual(['agent-1', 'agent-2'])
    await ask('review_judge', 'review')
    await expect.poll(() => called, { timeout: 60_000 }).toEqual(['agent-1', 'agent-2', 'review-agent'])
    const item = { projectNumber: 1, number }
    const move = { type: 'item.withdrawn', by: 'ada' } as const
    await worldOf(store).advance({ item, eventId: randomUUID(), fence: null, agentId: null, move })
    for (const { id, fence } of await store.thoughts.open('agent-1', 10))
      await store.thoughts.end(id, fence, { is: 'withdrawn', why: 'the test is over' }, new Date())
  })

  test('what comes to an empty queue is offered without a look; what comes to another is looked for', async (context) => {
    const [store] = await openStores(context, 1)
    if (store === undefined) throw new Error('no store')
    let looks = 0
    const queue: OpenStore['items']['queue'] = (...given) => {
      looks += 1
      return store.items.queue(...given)
    }
    const counted = { items: { ...store.items, queue }, listenToHints: store.listenToHints }
    const waitList = new WaitList({ store: counted, pollMs: () => LONG_MS, stopping: NEVER })
    const add = (title: string, priority: number | null = null) =>
      store.items.add(newItem({ title, priority }), new Date())
    /** What it is offered, and after how many looks. */
    const pick = async (id: AgentId) => {
      const before = looks
      const item = await waitList.pick(id, Date.now())
      if (item === null) return null
      const claim = await runClaim(worldOf(store), { item, agentId: id, requestId: null })
      return { title: claim.is === 'claimed' ? claim.item.title : claim.is, looks: looks - before }
    }
    const heard = async (id: AgentId, ...adds: Parameters<typeof add>[]) => {
      const entry = waitList.enterAgent(id)
      const called = entry?.called(LONG_MS, NEVER)
      for (const each of adds) await add(...each)
      await called
      entry?.leave()
    }
    expect(await pick('agent-1')).toBeNull()
    await heard('agent-1', ['alone'])
    expect(await pick('agent-1')).toEqual({ title: 'alone', looks: 0 })
    // Nobody has looked since: there may be more.
    await heard('agent-2', ['later'])
    expect(await pick('agent-2')).toEqual({ title: 'later', looks: 1 })
    // Of two the more urgent comes first, whichever came first.
    expect(await pick('agent-3')).toBeNull()
    await heard('agent-3', ['low', 9])
    await heard('agent-3', ['high', 1])
    expect(await pick('agent-3')).toEqual({ title: 'high', looks: 1 })
    expect(await pick('agent-4')).toEqual({ title: 'low', looks: 1 })
    // Another has looked and taken it: what was known to the first is old.
    expect(await pick('agent-5')).toBeNull()
    await heard('agent-5', ['taken'])
    expect(await pick('agent-6')).toEqual({ title: 'taken', looks: 1 })
    expect(await pick('agent-5')).toBeNull()
  })

  test('what went back because of its engine is offered after others as urgent, and only for a while', async (context) => {
    const [store] = await openStores(context, 1)
    if (store === undefined) throw new Error('no store')
    const waitList = new WaitList({
      store,
      pollMs: () => LONG_MS,
      comesLater: (item, now) => comesLater(store, item, now),
      stopping: NEVER,
    })
    const add = (title: string, priority: number) => store.items.add(newItem({ title, priority }), new Date())
    const pick = async (id: AgentId, laterMs = 0) => {
      const item = await waitList.pick(id, Date.now() + laterMs)
      if (item === null) return null
      return runClaim(worldOf(store), { item, agentId: id, requestId: null })
    }
    const titleOf = async (id: AgentId, laterMs = 0) => {
      const taken = await pick(id, laterMs)
      return taken?.is === 'claimed' ? taken.item.title : 'none'
    }
    const givenBack = async (title: string, priority: number) => {
      await add(title, priority)
      const claim = await pick('agent-1')
      if (claim?.is !== 'claimed') throw new Error('not claimed')
      const { projectNumber, number } = claim.item
      const move = { type: 'claim.released', why: 'it answers 500', engine: 'native' } as const
      const order = { eventId: `release:${claim.run.id}`, fence: null, agentId: null, move }
      await worldOf(store).advance({ ...order, item: { projectNumber, number } })
    }
    for (let left = await pick('agent-6'); left !== null; left = await pick('agent-6'));
    await givenBack('back', 3)
    for (const n of [1, 2, 3]) await add(`as urgent ${n}`, 3)
    await add('less urgent', 5)
    const titles: string[] = []
    for (const n of [1, 2, 3, 4, 5] as const) titles.push(await titleOf(`agent-${n}`))
    expect(titles).toEqual(['as urgent 1', 'as urgent 2', 'as urgent 3', 'back', 'less urgent'])

    // One that comes for each that is taken would keep it waiting for ever.
    await givenBack('back again', 3)
    await add('new', 3)
    expect(await titleOf('agent-2')).toBe('new')
    await add('newer', 3)
    expect(await titleOf('agent-3', 10 * 60_000)).toBe('back again')
    expect(await titleOf('agent-4')).toBe('newer')
  })

  test('what went back is left for a while to the agent that has its conversation', async (context) => {
    const [store] = await openStores(context, 1)
    if (store === undefined) throw new Error('no store')
    const waitList = new WaitList({
      store,
      pollMs: () => LONG_MS,
      keptFor: (item, now) => keptFor(store, item, { now, engine: item.engine ?? 'native' }),
      stopping: NEVER,
    })
    const take = async (id: AgentId, laterMs = 0) => {
      const item = await waitList.pick(id, Date.now() + laterMs)
      if (item === null) return null
      const claim = await runClaim(worldOf(store), { item, agentId: id, requestId: null })
      return claim.is === 'claimed' ? claim : null
    }
    const titleOf = async (id: AgentId, laterMs = 0) => (await take(id, laterMs))?.item.title ?? 'none'
    for (const n of [1, 2] as const) await store.agents.ensure(`agent-${n}`, new Date())
    await store.agents.patch('agent-1', { wanted: 'running', status: 'working' })
    for (let left = await take('agent-6'); left !== null; left = await take('agent-6'));
    const givenBack = async (title: string) => {
      await store.items.add(newItem({ title }), new Date())
      const claim = await take('agent-1')
      if (claim === null) throw new Error('not claimed')
      const { projectNumber, number } = claim.item
      const item = { projectNumber, number }
      await store.events.append({
        id: `session:${claim.run.id}`,
        at: new Date(),
        item,
        agentId: 'agent-1',
        runId: claim.run.id,
        state: 'building',
        event: { type: 'run.session', engine: 'native', session: 's1' },
      })
      const move = { type: 'claim.released', why: 'overloaded', engine: 'native' } as const
      const order = { eventId: `release:${claim.run.id}`, fence: null, agentId: 'agent-1' as const, move }
      await worldOf(store).advance({ ...order, item })
    }
    await givenBack('back')
    await store.items.add(newItem({ title: 'new' }), new Date())
    // Others take what comes after it, and then nothing, however often they ask.
    expect(await titleOf('agent-2')).toBe('new')
    expect(await titleOf('agent-3')).toBe('none')
    expect(await titleOf('agent-1')).toBe('back')
    // Only for a while: the one that has it may be at work for hours.
    await givenBack('back again')
    expect(await titleOf('agent-2')).toBe('none')
    expect(await titleOf('agent-2', 61_000)).toBe('back again')
    // And not for one that is gone.
    await givenBack('left behind')
    await store.agents.patch('agent-1', { wanted: 'stopped' })
    expect(await titleOf('agent-2')).toBe('left behind')
  })

  test('who hangs up, and everybody when the daemon stops, waits no longer', async (context) => {
    const [store] = await openStores(context, 1)
    if (store === undefined) throw new Error('no store')
    const stopping = new AbortController()
    const gone = new AbortController()
    const waitList = new WaitList({ store, pollMs: () => LONG_MS, stopping: stopping.signal })
    const one = waitList.enterAgent('agent-1')?.called(LONG_MS, gone.signal)
    const two = waitList.enterAgent('agent-2')?.called(LONG_MS, NEVER)
    gone.abort()
    await one
    stopping.abort()
    await two
    await waitList.enterAgent('agent-3')?.called(LONG_MS, NEVER)
  })
})
