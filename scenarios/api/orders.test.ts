import { ApiError } from '@treadle/contracts/client'
import type { ItemState } from '@treadle/contracts/item'
import { describe, expect, test } from 'vitest'
import type { Daemon } from '../kit/daemon.ts'
import {
  addItem,
  begin,
  build,
  delivery,
  itemOf,
  path,
  SOME_COMMIT,
  say,
  take,
  type Work,
} from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'

const open = useInProcess('any')
type Order = 'approve' | 'reject' | 'withdraw' | 'reopen' | 'release'
const ORDERS: readonly Order[] = ['approve', 'reject', 'withdraw', 'reopen', 'release']

function give({ client }: Daemon, order: Order, ref: Work['ref']) {
  const params = path(ref)
  switch (order) {
    case 'approve':
      return client.approveItem({ params, body: { by: 'Ada' } })
    case 'reject':
      return client.rejectItem({ params, body: { by: 'Ada', feedback: 'add a test' } })
    case 'withdraw':
      return client.withdrawItem({ params, body: { by: 'Ada' } })
    case 'reopen':
      return client.reopenItem({ params, body: { by: 'Ada' } })
    case 'release':
      return client.releaseItem({ params, body: { why: 'needed elsewhere' } })
  }
}

/** An item that stands in the state, with what led there. */
async function inState(daemon: Daemon, state: ItemState): Promise<Pick<Work, 'client' | 'ref'>> {
  if (state === 'todo' || state === 'backlog')
    return { client: daemon.client, ref: await addItem(daemon.client, { status: state }) }
  const work = await begin(daemon)
  if (state === 'building') await say(work, { type: 'build.started', branch: 'b', base: SOME_COMMIT })
  if (state === 'verifying' || state === 'in_review' || state === 'rework') await build(work)
  if (state === 'in_review' || state === 'rework') await say(work, delivery(work, SOME_COMMIT))
  if (state === 'rework') await give(daemon, 'reject', work.ref)
  if (state === 'escalated') await say(work, { type: 'item.escalated', why: 'which one?' })
  if (state === 'withdrawn') await give(daemon, 'withdraw', work.ref)
  return work
}

/** Where each order leads; everything else is refused. Approving is in merge.test.ts, with real commits. */
const LEADS: Partial<Record<ItemState, Partial<Record<Order, ItemState>>>> = {
  todo: { withdraw: 'withdrawn' },
  backlog: { withdraw: 'withdrawn' },
  claimed: { withdraw: 'withdrawn', release: 'backlog' },
  building: { withdraw: 'withdrawn', release: 'backlog' },
  verifying: { withdraw: 'withdrawn', release: 'backlog' },
  in_review: { withdraw: 'withdrawn', reject: 'rework' },
  rework: { withdraw: 'withdrawn' },
  escalated: { withdraw: 'withdrawn', reopen: 'backlog' },
  withdrawn: { reopen: 'backlog' },
}

describe.each(Object.keys(LEADS) as ItemState[])('orders about an item that is %s', (state) => {
  test('are followed or refused with the state', async (context) => {
    const daemon = await open(context)
    for (const order of ORDERS) {
      if (state === 'in_review' && order === 'approve') continue
      const at = await inState(daemon, state)
      const before = await itemOf(at)
      expect(before.state).toBe(state)
      const to = LEADS[state]?.[order]
      if (to !== undefined) {
        expect(await give(daemon, order, at.ref), order).toMatchObject({ state: to, claimedByAgentId: null })
        continue
      }
      const error = await give(daemon, order, at.ref).catch((thrown: unknown) => thrown)
      expect(error, order).toBeInstanceOf(ApiError)
      expect(error, order).toMatchObject({ status: 409, code: 'refused', details: { state } })
      expect((error as ApiError).message).toContain(state.replaceAll('_', ' '))
      expect(await itemOf(at)).toEqual(before)
    }
  })
})

test('orders about an item that is not there are 404', async (context) => {
  const daemon = await open(context)
  for (const order of ORDERS)
    await expect(give(daemon, order, { projectNumber: 1, number: 999_999 }), order).rejects.toMatchObject({
      status: 404,
      code: 'not_found',
    })
})

test('a release ends the run and puts the item back for others', async (context) => {
  const daemon = await open(context)
  const work = await begin(daemon)
  await give(daemon, 'release', work.ref)
  const { item, runs } = await daemon.client.showItem({ params: path(work.ref) })
  expect(item).toMatchObject({
    state: 'backlog',
    status: 'backlog',
    reason: 'needed elsewhere',
    claimedAt: null,
  })
  expect(runs).toMatchObject([{ status: 'error', outcome: 'released' }])
  expect(runs[0]?.endedAt).not.toBeNull()
  expect((await take(daemon, work.ref, 'agent-2')).claim.fence).toBe(work.claim.fence + 1)
})

test('a rejection sends the item back first in the queue, and the third one asks a person', async (context) => {
  const daemon = await open(context)
  const { client } = daemon
  const ref = await addItem(client)
  for (const cycle of [1, 2, 3]) {
    const work = await take(daemon, ref)
    expect(work.claim.item.reason).toBe(cycle === 1 ? null : 'add a test')
    await build(work)
    await say(work, delivery(work, SOME_COMMIT))
    expect(await itemOf(work)).toMatchObject({ state: 'in_review', needsHuman: true, approval: null })
    const sent = await give(daemon, 'reject', ref)
    expect(sent).toMatchObject({ reviewCycles: cycle, reason: 'add a test', approval: null })
    if (cycle === 3) {
      expect(sent).toMatchObject({ state: 'escalated', needsHuman: true })
      expect((await client.queue()).items.some(({ number }) => number === ref.number)).toBe(false)
      continue
    }
    expect(sent).toMatchObject({ state: 'rework', status: 'in_progress', needsRework: true })
    await addItem(client, { title: 'urgent', priority: 0 })
    const reworks = (await client.queue()).items.filter(({ state }) => state === 'rework')
    const firsts = (await client.queue({ query: { limit: reworks.length } })).items
    expect(firsts.map(({ number }) => number)).toContain(ref.number)
  }
  expect(await give(daemon, 'reopen', ref)).toMatchObject({ state: 'backlog', reviewCycles: 0, reason: null })
})
