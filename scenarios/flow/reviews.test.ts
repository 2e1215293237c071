// Reviews on real databases with a clock that tests move: who decides, who is told, and what comes too late.
import { randomUUID } from 'node:crypto'
import type { RunReport } from '@treadle/contracts/event'
import type { ItemRef } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { Review } from '@treadle/contracts/review'
import { advance } from '@treadle/flow/advance'
import { runClaim } from '@treadle/flow/claim/claim.run'
import { report } from '@treadle/flow/report.run'
import { needsReviewJob } from '@treadle/flow/review/facts'
import { runAnswer } from '@treadle/flow/review/judge.run'
import { runReview } from '@treadle/flow/review/review.run'
import { beginNotices, type NotifyWorld, runNotices } from '@treadle/flow/supervise/notify/notify.run'
import { runSweep } from '@treadle/flow/supervise/sweep.run'
import { COMMIT, green, red, sampleConfig } from '@treadle/flow/work/testing/sample'
import { verifies } from '@treadle/requirements/verifies'
import { DRIVERS, useStore } from '@treadle/store/testing/both-drivers'
import { describe, expect, test } from 'vitest'
import { FlowWorld } from './world.ts'

const HOUR = 3_600_000
const REVIEWER = { merge: { approval: 'reviewer' }, engines: { reviewer: 'scripted' } }
const CRITERIA = [{ id: null, text: 'The sum of nothing is 0', status: 'pending' }] as const
const PROVEN = [green(), green('witness')]
const APPROVAL =
  '{"status":"APPROVED","criteria":[{"id":"C1","met":true,"evidence":"src/sum.ts:2","quote":"two"}]}'

describe.each(DRIVERS)('reviews on the %s database', (driver) => {
  const open = useStore(driver)

  async function delivered(
    world: FlowWorld,
    acceptance: Item['acceptance'] = [...CRITERIA],
  ): Promise<Review> {
    const ref = await world.add()
    const item = await world.store.items.find(ref)
    if (item === null) throw new Error('no item')
    await world.store.items.save({ ...item, acceptance })
    await build(world, ref, 'agent-1')
    return latest(world, ref)
  }
  async function build(world: FlowWorld, item: ItemRef, agentId: string): Promise<Item> {
    const claim = await runClaim(world, { item, agentId, requestId: null })
    if (claim.is !== 'claimed') throw new Error(claim.is)
    const branch = `${agentId}/project-${item.number}`
    const reports: RunReport[] = [
      { type: 'build.started', branch, base: COMMIT },
      { type: 'build.finished', summary: 'Sealed the valve', checkpoint: COMMIT },
      { type: 'verify.passed', branch, head: COMMIT, gates: PROVEN, pushed: false, pushNote: null },
    ]
    for (const event of reports)
      await report(world, { runId: claim.run.id, eventId: randomUUID(), fence: claim.fence, event })
    await runReview(world, item)
    return claim.item
  }
  async function latest(world: FlowWorld, of: ItemRef): Promise<Review> {
    const review = await world.store.reviews.latest(of)
    if (review === null) throw new Error('no review')
    return review
  }
  const refOf = ({ projectNumber, issueNumber: number }: Review) => ({ projectNumber, number })
  const itemOf = (world: FlowWorld, review: Review) => world.store.items.find(refOf(review))
  const typesOf = async (world: FlowWorld, review: Review) =>
    (await world.store.events.ofItem(refOf(review), 100)).map(({ event }) => event.type)
  async function held(world: FlowWorld): Promise<Review> {
    const { id } = await delivered(world)
    const review = await world.store.reviews.claim(id, 'review-agent', world.time)
    if (review === null) throw new Error('not to be claimed')
    return review
  }
  function answer(world: FlowWorld, { id, fence }: Pick<Review, 'id' | 'fence'>, text: string) {
    const changed = ['src/sum.ts']
    const change = changed.map((path) => `+++ b/${path}\n@@ -0,0 +1,2 @@\n+one\n+two\n`).join('')
    const source = { fileAt: async () => 'one\ntwo\n', diff: async () => ({ files: changed, text: change }) }
    const git = { commitOf: async (commit: string) => commit, mergeBase: async () => 'base' }
    const end = { is: 'answered', text } as const
    const judging = { ...world, source, git, target: 'main' }
    return runAnswer(judging, { id, fence, agentId: 'review-agent', engine: 'scripted', end })
  }
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
    const review = await world.store.reviews.claim(waiting.id, 'review-agent', world.time)
    if (review === null) throw new Error('not to be claimed')
    expect(await answer(world, { ...review, fence: 0 }, APPROVAL)).toMatchObject({ is: 'fenced' })
    expect(await answer(world, review, APPROVAL)).toMatchObject({
      is: 'decided',
      review: { status: 'approved', criteria: [{ status: 'met', note: 'src/sum.ts:2 `two`' }] },
    })
    expect(await answer(world, review, APPROVAL)).toMatchObject({ is: 'duplicate' })
    const approval = { kind: 'reviewer', by: 'review-agent' }
    const acceptance = [{ text: 'The sum of nothing is 0', status: 'met' }]
    expect(await itemOf(world, review)).toMatchObject({ state: 'merging', approval, acceptance })
    expect((await typesOf(world, review)).filter((type) => type === 'review.approved')).toHaveLength(1)
    expect(await answer(world, { id: 4_000_000, fence: 0 }, APPROVAL)).toEqual({ is: 'missing' })
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
      is: 'decided',
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
        review = (await world.store.reviews.claim(id, 'review-agent', world.time)) ?? review
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
      await advance(world, { item: ref, eventId: randomUUID(), fence: null, agentId: null, move })
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
      for (let sweep = 0; sweep < 3; sweep += 1) await runSweep(world)
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
      expect(await world.store.reviews.claim(review.id, 'review-agent', world.time)).not.toBeNull()
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
    await runSweep(world)
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
        review = (await world.store.reviews.claim(id, 'review-agent', world.time)) ?? review
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
    await runSweep({ ...world, isFrozen: async () => true })
    expect(await latest(world, refOf(review))).toMatchObject({ status: 'in_review' })
    await runSweep(world)
    expect(await latest(world, refOf(review))).toMatchObject({
      status: 'pending',
      waitsFor: 'person',
      claimedByAgentId: null,
      why: expect.stringContaining('review-agent has had the review for more than 2 h'),
    })
    expect(await answer(world, review, APPROVAL)).toMatchObject({ is: 'fenced' })
    expect(await world.store.reviews.claim(review.id, 'review-agent', world.time)).toBeNull()
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
    await advance(world, { item: refOf(review), eventId: randomUUID(), fence: null, agentId: null, move })
    expect(await latest(world, refOf(review))).toMatchObject({ status: 'rejected', claimedByAgentId: null })
    expect(await answer(world, review, APPROVAL)).toMatchObject({ is: 'fenced' })
    expect(await itemOf(world, review)).toMatchObject({ state: 'withdrawn' })
  })
})
