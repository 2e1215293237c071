// Lessons on trial, on real databases: decided once, drawn one after the other, settled and judged once.
import { randomUUID } from 'node:crypto'
import { freshLesson, NewLesson } from '@treadle/contracts/lesson'
import { RunRecall } from '@treadle/contracts/recall'
import { runSettle, runShow, runTrials } from '@treadle/flow/learn/trial.run'
import { NOW, sampleConfig } from '@treadle/flow/work/testing/sample'
import { isWithheld } from '@treadle/memory/trial/draw'
import { verifies } from '@treadle/requirements/verifies'
import { DRIVERS, useStore } from '@treadle/store/testing/both-drivers'
import { describe, expect, test } from 'vitest'
import { group, newLesson, record, runIn } from './learning.ts'
import { FlowWorld } from './world.ts'

describe.each(DRIVERS)('lessons on trial on the %s database', (driver) => {
  const open = useStore(driver)

  function worldOn(store: FlowWorld['store']) {
    const world = new FlowWorld(store)
    const trial = {
      store,
      now: world.now,
      uuid: randomUUID,
      config: world.config,
      repository: randomUUID(),
      recall: store.lessons.recall,
    }
    return { world, trial }
  }

  test('what a run is shown is decided once; of ten like it three go without', async (context) => {
    const store = await open(context)
    const { world, trial } = worldOn(store)
    const lesson = await newLesson(store)
    const asked = RunRecall.parse({ topics: [lesson.topic], attempt: 1 })
    const given: string[] = []
    for (let n = 0; n < 10; n += 1) {
      const { id, item } = await runIn(world)
      const first = await runShow(trial, { runId: id, asked })
      const again = await Promise.all([1, 2].map(() => runShow(trial, { runId: id, asked })))
      for (const each of again) expect(each).toEqual(first)
      given.push(first?.shown.some((each) => each.id === lesson.id) ? 'shown' : 'withheld')
      const told = await store.events.ofItem(item, 50, ['run.recalled'])
      expect(told).toHaveLength(1)
      expect(told[0]).toMatchObject({ runId: id, event: { attempt: 1 } })
    }
    expect(given.filter((each) => each === 'withheld')).toHaveLength(3)
    expect(await runShow(trial, { runId: randomUUID(), asked })).toBeNull()
  })

  test('runs that begin at once are still drawn one after the other', async (context) => {
    const store = await open(context)
    const { world, trial } = worldOn(store)
    const lesson = await newLesson(store)
    const asked = RunRecall.parse({ topics: [lesson.topic] })
    const runs = []
    for (let n = 0; n < 10; n += 1) runs.push(await runIn(world))
    await Promise.all(runs.map(({ id }) => runShow(trial, { runId: id, asked })))
    const uses = (await Promise.all(runs.map(({ id }) => store.lessonUses.ofRun(id)))).flat()
    expect(uses.map(({ nth }) => nth).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(uses.filter(({ given }) => given === 'withheld')).toHaveLength(3)
  })

  /** Only what was decided and what came of it: with the lesson all went well, without it nothing. */
  async function judgedBefore(
    store: FlowWorld['store'],
    { lessonId, stratum, runs }: { lessonId: string; stratum: string; runs: number },
  ): Promise<void> {
    for (let nth = 0; nth < runs; nth += 1) {
      const runId = randomUUID()
      const withheld = isWithheld({ lessonId, stratum, nth, withheldShare: 0.3 })
      const given = withheld ? 'withheld' : 'shown'
      const use = { lessonId, runId, stratum, nth, attempt: 1, drawn: true, why: null, at: NOW }
      await store.lessonUses.add([{ ...use, given }])
      const outcome = withheld ? 'bad' : 'good'
      await store.lessonUses.settle(runId, [{ lessonId, outcome, usd: 0 }], NOW)
    }
  }

  test('a lesson is judged at the planned look, once, and shown with its interval', async (context) => {
    const store = await open(context)
    const { world, trial } = worldOn(store)
    const lesson = await newLesson(store)
    const asked = RunRecall.parse({ topics: [lesson.topic] })
    await judgedBefore(store, { lessonId: lesson.id, stratum: `${trial.repository} item`, runs: 45 })
    for (let n = 45; n < 50; n += 1) {
      const { id, end } = await runIn(world)
      const shown = (await runShow(trial, { runId: id, asked }))?.shown.length === 1
      const run = await end(shown ? 'success' : 'escalation')
      await Promise.all([runSettle(trial, run), runSettle(trial, run)])
      expect(await runSettle(trial, run)).toEqual([])
      const now = await store.lessons.find(lesson.id)
      expect(now).toMatchObject(
        n < 49 ? { verdict: 'on_trial', looks: 0 } : { verdict: 'promoted', looks: 1 },
      )
    }
    const judged = await store.events.newest({ type: 'lesson.judged', limit: 100 })
    const mine = judged.filter(({ event }) => event.type === 'lesson.judged' && event.lessonId === lesson.id)
    expect(mine).toMatchObject([{ event: { verdict: 'promoted', runs: 50, looks: 1 } }])
    const [known] = await store.lessons.some([lesson.id])
    if (known === undefined) throw new Error('no lesson')
    expect((await runTrials(store, [known])).get(lesson.id)).toMatchObject({
      verdict: 'promoted',
      shown: { good: 35, bad: 0 },
      withheld: { good: 0, bad: 15 },
      nextLookAt: null,
    })
    // From now on nobody is kept from it.
    for (let n = 0; n < 4; n += 1) {
      const { id } = await runIn(world)
      expect((await runShow(trial, { runId: id, asked }))?.withheld).toEqual([])
    }
  })

  test('without a trial nothing is kept back, and nothing is judged', async (context) => {
    const store = await open(context)
    const { world, trial } = worldOn(store)
    world.settings = sampleConfig({ lessons: { trial: false } })
    const lesson = await newLesson(store)
    const asked = RunRecall.parse({ topics: [lesson.topic] })
    for (let n = 0; n < 10; n += 1) {
      const { id, end } = await runIn(world)
      expect((await runShow(trial, { runId: id, asked }))?.shown).toHaveLength(1)
      await runSettle(trial, await end('success'))
    }
    expect((await store.lessonUses.countsOf([lesson.id])).get(lesson.id)).toMatchObject({
      shown: { good: 0, bad: 0 },
      used: 10,
    })
  })

  verifies(
    ['AGENT-KNOWLEDGE-16', 'AGENT-KNOWLEDGE-17'],
    'a lesson that prevented its failure is surer, one that did not is less sure, each once',
    async (context) => {
      const store = await open(context)
      const { world, trial } = worldOn(store)
      world.settings = sampleConfig({ lessons: { trial: false } })
      const signature = `RangeError: ${randomUUID()}`
      const lesson = await newLesson(store, { signature })
      const asked = RunRecall.parse({ signatures: [signature], minConfidence: 0 })
      const one = await runIn(world)
      await runShow(trial, { runId: one.id, asked })
      const failing = [
        record('build', 0),
        record('test', 0, { outcome: 'failed', groups: [group(signature)] }),
      ]
      const failed = await one.end('escalation', { history: failing })
      await runSettle(trial, failed)
      await runSettle(trial, failed)
      expect(await store.lessons.find(lesson.id)).toMatchObject({ confidence: 0.55 })
      const two = await runIn(world)
      await runShow(trial, { runId: two.id, asked })
      await runSettle(trial, await two.end('success'))
      expect(await store.lessons.find(lesson.id)).toMatchObject({ confidence: 0.95 })
      const told = await store.events.ofItem(two.item, 50, ['lesson.reconsidered'])
      expect(told).toMatchObject([{ event: { lessonId: lesson.id, from: 0.55, to: 0.95 } }])
    },
  )

  test('a pass proves nothing of a failure that nobody had to expect', async (context) => {
    const store = await open(context)
    const { world, trial } = worldOn(store)
    world.settings = sampleConfig({ lessons: { trial: false } })
    const signature = `CardError: ${randomUUID()}`
    const lesson = await newLesson(store, { signature, glob: '*.cob' })
    const asked = RunRecall.parse({ signatures: [signature], minConfidence: 0 })
    const pass = async (path: string) => {
      const run = await runIn(world)
      await runShow(trial, { runId: run.id, asked })
      await runSettle(trial, await run.end('success', { history: [record('build', 0, { changes: [path] })] }))
      return (await store.lessons.find(lesson.id))?.confidence
    }
    expect(await pass('README.md')).toBe(0.7)
    expect(await pass('src/cards.cob')).toBe(0.7)
    // One that was not shown it has met the failure.
    const met = await runIn(world)
    const use = {
      lessonId: lesson.id,
      runId: met.id,
      stratum: `${trial.repository} item`,
      nth: 0,
      attempt: 1,
    }
    await store.lessonUses.add([{ ...use, given: 'withheld', drawn: true, why: null, at: NOW }])
    const history = [record('build', 0), record('test', 0, { outcome: 'failed', groups: [group(signature)] })]
    await runSettle(trial, await met.end('escalation', { history }))
    expect(await pass('README.md')).toBe(0.7)
    expect(await pass('src/cards.cob')).toBe(0.95)
  })

  test('many paths with many lessons leave a feed that can be read', async (context) => {
    const store = await open(context)
    const { world, trial } = worldOn(store)
    const folder = randomUUID()
    const lessons = Array.from({ length: 270 }, (_, n) => ({
      ...freshLesson(
        NewLesson.parse({ type: 'gotcha', content: randomUUID(), glob: `${folder}/f${n % 30}/**` }),
        randomUUID(),
        NOW,
      ),
    }))
    await store.lessons.restore(lessons)
    const { id, item } = await runIn(world)
    const paths = Array.from({ length: 30 }, (_, n) => `${folder}/f${n}/a.ts`)
    const shown = await runShow(trial, { runId: id, asked: RunRecall.parse({ paths }) })
    expect(shown?.leftOut).toHaveLength(5)
    expect(await store.events.ofItem(item, 50, ['run.recalled'])).toHaveLength(1)
  })

  test('where no run is kept from a lesson there is no trial', async (context) => {
    const store = await open(context)
    const { world, trial } = worldOn(store)
    world.settings = sampleConfig({ lessons: { withheldShare: 0 } })
    const lesson = await newLesson(store)
    const { id } = await runIn(world)
    await runShow(trial, { runId: id, asked: RunRecall.parse({ topics: [lesson.topic] }) })
    const uses = await store.lessonUses.ofRun(id)
    expect(uses.map(({ drawn }) => drawn)).not.toContain(true)
    expect(uses.find(({ lessonId }) => lessonId === lesson.id)).toMatchObject({ given: 'shown' })
  })
})
