import { randomUUID } from 'node:crypto'
import type { Review } from '@treadle/contracts/review'
import { verifies } from '@treadle/requirements/verifies'
import { describe, expect, test } from 'vitest'
import type { OpenStore } from '../connect.ts'
import { DRIVERS, newItem, newProject, useStore } from '../testing/both-drivers.ts'

const HEAD = 'a'.repeat(40)
const START = Date.parse('2026-01-02T03:04:05.000Z')
const after = (ms: number) => new Date(START + ms)
const HOUR = 3_600_000

async function deliver(
  { items, reviews }: OpenStore,
  at: Date,
  projectNumber = newProject(),
): Promise<Review> {
  const { number } = await items.add(newItem({ projectNumber, title: 'T' }), at)
  const criteria = [{ id: 'C1', description: 'Is\0 fast', status: 'pending', note: null } as const]
  const about = { item: { projectNumber, number }, branch: 'agent-1/project-1', head: HEAD }
  return reviews.enqueue({ ...about, runId: randomUUID(), cycle: 1, agentId: 'agent-1', criteria }, at)
}

describe.each(DRIVERS)('%s', (driver) => {
  const open = useStore(driver)

  verifies(
    ['ORCH-3.2-2', 'ORCH-3.3-2'],
    'a delivery has one review, kept with its criteria',
    async (context) => {
      const { reviews, items } = await open(context)
      const review = await deliver({ reviews, items } as OpenStore, after(0))
      expect(review).toMatchObject({
        issueTitle: 'T',
        status: 'pending',
        waitsFor: 'checks',
        cycle: 1,
        judgement: null,
        completedAt: after(0).toISOString(),
        criteria: [{ id: 'C1', description: 'Is\uFFFD fast', status: 'pending' }],
        checks: [],
      })
      const item = { projectNumber: review.projectNumber, number: review.issueNumber }
      const { runId, branchName: branch, headCommit: head } = review
      const again = { item, branch, head, runId, agentId: 'agent-1', criteria: [] }
      expect(await reviews.enqueue({ ...again, cycle: 1 }, after(9))).toEqual(review)
      const next = await reviews.enqueue({ ...again, cycle: 2 }, after(9))
      expect(next.id).not.toBe(review.id)
      expect(await reviews.latest(item)).toEqual(next)
      expect((await reviews.list({ item, limit: 9 })).map(({ cycle }) => cycle)).toEqual([2, 1])
      for (const status of ['approved', 'rejected'] as const) {
        await reviews.patch(review.id, { status, waitsFor: null, decidedBy: 'ada', decidedAt: after(3) })
        expect(await reviews.find(review.id)).toMatchObject({ status, decidedBy: 'ada' })
      }
      expect(await reviews.list({ item, status: 'rejected', limit: 9 })).toHaveLength(1)
      expect(await reviews.find(4_000_000)).toBeNull()
      await reviews.patch(next.id, { status: 'approved' })
    },
  )

  async function ask({ reviews, thoughts }: OpenStore, review: Review, id = randomUUID()): Promise<string> {
    const { projectNumber, issueNumber: number, runId } = review
    await thoughts.add(
      {
        id,
        kind: 'review_judge',
        subject: `review-${review.id}`,
        work: { item: { projectNumber, number }, runId },
        engine: 'native',
        use: 'review',
        system: '',
        prompt: 'Judge it',
        schema: null,
        deadlineAt: null,
      },
      after(0),
    )
    await reviews.patch(review.id, { waitsFor: 'reviewer', thoughtId: id })
    return id
  }

  verifies(
    ['AC-3.2.c', 'ORCH-3.2-4'],
    'of many who claim the judgement of one review at once, one gets it, and the review says so',
    async (context) => {
      const store = await open(context)
      const { reviews, thoughts } = store
      const review = await deliver(store, after(0))
      const id = await ask(store, review)
      const agents = ['review-agent', ...Array.from({ length: 9 }, (_, at) => `agent-${at + 2}`)]
      const claims = await Promise.all(
        agents.map((agentId) => thoughts.claim(id, { agentId, at: after(2), keyHash: agentId })),
      )
      const got = claims.flatMap((claim) => claim ?? [])
      expect(got).toHaveLength(1)
      const holder = got[0]?.agentId ?? 'nobody'
      const read = {
        status: 'in_review',
        waitsFor: null,
        claimedByAgentId: holder,
        claimedAt: after(2).toISOString(),
        judgement: { thoughtId: id, engine: 'native', fence: 1 },
      }
      expect(await reviews.find(review.id)).toMatchObject(read)
      expect(await reviews.ofThought(id)).toMatchObject({ ...read, id: review.id })
      const ids = async (status: Review['status']) =>
        (await reviews.list({ status, limit: 1_000 })).map((each) => each.id)
      expect([await ids('in_review'), await ids('pending')].map((list) => list.includes(review.id))).toEqual([
        true,
        false,
      ])
      expect((await reviews.queue({ limit: 1_000 })).map((each) => each.id)).not.toContain(review.id)
      await thoughts.release({ agentId: holder }, 'stopped')
      const waits = { status: 'pending', waitsFor: 'reviewer', claimedByAgentId: null, claimedAt: null }
      expect(await reviews.find(review.id)).toMatchObject(waits)
      await thoughts.claim(id, { agentId: holder, at: after(3) })
      await reviews.patch(review.id, { status: 'approved', waitsFor: null })
      expect(await reviews.find(review.id)).toMatchObject({ status: 'approved', claimedByAgentId: null })
    },
  )

  verifies(
    ['AC-3.2.b', 'ORCH-3.2-3'],
    'pending reviews come with the longest delivered first',
    async (context) => {
      const store = await open(context)
      const { reviews } = store
      const [late, first, middle] = [
        await deliver(store, after(30)),
        await deliver(store, after(10)),
        await deliver(store, after(20)),
      ]
      const queued = async (waitsFor?: 'person' | 'checks') =>
        (await reviews.queue({ waitsFor, limit: 100 })).map(({ id }) => id)
      expect(await queued()).toEqual([first.id, middle.id, late.id])
      await reviews.patch(middle.id, { waitsFor: 'person', why: 'no criteria' })
      expect(await queued('person')).toEqual([middle.id])
      await reviews.patch(first.id, { status: 'rejected', waitsFor: null })
      expect(await queued()).toEqual([middle.id, late.id])
      for (const { id } of [middle, late]) await reviews.patch(id, { status: 'approved' })
    },
  )

  test('what waits for too long is found once, and not while somebody reads it', async (context) => {
    const store = await open(context)
    const { reviews, thoughts } = store
    const [waiting, read] = [await deliver(store, after(0)), await deliver(store, after(0))]
    await reviews.patch(waiting.id, { waitsFor: 'person' })
    const id = await ask(store, read)
    await thoughts.claim(id, { agentId: 'review-agent', at: after(0) })
    const overdue = async (at: number) => (await reviews.overdue(after(at), 10)).map((each) => each.id)
    expect(await overdue(0)).toEqual([])
    expect(await overdue(1)).toEqual([waiting.id])
    await reviews.patch(waiting.id, { escalatedAt: after(2) })
    expect(await overdue(HOUR)).toEqual([])
    await thoughts.release({ agentId: 'review-agent', id }, 'stopped')
    expect(await overdue(HOUR)).toEqual([read.id])
    for (const each of [waiting, read]) await reviews.patch(each.id, { status: 'approved' })
  })
})
