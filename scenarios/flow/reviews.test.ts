// Reviews on real databases with a clock that tests move: who decides, who is told, and what comes too late.
import { randomUUID } from 'node:crypto'
import type { ItemRef } from '@treadle/contracts/ids'
import { needsReviewJob } from '@treadle/flow/review/facts'
import { runReview } from '@treadle/flow/review/review.run'
import { noticeOf } from '@treadle/flow/supervise/notify/notice'
import { beginNotices, type NotifyWorld, runNotices } from '@treadle/flow/supervise/notify/notify.run'
import { runSweep } from '@treadle/flow/supervise/sweep.run'
import { COMMIT, green, red, sampleConfig } from '@treadle/flow/work/testing/sample'
import { verifies } from '@treadle/requirements/verifies'
import { DRIVERS, useStore } from '@treadle/store/testing/both-drivers'
import { describe, expect, test } from 'vitest'
import {
  APPROVAL,
  answer,
  build,
  claim,
  delivered,
  held,
  itemOf,
  latest,
  REVIEWER,
  refOf,
  sweep,
  typesOf,
} from './judged.ts'
import { FlowWorld } from './world.ts'

const HOUR = 3_600_000

describe.each(DRIVERS)('reviews on the %s database', (driver) => {
  const open = useStore(driver)

  async function openWorld(
    context: Parameters<typeof open>[0],
    settings: object = REVIEWER,
  ): Promise<FlowWorld> {
    const world = new FlowWorld(await open(context))
    world.settings = sampleConfig(settings)
    return world
  }

  test('a delivery waits for the reviewer, and its answer decides it once', async (context) => {
    const world = await openWorld(context)
    const waiting = await delivered(world)
    expect(waiting).toMatchObject({ status: 'pending', waitsFor: 'reviewer', cycle: 1 })
    expect(await itemOf(world, waiting)).toMatchObject({ state: 'in_review', needsHuman: false })
    expect(await claim(world, waiting, 'agent-1')).toBeNull()
    const review = await claim(world, waiting)
    if (review === null) throw new Error('not to be claimed')
    expect(review).toMatchObject({ status: 'in_review', claimedByAgentId: 'review-agent', waitsFor: null })
    expect(await answer(world, review, APPROVAL, 0)).toMatchObject({ is: 'fenced' })
    expect(await answer(world, review, APPROVAL)).toMatchObject({
      is: 'taken',
      review: {
        status: 'approved',
        engine: 'scripted',
        model: 'm-1',
        criteria: [{ status: 'met', note: 'src/sum.ts:2 `two`' }],
      },
    })
    expect(await answer(world, review, APPROVAL)).toMatchObject({ is: 'duplicate' })
    const approval = { kind: 'reviewer', by: 'review-agent' }
    const acceptance = [{ text: 'The sum of nothing is 0', status: 'met' }]
    expect(await itemOf(world, review)).toMatchObject({ state: 'merging', approval, acceptance })
    expect((await typesOf(world, review)).filter((type) => type === 'review.approved')).toHaveLength(1)
    expect(await answer(world, { ...review, judgement: null }, APPROVAL)).toMatchObject({ is: 'missing' })
    const told = await typesOf(world, review)
    expect(told.filter((type) => /thought|claimed/.test(type))).toEqual([
      'thought.asked',
      'review.claimed',
      'thought.answered',
    ])
  })

  test('a reviewer that approves a protected path approves nothing: it is left to a person', async (context) => {
    const world = await openWorld(context)
    const review = await held(world)
    const shown = green()
    if (!('evidence' in shown)) throw new Error('a green gate has evidence')
    const words = 'acts outside of the tests: CI'
    const waits = [{ class: 'protected_path', file: 'ci.yml', line: null, words }] as const
    const brought = { gate: 'capabilities', is: 'passed_with_warnings', evidence: shown.evidence } as const
    const checks = [...review.checks, { ...brought, warnings: [words], waits: [...waits] }]
    await world.store.reviews.patch(review.id, { checks })
    expect(await answer(world, review, APPROVAL)).toMatchObject({
      is: 'taken',
      review: {
        status: 'pending',
        waitsFor: 'person',
        why: expect.stringContaining('protected path: ci.yml'),
      },
    })
    expect(await itemOf(world, review)).toMatchObject({
      state: 'in_review',
      needsHuman: true,
      approval: null,
    })
  })

  verifies(
    ['ORCH-3.5-1', 'ORCH-3.5-4', 'AC-3.5.f'],
    'rejections are counted and kept; the third is the last, with both views, a label and a word to the owner',
    async (context) => {
      const world = await openWorld(context)
      let review = await held(world)
      const ref = refOf(review)
      for (const cycle of [1, 2, 3]) {
        const text = `Status: REJECTED\n- [ ] C1: Not met (reason: it leaks, time ${cycle})`
        await answer(world, review, text)
        const item = await world.store.items.find(ref)
        expect(item).toMatchObject({ reviewCycles: cycle, state: cycle < 3 ? 'rework' : 'escalated' })
        expect(item?.status).toBe(cycle < 3 ? 'in_progress' : 'backlog')
        if (cycle === 3) break
        const claimed = await build(world, ref, 'agent-2')
        expect(claimed.reason).toContain(`it leaks, time ${cycle}`)
        const { id } = await latest(world, ref)
        review = (await claim(world, { id })) ?? review
      }
      const kept = await world.store.reviews.list({ item: ref, limit: 10 })
      expect(kept.map(({ cycle, status }) => [cycle, status])).toEqual([3, 2, 1].map((n) => [n, 'rejected']))
      expect(kept[0]?.feedback).toContain('## Review Feedback - Cycle 3/3')
      const events = await world.store.events.ofItem(ref, 100)
      const comments = events.flatMap(({ event }) => (event.type === 'item.commented' ? [event.text] : []))
      expect(comments).toHaveLength(4)
      for (const cycle of [1, 2, 3]) expect(comments.at(-1)).toContain(`it leaks, time ${cycle}`)
      expect(events.filter(({ event }) => event.type === 'owner.notified')).toHaveLength(1)
      expect((await world.store.items.find(ref))?.labels).toEqual(['review-escalation'])
      const move = { type: 'item.reopened', by: 'ada' } as const
      await world.advance({ item: ref, eventId: randomUUID(), fence: null, agentId: null, move })
      expect(await world.store.items.find(ref)).toMatchObject({ labels: [], reviewCycles: 0 })
    },
  )

  verifies('ORCH-S5-4', 'more send-backs than wanted are told to the owner, once', async (context) => {
    const world = await openWorld(context)
    const told: string[] = []
    for (let nth = 1; nth <= 11; nth += 1) {
      const review = await held(world)
      await answer(world, review, 'Status: REJECTED\n- [ ] C1: Not met (reason: it leaks)')
      for (const { event } of await world.store.events.ofItem(refOf(review), 100))
        if (event.type === 'owner.notified') told.push(`${nth}: ${event.text}`)
    }
    expect(told).toEqual([expect.stringMatching(/deliveries were sent back .*: criteria not met \d+\./)])
  })

  verifies(
    'ORCH-3.2-6',
    'what nobody takes for 2 h is flagged and told once, and can still be taken',
    async (context) => {
      const world = await openWorld(context)
      const review = await delivered(world)
      world.wait(2 * HOUR - 1_000)
      await runSweep(world)
      expect(await latest(world, refOf(review))).toMatchObject({ escalatedAt: null })
      world.wait(2_000)
      for (let nth = 0; nth < 3; nth += 1) await sweep(world)
      expect(await latest(world, refOf(review))).toMatchObject({
        status: 'pending',
        waitsFor: 'reviewer',
        escalatedAt: world.time.toISOString(),
      })
      expect(await itemOf(world, review)).toMatchObject({ state: 'in_review', needsHuman: true })
      const told = (await typesOf(world, review)).filter(
        (type) => type === 'owner.notified' || type === 'review.escalated',
      )
      expect(told).toEqual(['review.escalated', 'owner.notified'])
      expect(await claim(world, review)).not.toBeNull()
    },
  )

  /** What the owner is told of an item from now on. */
  async function telling(world: FlowWorld) {
    const { store, now, config } = world
    const quiet = { redact: (text: string) => text, onBug: () => undefined, isNews: () => true }
    const notifying: NotifyWorld = { store, now, config, ...quiet, stopping: new AbortController().signal }
    const from = await beginNotices(notifying)
    return async (of: ItemRef) => {
      // The feed lags while anybody on the same server has a transaction open.
      const told = async () => {
        await runNotices(notifying, from)
        const listed = await store.notifications.list({ all: true, limit: 100 })
        return listed.filter(
          ({ item }) => item?.number === of.number && item.projectNumber === of.projectNumber,
        )
      }
      await expect.poll(async () => (await told()).length, { timeout: 30_000 }).toBeGreaterThan(0)
      return told()
    }
  }

  verifies('AC-3.2.e', 'a review that was held for more than 2 h is told to the owner', async (context) => {
    const world = await openWorld(context)
    const toldOf = await telling(world)
    const review = await held(world)
    world.wait(2 * HOUR + 1_000)
    await sweep(world)
    expect(await toldOf(refOf(review))).toContainEqual(
      expect.objectContaining({
        type: 'review.overdue',
        level: 'warning',
        text: expect.stringContaining('review-agent has had the review for more than 2 h'),
      }),
    )
  })

  verifies(
    'AC-3.5.d',
    'the third rejection is told to the owner as an error, and labelled',
    async (context) => {
      const world = await openWorld(context)
      const toldOf = await telling(world)
      let review = await held(world)
      const ref = refOf(review)
      for (const cycle of [1, 2, 3]) {
        await answer(world, review, `Status: REJECTED\n- [ ] C1: Not met (reason: it leaks, time ${cycle})`)
        if (cycle === 3) break
        expect(await world.store.items.find(ref)).toMatchObject({ labels: [] })
        await build(world, ref, 'agent-2')
        const { id } = await latest(world, ref)
        review = (await claim(world, { id })) ?? review
      }
      const told = await toldOf(ref)
      expect(told).toMatchObject([{ type: 'item.escalated', level: 'error' }])
      expect(await world.store.items.find(ref)).toMatchObject({ labels: ['review-escalation'] })
    },
  )

  test('a claim older than 2 h ends, and a person decides; a halted reviewer is not judged', async (context) => {
    const world = await openWorld(context)
    const review = await held(world)
    world.wait(2 * HOUR + 1_000)
    await sweep(world, true)
    expect(await latest(world, refOf(review))).toMatchObject({ status: 'in_review' })
    await sweep(world)
    expect(await latest(world, refOf(review))).toMatchObject({
      status: 'pending',
      waitsFor: 'person',
      claimedByAgentId: null,
      why: expect.stringContaining('review-agent has had the review for more than 2 h'),
    })
    expect(await answer(world, review, APPROVAL)).toMatchObject({ is: 'fenced' })
    expect(await claim(world, review)).toBeNull()
    world.wait(HOUR)
    await runSweep(world)
    await runReview(world, refOf(review))
    expect(await latest(world, refOf(review))).toMatchObject({ status: 'pending', waitsFor: 'person' })
    expect((await typesOf(world, review)).filter((type) => type === 'owner.notified')).toHaveLength(1)
  })

  test('nobody who can read: the checks say what they can, and a person the rest', async (context) => {
    const world = await openWorld(context, { merge: { approval: 'reviewer' } })
    const mixed = await delivered(world)
    expect(mixed).toMatchObject({
      waitsFor: 'person',
      why: expect.stringContaining('engines.reviewer is not set'),
    })
    expect(await itemOf(world, mixed)).toMatchObject({ needsHuman: true, state: 'in_review' })
    const shown = await delivered(world, [{ id: null, text: 'All tests pass', status: 'pending' }])
    expect(shown).toMatchObject({ status: 'approved', decidedBy: 'checks' })
    const none = await delivered(world, [])
    expect(none.why).toContain('no acceptance criteria')
    world.wait(2 * HOUR + 1_000)
    await runSweep(world)
    expect(await latest(world, refOf(none))).toMatchObject({ escalatedAt: world.time.toISOString() })
    expect((await itemOf(world, none))?.reason).toContain('no acceptance criteria')
    for (const each of [mixed, none])
      expect((await typesOf(world, each)).filter((type) => type === 'owner.notified')).toHaveLength(2)
  })

  verifies(
    'AC-3.3.f',
    'the owner is told of a delivery without criteria, and that adding some or approving it goes on from there',
    async (context) => {
      const world = await openWorld(context, {
        merge: { approval: 'reviewer' },
        engines: { reviewer: 'scripted' },
      })
      const bare = await delivered(world, [])
      const [told] = (await world.store.events.ofItem(refOf(bare), 50, ['owner.notified'])) ?? []
      if (told === undefined) throw new Error('nobody was told')
      const asked = { context: '', options: [], allowFreeText: true, dueAt: null }
      const notice = noticeOf(told, { approval: 'reviewer', title: 'Bare', attempted: [], asked } as never)
      expect(notice?.text).toMatch(/no acceptance criteria.*add some.*or approve it yourself/)
      expect(notice?.nextSteps.map(({ command }) => command?.split(' ')[1])).toEqual([
        'review',
        'approve',
        'request-changes',
      ])
      const written = await delivered(world, [{ id: null, text: 'It is fast', status: 'pending' }])
      expect(await typesOf(world, written)).not.toContain('owner.notified')
    },
  )

  verifies(
    'AC-3.4.e',
    'a blocking check rejects with its details, whoever was to decide',
    async (context) => {
      for (const approval of ['reviewer', 'human', 'checks'] as const) {
        const world = await openWorld(context, { merge: { approval }, engines: { reviewer: 'scripted' } })
        const examine = async () =>
          ({
            is: 'examined',
            checks: [green(), red('linter_pass', ['no-unused'])],
            tree: COMMIT,
            repeats: null,
          }) as const
        const review = await delivered(Object.assign(world, { examine }))
        expect(review).toMatchObject({ status: 'rejected', decidedBy: 'checks', checkedTree: COMMIT })
        expect(review.feedback).toContain('Code quality: lint failed (1): no-unused: expected 1 to be 2')
        expect(await itemOf(world, review)).toMatchObject({ state: 'rework', reviewCycles: 1 })
      }
    },
  )

  test('a change of the settings counts for what waits', async (context) => {
    const world = await openWorld(context, { merge: { approval: 'human' } })
    const review = await delivered(world)
    expect(review).toMatchObject({ waitsFor: 'person', why: null })
    const isDue = async () => {
      const item = await itemOf(world, review)
      return item !== null && needsReviewJob(item, await latest(world, refOf(review)), world.config())
    }
    expect(await isDue()).toBe(false)
    world.settings = sampleConfig(REVIEWER)
    expect(await isDue()).toBe(true)
    await runReview(world, refOf(review))
    expect(await latest(world, refOf(review))).toMatchObject({ waitsFor: 'reviewer' })
    expect(await isDue()).toBe(false)
    world.settings = sampleConfig({ merge: { approval: 'checks' } })
    await runReview(world, refOf(review))
    expect(await itemOf(world, review)).toMatchObject({
      state: 'merging',
      approval: { kind: 'standing_order' },
    })
  })

  test('what is withdrawn while it is reviewed is over, and the answer comes too late', async (context) => {
    const world = await openWorld(context)
    const review = await held(world)
    const move = { type: 'item.withdrawn', by: 'ada' } as const
    await world.advance({ item: refOf(review), eventId: randomUUID(), fence: null, agentId: null, move })
    expect(await latest(world, refOf(review))).toMatchObject({ status: 'rejected', claimedByAgentId: null })
    expect(await answer(world, review, APPROVAL)).toMatchObject({ is: 'fenced' })
    expect(await itemOf(world, review)).toMatchObject({ state: 'withdrawn' })
  })
})
