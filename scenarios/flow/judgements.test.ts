// The thought that judges a delivery: carried over from the version before, done without, asked of another engine.
import { randomUUID } from 'node:crypto'
import { needsReviewJob } from '@treadle/flow/review/facts'
import { runReview } from '@treadle/flow/review/review.run'
import { sampleConfig } from '@treadle/flow/work/testing/sample'
import { runWithdrawThought } from '@treadle/flow/work/thought.run'
import { DRIVERS, openAt, useStore, useTestDatabases } from '@treadle/store/testing/both-drivers'
import { loadDump } from '@treadle/store/testing/load-dump'
import { withPool } from '@treadle/store/testing/pool'
import { describe, expect, test } from 'vitest'
import {
  APPROVAL,
  answer,
  CRITERIA,
  claim,
  delivered,
  held,
  itemOf,
  latest,
  REVIEWER,
  refOf,
  thinking,
  typesOf,
} from './judged.ts'
import { FlowWorld } from './world.ts'

describe.each(DRIVERS)('judgements on the %s database', (driver) => {
  const open = useStore(driver)
  const places = useTestDatabases(driver)
  async function openWorld(context: Parameters<typeof open>[0]): Promise<FlowWorld> {
    const world = new FlowWorld(await open(context))
    world.settings = sampleConfig(REVIEWER)
    return world
  }

  test('of a database of the version before, what was being read is judged as a thought', async (context) => {
    const place = places(context)
    await loadDump(place, '037-stopped')
    await withPool(place, async (pool) => {
      await pool.query(`update items set acceptance = $1 where number = 4`, [JSON.stringify(CRITERIA)])
      await pool.query(
        `update reviews set status = 'in_review', waits_for = null, claimed_by_agent_id = 'review-agent',
           claimed_at = now(), fence = 2, criteria = $1 where item_number = 4`,
        [
          JSON.stringify([
            { id: 'C1', description: 'The sum of nothing is 0', status: 'pending', note: null },
          ]),
        ],
      )
    })
    const store = await openAt(place)
    const world = new FlowWorld(store)
    world.settings = sampleConfig({ ...REVIEWER, merge: { approval: 'reviewer', needs: 'supported' } })
    world.time = new Date()
    const ref = { projectNumber: 1, number: 4 }
    const before = await latest(world, ref)
    const item = await store.items.find(ref)
    expect(item !== null && needsReviewJob(item, before, world.config())).toBe(true)
    for (let nth = 0; nth < 2; nth += 1) await runReview(world, ref)
    expect(await latest(world, ref)).toMatchObject({
      status: 'pending',
      waitsFor: 'reviewer',
      checkedAt: before.checkedAt,
    })
    const review = await claim(world, before)
    if (review === null) throw new Error('not to be claimed')
    expect(await answer(world, review, APPROVAL)).toMatchObject({ is: 'taken' })
    expect(await latest(world, ref)).toMatchObject({ engine: 'scripted', criteria: [{ status: 'met' }] })
    expect((await store.thoughts.list({ kind: 'review_judge', limit: 10 })).length).toBe(1)
    await store.close()
  })

  test('a judgement that cannot be made, or that nobody is to make any more, is left to a person once', async (context) => {
    const world = await openWorld(context)
    const review = await delivered(world)
    for (let nth = 1; nth <= 3; nth += 1) {
      expect(await claim(world, review)).not.toBeNull()
      await world.store.thoughts.release({ agentId: 'review-agent' }, 'killed')
    }
    expect(await claim(world, review)).toBeNull()
    const why = expect.stringContaining('it was begun 3 times without an end')
    expect(await latest(world, refOf(review))).toMatchObject({ status: 'pending', waitsFor: 'person', why })
    await runReview(world, refOf(review))
    expect(await latest(world, refOf(review))).toMatchObject({ waitsFor: 'person', why })
    const withdrawn = await held(world)
    const thoughtId = withdrawn.judgement?.thoughtId ?? ''
    expect(await runWithdrawThought(thinking(world), thoughtId, 'ada')).toBe(true)
    expect(await latest(world, refOf(withdrawn))).toMatchObject({
      waitsFor: 'person',
      why: expect.stringContaining('ada withdrew it'),
    })
    for (const each of [review, withdrawn])
      expect((await typesOf(world, each)).filter((type) => type === 'owner.notified')).toHaveLength(1)
  })

  test('another engine in the settings is asked in the place of the one that has not begun', async (context) => {
    const world = await openWorld(context)
    const review = await delivered(world)
    const first = (await latest(world, refOf(review))).judgement
    expect(first).toMatchObject({ engine: 'scripted' })
    world.settings = sampleConfig({ ...REVIEWER, engines: { reviewer: 'native' } })
    const item = await itemOf(world, review)
    expect(item !== null && needsReviewJob(item, await latest(world, refOf(review)), world.config())).toBe(
      true,
    )
    await runReview(world, refOf(review))
    const second = (await latest(world, refOf(review))).judgement
    expect(second).toMatchObject({ engine: 'native', fence: 0 })
    expect(await world.store.thoughts.find(first?.thoughtId ?? '')).toMatchObject({ status: 'withdrawn' })
    // A person decides; nobody needs the judgement then.
    const approval = { kind: 'human', by: 'ada', at: world.time.toISOString(), restsOn: 'sandbox' } as const
    const move = { type: 'review.approved', approval } as const
    const ref = refOf(review)
    await world.advance({ item: ref, eventId: randomUUID(), fence: null, agentId: null, move })
    expect(await world.store.thoughts.find(second?.thoughtId ?? '')).toMatchObject({ status: 'withdrawn' })
    expect((await typesOf(world, review)).filter((type) => type === 'thought.withdrawn')).toHaveLength(2)
  })
})
