import { randomUUID } from 'node:crypto'
import type { AgentId, EventId, ItemRef } from '@treadle/contracts/ids'
import { verifies } from '@treadle/requirements/verifies'
import { describe, expect, test } from 'vitest'
import type { OpenStore } from '../connect.ts'
import { DRIVERS, newItem, newProject, useStore } from '../testing/both-drivers.ts'
import { claimFor } from '../testing/claim.ts'

const at = new Date('2026-01-02T03:04:05.678Z')

describe.each(DRIVERS)('claims on the %s database', (driver) => {
  const open = useStore(driver)
  const add = async ({ items }: OpenStore): Promise<ItemRef> => {
    const { projectNumber, number } = await items.add(newItem({ projectNumber: newProject() }), at)
    return { projectNumber, number }
  }
  const take = (store: OpenStore, ref: ItemRef, agentId: AgentId, requestId: EventId | null = null) =>
    claimFor(store, { ref, agentId, requestId, at })

  verifies(
    ['ORCH-2.1-6', 'AC-2.1.b'],
    'of twenty who claim at once exactly one wins, the others are told who, and the item leaves the queue',
    async (context) => {
      const store = await open(context)
      for (let round = 0; round < 25; round += 1) {
        const ref = await add(store)
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) => take(store, ref, `agent-${index + 1}`)),
        )
        const winners = answers.flatMap((answer, index) =>
          answer.is === 'taken' ? [`agent-${index + 1}`] : [],
        )
        expect(winners).toHaveLength(1)
        const losers = answers.filter(({ is }) => is !== 'taken')
        expect(losers).toEqual(
          Array.from({ length: 19 }, () => ({ is: 'held', by: winners[0], status: 'todo' })),
        )
        expect(await store.items.find(ref)).toMatchObject({
          claimedByAgentId: winners[0],
          claimedAt: at.toISOString(),
          fence: 1,
        })
        const queue = await store.items.queue(1_000)
        expect(queue.some(({ projectNumber }) => projectNumber === ref.projectNumber)).toBe(false)
      }
    },
  )

  test('the fence rises with every claim', async (context) => {
    const store = await open(context)
    const ref = await add(store)
    for (const fence of [1, 2, 3]) {
      expect(await take(store, ref, 'agent-1')).toEqual({ is: 'taken', fence })
      const item = await store.items.find(ref)
      if (item !== null) await store.items.save({ ...item, claimedByAgentId: null })
    }
  })

  test('the same request again gets the same answer; any other is refused, also from the holder', async (context) => {
    const store = await open(context)
    const ref = await add(store)
    const runId = randomUUID()
    const claim = { ref, agentId: 'agent-1', requestId: 'request-1', at }
    expect(await claimFor(store, { ...claim, runId })).toEqual({ is: 'taken', fence: 1 })
    const again = await claimFor(store, { ...claim, runId: randomUUID() })
    expect(again).toEqual({ is: 'repeated', fence: 1, runId })
    const held = { is: 'held', by: 'agent-1', status: 'todo' }
    expect(await take(store, ref, 'agent-1', 'request-2')).toEqual(held)
    expect(await take(store, ref, 'agent-1')).toEqual(held)
    expect(await take(store, ref, 'agent-2', 'request-1')).toEqual(held)
  })

  test('a request that is sent twice at once wins once', async (context) => {
    const store = await open(context)
    for (let round = 0; round < 10; round += 1) {
      const ref = await add(store)
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => take(store, ref, 'agent-1', `request-${round}-same`)),
      )
      expect(answers.map(({ is }) => is).sort()).toEqual([...Array(5).fill('repeated'), 'taken'])
      expect(new Set(answers.map((answer) => ('fence' in answer ? answer.fence : null)))).toEqual(
        new Set([1]),
      )
    }
  })

  test('a request that comes again after the item was put back does not claim it a second time', async (context) => {
    const store = await open(context)
    const ref = await add(store)
    expect(await take(store, ref, 'agent-1', 'request-late')).toEqual({ is: 'taken', fence: 1 })
    const item = await store.items.find(ref)
    if (item !== null) await store.items.save({ ...item, claimedByAgentId: null })
    expect(await take(store, ref, 'agent-1', 'request-late')).toMatchObject({ is: 'repeated', fence: 1 })
    expect((await store.items.find(ref))?.claimedByAgentId).toBeNull()
  })

  test('an item that was changed after it was looked at is not taken as it was', async (context) => {
    const store = await open(context)
    const ref = await add(store)
    const found = await store.claims.look(ref, { agentId: 'agent-1', requestId: null })
    if (found.is !== 'free') throw new Error(found.is)
    await store.items.save({ ...found.item, title: 'another title' })
    const runId = randomUUID()
    const run = { id: runId, item: ref, agentId: 'agent-1', fence: 1, at }
    const event = { type: 'claim.taken', agentId: 'agent-1', runId } as const
    const taken = await store.claims.take({
      changes: found.item,
      version: found.version,
      requestId: null,
      run,
      event: { id: `claim:${runId}`, event },
    })
    expect(taken).toBe(false)
    expect(await store.items.find(ref)).toMatchObject({
      title: 'another title',
      claimedByAgentId: null,
      fence: 0,
    })
    expect(await store.runs.find(runId)).toBeNull()
    expect(await store.events.ofItem(ref, 10)).toEqual([])
  })

  test('what is not in the queue cannot be claimed', async (context) => {
    const store = await open(context)
    expect(await take(store, { projectNumber: newProject(), number: 1 }, 'agent-1')).toEqual({
      is: 'missing',
    })
    const ref = await add(store)
    const item = await store.items.find(ref)
    if (item === null) throw new Error('no item')
    await store.items.save({ ...item, state: 'done' })
    expect(await take(store, ref, 'agent-1')).toEqual({ is: 'held', by: null, status: 'done' })
    await store.items.save({ ...item, state: 'backlog', needsHuman: true })
    expect(await take(store, ref, 'agent-1')).toEqual({ is: 'held', by: null, status: 'backlog' })
    await store.items.save({ ...item, state: 'rework' })
    expect(await take(store, ref, 'agent-1')).toEqual({ is: 'taken', fence: 1 })
  })
})
