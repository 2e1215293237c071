import { randomUUID } from 'node:crypto'
import { ApiError } from '@treadle/contracts/client'
import type { RunReport } from '@treadle/contracts/event'
import { describe, expect, test } from 'vitest'
import { DRIVERS } from '../kit/daemon.ts'
import {
  begin,
  build,
  delivery,
  itemOf,
  path,
  red,
  SOME_COMMIT,
  say,
  take,
  type Work,
} from '../kit/hand-agent.ts'
import { useInProcess } from '../kit/in-process.ts'
import { refusal, send } from '../kit/raw-http.ts'

const started: RunReport = { type: 'build.started', branch: 'agent-1/project-1', base: SOME_COMMIT }
const finished: RunReport = { type: 'build.finished', summary: 'done', checkpoint: SOME_COMMIT }
const note: RunReport = { type: 'run.resumed', from: 'build', why: 'restarted' }
const refused = (told: Promise<unknown>) => told.catch((error: unknown) => error)
/** Without what is learned from the run that was lost, which comes when it comes. */
const eventsOf = async ({ client, ref }: Work) =>
  (await client.showItem({ params: path(ref) })).events.filter(
    ({ event }) => event.type !== 'run.reviewed' && event.type !== 'run.learned',
  )

const daemons = { embedded: useInProcess('embedded'), server: useInProcess('server') }

describe.each(DRIVERS)('reports of a run on the %s database', (driver) => {
  const open = daemons[driver]

  test('under a fence that was lost they are fenced off and change nothing', async (context) => {
    const daemon = await open(context)
    const old = await begin(daemon)
    await say(old, started)
    await daemon.client.releaseItem({ params: path(old.ref), body: {} })
    const fenced = { status: 409, code: 'fenced' }
    expect(await refused(say(old, finished))).toMatchObject({
      ...fenced,
      details: { state: 'backlog', holder: null },
    })
    const now = await take(daemon, old.ref, 'agent-2')
    expect(now.claim.fence).toBe(old.claim.fence + 1)
    const before = await itemOf(now)
    const events = await eventsOf(now)
    for (const event of [started, finished, note]) {
      const error = await refused(say(old, event))
      expect(error).toBeInstanceOf(ApiError)
      expect(error).toMatchObject({ ...fenced, details: { fence: now.claim.fence, holder: 'agent-2' } })
      expect(await refused(say(now, event, { fence: old.claim.fence }))).toMatchObject(fenced)
      expect(await refused(say(now, event, { fence: now.claim.fence + 1 }))).toMatchObject(fenced)
    }
    expect(await itemOf(now)).toEqual(before)
    expect(await eventsOf(now)).toEqual(events)
    expect(await say(now, started)).toEqual({ is: 'advanced', state: 'building' })
  })

  test('after a withdrawal they are fenced off too', async (context) => {
    const daemon = await open(context)
    const work = await begin(daemon)
    await say(work, started)
    await daemon.client.withdrawItem({ params: path(work.ref), body: { by: 'Ada' } })
    expect(await refused(say(work, finished))).toMatchObject({
      code: 'fenced',
      details: { state: 'withdrawn' },
    })
    expect(await itemOf(work)).toMatchObject({ state: 'withdrawn', claimedByAgentId: null })
  })

  test('with an event id that was seen they are duplicates and change nothing', async (context) => {
    const daemon = await open(context)
    const work = await begin(daemon)
    await say(work, started)
    const eventId = randomUUID()
    expect(await say(work, finished, { eventId })).toEqual({ is: 'advanced', state: 'verifying' })
    const [item, events] = [await itemOf(work), await eventsOf(work)]
    expect(await say(work, finished, { eventId })).toEqual({ is: 'duplicate', state: 'verifying' })
    expect(await say(work, delivery(work, SOME_COMMIT), { eventId })).toEqual({
      is: 'duplicate',
      state: 'verifying',
    })
    expect(await say(work, note, { eventId })).toEqual({ is: 'duplicate', state: 'verifying' })
    expect(await itemOf(work)).toEqual(item)
    expect(item.attempts).toBe(1)
    expect(await eventsOf(work)).toEqual(events)
    const noteId = randomUUID()
    expect(await say(work, note, { eventId: noteId })).toEqual({ is: 'recorded', state: null })
    expect(await say(work, note, { eventId: noteId })).toMatchObject({ is: 'duplicate' })
    expect((await eventsOf(work)).length).toBe(events.length + 1)
  })

  test('sent ten times at once they count once', async (context) => {
    const daemon = await open(context)
    const work = await begin(daemon)
    await say(work, started)
    const eventId = randomUUID()
    const told = await Promise.all(Array.from({ length: 10 }, () => say(work, finished, { eventId })))
    expect(told.filter(({ is }) => is === 'advanced')).toHaveLength(1)
    expect(told.filter(({ is }) => is === 'duplicate')).toHaveLength(9)
    expect((await eventsOf(work)).filter(({ event }) => event.type === 'build.finished')).toHaveLength(1)
    expect((await itemOf(work)).attempts).toBe(1)
  })
})

describe('reports that the state does not allow', () => {
  const open = daemons.embedded

  test('are refused with the state, and change nothing', async (context) => {
    const daemon = await open(context)
    const work = await begin(daemon)
    const failed: RunReport = { type: 'verify.failed', gates: [red], why: 'red' }
    const passed = delivery(work, SOME_COMMIT)
    const buildFailed: RunReport = { type: 'build.failed', outcome: 'refused', why: 'no' }
    const notNow: [string, RunReport[], RunReport | null][] = [
      ['claimed', [finished, failed, passed, buildFailed], started],
      ['building', [failed, passed], finished],
      ['verifying', [started, finished, buildFailed], failed],
      ['improving', [started, failed, passed], null],
    ]
    for (const [state, events, next] of notNow) {
      const before = await itemOf(work)
      expect(before.state).toBe(state)
      for (const event of events) {
        const error = await refused(say(work, event))
        expect(error, `${event.type} in ${state}`).toMatchObject({
          status: 409,
          code: 'refused',
          details: { state },
        })
      }
      expect(await itemOf(work)).toEqual(before)
      if (next !== null) await say(work, next)
    }
  })

  test('are told apart from runs nobody knows and from what only the daemon may say', async (context) => {
    const daemon = await open(context)
    const work = await begin(daemon)
    await build(work)
    const report = (id: string, event: unknown) =>
      refusal(daemon, {
        method: 'POST',
        path: `/api/runs/${id}/events`,
        body: JSON.stringify({ eventId: randomUUID(), fence: work.claim.fence, event }),
      })
    expect(await report(randomUUID(), started)).toEqual({ status: 404, code: 'not_found' })
    expect(await report('1', started)).toEqual({ status: 400, code: 'bad_request' })
    const approval = { kind: 'human', by: 'agent-1', at: new Date().toISOString() }
    const notForAgents = [
      { type: 'review.approved', approval },
      { type: 'review.rejected', by: 'agent-1', feedback: 'no' },
      { type: 'merge.landed', commit: SOME_COMMIT, target: 'main' },
      { type: 'merge.failed', gates: [], why: 'x' },
      { type: 'claim.taken', agentId: 'agent-1', runId: work.claim.run.id },
      { type: 'claim.expired', why: 'x' },
      { type: 'item.withdrawn', by: 'agent-1' },
      { type: 'item.reopened', by: 'agent-1' },
      { type: 'deadline.passed', state: 'building' },
      { type: 'agent.crashed', why: 'x' },
      { type: 'daemon.started', version: '0', store: 'embedded' },
      { type: 'unheard_of' },
      { ...delivery(work, SOME_COMMIT), gates: [] },
      { ...delivery(work, SOME_COMMIT), gates: [{ is: 'passed', gate: 'tests_pass' }] },
      { ...delivery(work, SOME_COMMIT), head: 'HEAD' },
    ]
    for (const event of notForAgents)
      expect(await report(work.claim.run.id, event), event.type).toEqual({ status: 400, code: 'bad_request' })
    expect((await itemOf(work)).state).toBe('verifying')
    expect((await send(daemon, { path: `/api/runs/${work.claim.run.id}` })).status).toBe(200)
  })
})
