// Orders that destroy something: shown, confirmed once, done exactly, written down. Played by hand, on both databases.
import { ApiError, type Client } from '@treadle/contracts/client'
import type { Order } from '@treadle/contracts/order'
import { verifies } from '@treadle/requirements/verifies'
import { describe, expect, test } from 'vitest'
import { type Daemon, DRIVERS } from '../kit/daemon.ts'
import { addItem, begin, build, delivery, itemOf, path, SOME_COMMIT, say, take } from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { LedClock } from '../kit/led-clock.ts'
import { eventually } from '../kit/wait.ts'

async function refusal(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.catch((thrown: unknown) => thrown)
  if (!(error instanceof ApiError)) throw new Error(`was not refused: ${JSON.stringify(error)}`)
  return error
}

/** As a person does it: looks, then says yes to what was shown. */
async function giveTo(client: Client, order: Order, by = 'ada') {
  const { confirm } = await client.previewOrder({ body: { order } })
  return client.giveOrder({ body: { order, by, confirm: confirm ?? undefined } })
}

async function queueOf({ client }: Daemon) {
  const { items } = await client.queue({ query: { limit: 1_000 } })
  return items.map(({ number, state, reason }) => ({ number, state, reason }))
}

describe.each(DRIVERS)('on the %s database', (driver) => {
  // Nothing but the orders of the test releases anything.
  const open = useInProcess(driver, { settings: { limits: { sweepMs: 3_600_000 } } })

  verifies(
    ['ORCH-5.5-9', 'ORCH-5.5-10'],
    'without a confirmation of just this order and this impact, nothing is done and the impact is told',
    async (context) => {
      const daemon = await open(context)
      const { client } = daemon
      const ref = await addItem(client)
      const before = await queueOf(daemon)
      const order: Order = { is: 'purge' }
      const shown = await client.previewOrder({ body: { order } })
      expect(shown.impact.text).toMatch(/^This will withdraw \d+ items? from the queue: .*#\d+/)
      expect(shown.impact.items).toContainEqual(ref)
      const token = shown.confirm ?? ''
      const bare = await refusal(client.giveOrder({ body: { order } }))
      expect(bare).toMatchObject({ status: 409, code: 'confirm_needed' })
      expect(bare.details).toMatchObject({ impact: shown.impact })
      for (const confirm of ['made-up', `${token}x`])
        expect(await refusal(client.giveOrder({ body: { order, confirm } }))).toMatchObject({
          code: 'confirm_needed',
        })
      // A yes to one order is no yes to another, and is used up by being tried.
      const other: Order = { is: 'recover' }
      expect(await refusal(client.giveOrder({ body: { order: other, confirm: token } }))).toMatchObject({
        code: 'confirm_needed',
      })
      expect(await refusal(client.giveOrder({ body: { order, confirm: token } }))).toMatchObject({
        code: 'confirm_needed',
      })
      // What was shown is no longer what would be hit.
      const old = await client.previewOrder({ body: { order } })
      await addItem(client)
      const stale = await refusal(client.giveOrder({ body: { order, confirm: old.confirm ?? '' } }))
      expect(stale).toMatchObject({ status: 409, code: 'confirm_needed' })
      expect(stale.message).toContain('what it will hit has changed')
      expect(await queueOf(daemon)).toEqual([...before, expect.objectContaining({ state: 'todo' })])
      // The refusal carries the way on.
      const { confirm } = stale.details as { confirm: string }
      expect(await client.giveOrder({ body: { order, confirm, by: 'ada' } })).toMatchObject({
        order: 'purge',
        by: 'ada',
        failed: [],
      })
      expect(await queueOf(daemon)).toEqual([])
      expect(await refusal(client.giveOrder({ body: { order: { is: 'recover' }, confirm } }))).toMatchObject({
        code: 'confirm_needed',
      })
    },
  )

  verifies(
    'ORCH-5.5-5',
    'a purge withdraws what is queued, and its undo puts exactly that back',
    async (context) => {
      const daemon = await open(context)
      const { client } = daemon
      await giveTo(client, { is: 'purge' })
      const todo = await addItem(client, { priority: 3 })
      const backlog = await addItem(client, { status: 'backlog' })
      const held = await begin(daemon)
      const sentBack = await begin(daemon)
      await build(sentBack)
      await say(sentBack, delivery(sentBack, SOME_COMMIT))
      await client.rejectItem({ params: path(sentBack.ref), body: { feedback: 'add a test' } })
      const gone = await addItem(client)
      await client.withdrawItem({ params: path(gone) })
      const before = await queueOf(daemon)
      expect(before.map(({ state }) => state).sort()).toEqual(['backlog', 'rework', 'todo'])

      const purged = await giveTo(client, { is: 'purge' })
      expect(purged.outcome).toContain(`#${todo.number}`)
      expect(await queueOf(daemon)).toEqual([])
      expect(await itemOf({ client, ref: todo })).toMatchObject({ state: 'withdrawn', status: 'withdrawn' })
      expect(await itemOf(held)).toMatchObject({ state: 'claimed', claimedByAgentId: 'agent-1' })
      // Meanwhile a person has decided otherwise about one of them.
      await client.reopenItem({ params: path(backlog) })
      await client.withdrawItem({ params: path(backlog) })

      const undo = await giveTo(client, { is: 'undo_purge', purge: purged.id })
      expect(undo.failed).toEqual([])
      expect(await queueOf(daemon)).toEqual(before.filter(({ number }) => number !== backlog.number))
      expect(await itemOf({ client, ref: sentBack.ref })).toMatchObject({
        state: 'rework',
        needsRework: true,
        reviewCycles: 1,
        reason: 'add a test',
      })
      for (const ref of [backlog, gone])
        expect(await itemOf({ client, ref })).toMatchObject({ state: 'withdrawn' })
      const again = await giveTo(client, { is: 'undo_purge', purge: null })
      expect(again).toMatchObject({ outcome: 'there was nothing to put back', failed: [] })
      await giveTo(client, { is: 'purge' })
    },
  )

  verifies(
    ['ORCH-2.5-7', 'AC-2.5.d'],
    'a reassigned item leaves its holder, who is fenced off, and is there for others',
    async (context) => {
      const daemon = await open(context)
      const { client } = daemon
      const work = await begin(daemon)
      await say(work, { type: 'build.started', branch: 'b', base: SOME_COMMIT })
      const order: Order = { is: 'reassign', item: work.ref, to: null }
      const shown = await client.previewOrder({ body: { order } })
      expect(shown.impact).toMatchObject({
        text: expect.stringMatching(
          `^This will take #${work.ref.number} from agent-1 and put it back in the queue for the others; what was done so far is kept`,
        ),
        items: [work.ref],
      })
      await giveTo(client, order)
      const { item, runs } = await client.showItem({ params: path(work.ref) })
      expect(item).toMatchObject({ state: 'backlog', claimedByAgentId: null, reason: 'put back by ada' })
      expect(runs).toMatchObject([{ outcome: 'released' }])
      const late = { type: 'build.finished', summary: 'late', checkpoint: SOME_COMMIT } as const
      expect(await refusal(say(work, late))).toMatchObject({ status: 409, code: 'fenced' })
      const next = await take(daemon, work.ref, 'agent-2')
      expect(next.claim.fence).toBe(work.claim.fence + 1)
      expect(await refusal(say(work, { type: 'run.resumed', from: 'x', why: 'y' }))).toMatchObject({
        code: 'fenced',
      })
      // To whom it is already with: nothing happens, and nothing is wrong.
      const same = await giveTo(client, { is: 'reassign', item: work.ref, to: 'agent-2' })
      expect(same).toMatchObject({ failed: [], outcome: expect.stringContaining('already') })
      expect(await itemOf(next)).toMatchObject({ claimedByAgentId: 'agent-2' })
      await build(next)
      await say(next, delivery(next, SOME_COMMIT))
      expect(await refusal(giveTo(client, order))).toMatchObject({ status: 409, code: 'refused' })
      const nobody: Order = { is: 'reassign', item: work.ref, to: 'agent-99' }
      expect(await refusal(giveTo(client, nobody))).toMatchObject({ status: 404, code: 'not_found' })
    },
  )

  verifies('ORCH-5.5-4', 'claims that are stuck go back to the backlog', async (context) => {
    const daemon = await open(context)
    const { client } = daemon
    await giveTo(client, { is: 'recover' })
    // Nobody is behind a claim that was taken by hand.
    const work = await begin(daemon)
    const done = await giveTo(client, { is: 'recover' })
    expect(done.impact.text).toBe(
      `This will release 1 claim and return the items to the backlog: #${work.ref.number} (agent-1 is gone)`,
    )
    expect(await itemOf(work)).toMatchObject({
      state: 'backlog',
      status: 'backlog',
      claimedByAgentId: null,
      reason: 'recovered by ada: its holder is gone',
    })
    expect(await giveTo(client, { is: 'recover' })).toMatchObject({
      outcome: 'no claim was stuck',
      failed: [],
    })
  })

  verifies(
    ['ORCH-5.5-11', 'AC-5.5.f'],
    'every order is written down with who gave it and when, also those that were refused',
    async (context) => {
      const daemon = await open(context)
      const { client } = daemon
      const began = Date.now()
      const ref = await addItem(client)
      await client.withdrawItem({ params: path(ref), body: { by: 'grace' } })
      await client.reopenItem({ params: path(ref) })
      await refusal(client.approveItem({ params: path(ref), body: { by: 'ada' } }))
      await client.wantAgent({ params: { id: 'agent-1', order: 'stop' }, body: { by: 'ada' } })
      await giveTo(client, { is: 'emergency_stop' })
      await giveTo(client, { is: 'pause_all', now: false })
      const { items } = await client.audit({ query: { limit: 6 } })
      const target = `#${ref.number}`
      expect(items).toMatchObject([
        { order: 'pause_all', by: 'ada', target: null },
        { order: 'emergency_stop', by: 'ada', impact: expect.stringContaining('No agent') },
        { order: 'stop', by: 'ada', target: 'agent-1' },
        { order: 'approve', by: 'ada', target, outcome: expect.stringContaining('not done: ') },
        { order: 'reopen', by: 'owner', target, outcome: `${target} is backlog` },
        { order: 'withdraw', by: 'grace', target, outcome: `${target} is withdrawn` },
      ])
      for (const { at } of items) expect(Date.parse(at)).toBeGreaterThanOrEqual(began - 1_000)
      const older = await client.audit({ query: { limit: 1, before: items[4]?.cursor } })
      expect(older.items).toEqual([items[5]])
      const posing = client.withdrawItem({ params: path(ref), body: { by: 'system:budget' } })
      expect(await refusal(posing)).toMatchObject({ status: 400, code: 'bad_request' })
    },
  )

  test('orders to agents and items that are not there are 404', async (context) => {
    const { client } = await open(context)
    for (const order of [
      { is: 'reset', agentId: 'agent-99' },
      { is: 'reassign', item: { projectNumber: 1, number: 999_999 }, to: null },
    ] satisfies Order[])
      expect(await refusal(client.previewOrder({ body: { order } }))).toMatchObject({ status: 404 })
  })
})

describe('with a claim that may last a moment', () => {
  const SWEEP_MS = 3_600_000
  const clock = new LedClock()
  const open = useInProcess('any', { clock, settings: { limits: { sweepMs: SWEEP_MS, claimMs: 60_000 } } })

  verifies('ORCH-5.5-4', 'a claim that is older than the limit is released', async (context) => {
    const daemon = await open(context)
    const work = await begin(daemon)
    // The sweep of the start may still be under way, and would be the one that releases it.
    await eventually('the end of the first sweep', () => (clock.hasAlarmIn(SWEEP_MS) ? true : undefined))
    // Longer than a claim may last, and shorter than the time to the next sweep, which would release it by itself.
    clock.pass(120_000)
    const done = await giveTo(daemon.client, { is: 'recover' })
    expect(done.impact.text).toContain(`#${work.ref.number} (held by agent-1 for `)
    expect(await itemOf(work)).toMatchObject({
      state: 'backlog',
      reason: 'recovered by ada: held for too long',
    })
  })
})
