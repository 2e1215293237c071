// A proven lesson reaches CLAUDE.md by a person's word alone: on its own branch, with its own commit, once.
import { randomUUID } from 'node:crypto'
import { NewLesson } from '@treadle/contracts/lesson'
import { runAnswer } from '@treadle/flow/ask/question.run'
import { runConfirm, runConfirmed } from '@treadle/flow/learn/confirm.run'
import { type PromoteWorld, runPromote, runPropose } from '@treadle/flow/learn/promote.run'
import { NOW } from '@treadle/flow/work/testing/sample'
import { openMergeGit } from '@treadle/git/merge'
import { makeScratch, type Scratch } from '@treadle/git/scratch-repository'
import { openWorktreeGit } from '@treadle/git/worktree'
import { questionsFor, type Trigger } from '@treadle/questions/questions-for'
import { verifies } from '@treadle/requirements/verifies'
import { DRIVERS, useStore } from '@treadle/store/testing/both-drivers'
import { afterAll, describe, expect, test } from 'vitest'
import { FlowWorld } from './world.ts'

describe.each(DRIVERS)('promotion on the %s database', (driver) => {
  const open = useStore(driver)
  const made: Scratch[] = []
  afterAll(() => {
    for (const scratch of made) scratch.remove()
  })

  function worldOn(world: FlowWorld): { promote: PromoteWorld; scratch: Scratch } {
    const scratch = makeScratch()
    made.push(scratch)
    const options = { repository: scratch.repository, env: scratch.env }
    const questions = {
      store: world.store,
      now: world.now,
      uuid: randomUUID,
      config: world.config,
      advance: world.advance,
      catalogue: (trigger: object) => questionsFor(trigger as Trigger),
      conventions: async () => '',
    }
    const promote = {
      questions,
      git: openMergeGit(options),
      source: openWorktreeGit(options),
      target: 'main',
    }
    return { promote, scratch }
  }

  /** As sure and as often seen as it takes, in two items. */
  async function proven({ store }: FlowWorld, content: string) {
    const lesson = (seenAt: string) => NewLesson.parse({ type: 'pattern', content, seenAt })
    const { lesson: first } = await store.lessons.record(lesson('1/1'), NOW)
    for (const seenAt of ['1/2', '1/2']) await store.lessons.record(lesson(seenAt), NOW)
    await store.lessons.reconsider(first.id, { confidence: 0.95, why: 'it prevented a failure' }, NOW)
    return first.id
  }

  const openFor = async ({ store }: FlowWorld, id: string) => {
    const questionId = (await store.promotions.find(id))?.questionId ?? ''
    const found = await store.questions.find(questionId)
    if (found === null) throw new Error('nobody was asked')
    return found.record
  }

  verifies(
    ['AGENT-SIA-31', 'AGENT-KNOWLEDGE-18'],
    'asked once, written on yes, and never a second time',
    async (context) => {
      const world = new FlowWorld(await open(context))
      const { promote, scratch } = worldOn(world)
      const words = `Keep ${randomUUID()} in UTC`
      const id = await proven(world, words)
      const before = scratch.sh('git status --porcelain && git rev-parse HEAD')
      expect(await runPropose(promote)).toBe(1)
      expect(await runPropose(promote)).toBe(0)
      expect(await runPromote(promote)).toBe(0)
      const asked = await openFor(world, id)
      expect(asked).toMatchObject({ blocking: true, status: 'open', event: 'claude_md_promotion' })
      expect(asked.text).toContain(words)
      expect(scratch.sh('git branch --list "treadle/*"')).toBe('')

      await runAnswer(promote.questions, { id: asked.id, text: 'Yes, promote it', by: 'ada' })
      const both = await Promise.all([runPromote(promote), runPromote(promote)])
      expect(both[0] + both[1]).toBe(1)
      const branch = `treadle/lessons-${id.slice(0, 8)}`
      expect(scratch.sh(`git show ${branch}:CLAUDE.md`)).toContain(`- ${words}`)
      expect(scratch.sh(`git rev-list --count main..${branch}`).trim()).toBe('1')
      expect(scratch.sh(`git log -1 --format=%B ${branch}`)).toContain(`Lesson: ${id}`)
      expect(scratch.sh('git status --porcelain && git rev-parse HEAD')).toBe(before)
      const commit = scratch.sh(`git rev-parse ${branch}`).trim()
      expect(await world.store.promotions.find(id)).toMatchObject({ status: 'promoted', branch, commit })
      // Both sides of a trial read it now.
      expect(await world.store.lessons.find(id)).toMatchObject({ verdict: 'promoted', confidence: 0.95 })
      const told = await world.store.events.newest({ type: 'lesson.promoted', limit: 50 })
      const mine = told.filter(({ event }) => event.type === 'lesson.promoted' && event.lessonId === id)
      expect(mine).toHaveLength(1)
      for (let n = 0; n < 6; n += 1)
        await world.store.lessons.record(
          NewLesson.parse({ type: 'pattern', content: words, seenAt: '1/3' }),
          NOW,
        )
      expect(await runPropose(promote)).toBe(0)
    },
  )

  test('a person may word it, in the file that the repository has', async (context) => {
    const world = new FlowWorld(await open(context))
    const { promote, scratch } = worldOn(world)
    scratch.sh('printf "# Agents\\n" > AGENTS.md && git add -A && git commit -qm agents')
    const id = await proven(world, `Never trust ${randomUUID()} clocks`)
    await runPropose(promote)
    const { id: questionId } = await openFor(world, id)
    await runAnswer(promote.questions, { id: questionId, text: 'Modify it: Read the clock once.', by: 'ada' })
    expect(await runPromote(promote)).toBe(1)
    const text = scratch.sh(`git show treadle/lessons-${id.slice(0, 8)}:AGENTS.md`)
    expect(text).toBe('# Agents\n\n## What the crew has learned\n\n- Read the clock once.\n')
  })

  test('people are asked about what begins to show, once, and nobody waits', async (context) => {
    const world = new FlowWorld(await open(context))
    const { promote } = worldOn(world)
    const content = `A change to ${randomUUID()} comes with a test`
    const given = NewLesson.parse({ type: 'pattern', content, seenAt: '1/1' })
    await world.store.lessons.record(given, NOW)
    const { lesson, is } = await world.store.lessons.record(given, NOW)
    expect(lesson).toMatchObject({ confidence: 0.85, occurrences: 2 })
    const note = { lessonId: lesson.id, type: lesson.type, how: is, text: content, why: '' }
    expect(await runConfirm(promote.questions, [note])).toBe(1)
    await runConfirm(promote.questions, [note])
    const waiting = await world.store.questions.list({
      event: 'pattern_detected',
      status: 'open',
      limit: 100,
    })
    const mine = waiting.filter(({ subject }) => subject === `lesson ${lesson.id}`)
    expect(mine).toMatchObject([{ blocking: false }])
    const by = { text: 'Not a real pattern', by: 'ada' }
    await runAnswer(promote.questions, { id: mine[0]?.id ?? '', ...by })
    const counts = [await runConfirmed(promote.questions), await runConfirmed(promote.questions)]
    expect(counts).toEqual([1, 0])
    expect(await world.store.lessons.find(lesson.id)).toMatchObject({ confidence: 0.2, verdict: 'retired' })
  })

  test('a person who words a lesson anew has the last word', async (context) => {
    const world = new FlowWorld(await open(context))
    const { promote } = worldOn(world)
    const { store } = world
    const given = NewLesson.parse({ type: 'gotcha', content: `Mind the ${randomUUID()}`, glob: '*.sql' })
    await store.lessons.record(given, NOW)
    const { lesson, is } = await store.lessons.record(given, NOW)
    const note = { lessonId: lesson.id, type: lesson.type, how: is, text: given.content, why: '' }
    await runConfirm(promote.questions, [note])
    const waiting = await store.questions.list({ event: 'gotcha_candidate', status: 'open', limit: 100 })
    const asked = waiting.find(({ subject }) => subject === `lesson ${lesson.id}`)
    const words = `End each ${randomUUID()} with a semicolon`
    await runAnswer(promote.questions, { id: asked?.id ?? '', text: `Reword it: ${words}`, by: 'ada' })
    expect([await runConfirmed(promote.questions), await runConfirmed(promote.questions)]).toEqual([1, 0])
    const old = await store.lessons.find(lesson.id)
    const heir = await store.lessons.find(old?.supersededBy ?? '')
    expect(heir).toMatchObject({ content: words, glob: '*.sql', confidence: 0.9, discoveredBy: 'ada' })
  })

  test('a pattern that a person confirms is sure enough to be proposed', async (context) => {
    const world = new FlowWorld(await open(context))
    const { promote } = worldOn(world)
    const { store } = world
    const given = NewLesson.parse({ type: 'pattern', content: `Log ${randomUUID()} in one place` })
    for (const seenAt of ['1/1', '1/2']) await store.lessons.record({ ...given, seenAt }, NOW)
    const { lesson, is } = await store.lessons.record({ ...given, seenAt: '1/3' }, NOW)
    await runPropose(promote)
    expect(await store.promotions.find(lesson.id)).toBeNull()
    const note = { lessonId: lesson.id, type: lesson.type, how: is, text: given.content, why: '' }
    await runConfirm(promote.questions, [note])
    const waiting = await store.questions.list({ event: 'pattern_detected', status: 'open', limit: 100 })
    const asked = waiting.find(({ subject }) => subject === `lesson ${lesson.id}`)
    await runAnswer(promote.questions, { id: asked?.id ?? '', text: 'Yes, add it', by: 'ada' })
    await runConfirmed(promote.questions)
    await runPropose(promote)
    expect((await openFor(world, lesson.id)).status).toBe('open')
  })

  test('a no is kept, and asked again only when it was seen twice as often', async (context) => {
    const world = new FlowWorld(await open(context))
    const { promote, scratch } = worldOn(world)
    const words = `Close ${randomUUID()} handles`
    const id = await proven(world, words)
    await runPropose(promote)
    const first = await openFor(world, id)
    await runAnswer(promote.questions, { id: first.id, text: 'Not yet, needs more validation', by: 'ada' })
    expect(await runPromote(promote)).toBe(0)
    expect(await world.store.promotions.find(id)).toMatchObject({ status: 'declined' })
    expect(scratch.sh('git branch --list "treadle/*"')).toBe('')
    expect(await runPropose(promote)).toBe(0)
    const again = NewLesson.parse({ type: 'pattern', content: words, seenAt: '1/4' })
    for (let n = 0; n < 3; n += 1) await world.store.lessons.record(again, NOW)
    expect(await runPropose(promote)).toBe(1)
    expect((await openFor(world, id)).id).not.toBe(first.id)
  })

  test('those that never qualify keep no other from being asked about', async (context) => {
    const world = new FlowWorld(await open(context))
    const { promote } = worldOn(world)
    const { store } = world
    for (let n = 0; n < 25; n += 1) {
      const type = n % 2 === 0 ? 'resolution' : 'pattern'
      const glob = type === 'pattern' ? 'src/db/*.sql' : null
      const given = NewLesson.parse({ type, glob, topic: randomUUID(), content: randomUUID() })
      const { lesson } = await store.lessons.record({ ...given, seenAt: '1/1' }, NOW)
      for (let times = 0; times < 4; times += 1) await store.lessons.record({ ...given, seenAt: '1/2' }, NOW)
      await store.lessons.reconsider(lesson.id, { confidence: 0.99, why: 'sure' }, NOW)
    }
    const id = await proven(world, `Sort ${randomUUID()} by name`)
    await runPropose(promote)
    expect((await openFor(world, id)).status).toBe('open')
  })

  test('what took the place of a lesson is not asked about again', async (context) => {
    const world = new FlowWorld(await open(context))
    const { promote, scratch } = worldOn(world)
    const [old, heir] = [
      await proven(world, `Name ${randomUUID()} in full`),
      await proven(world, `Write ${randomUUID()} out`),
    ]
    const asked = async () =>
      (await world.store.questions.list({ event: 'claude_md_promotion', limit: 500 })).filter(
        ({ subject }) => subject?.includes(heir) === true,
      )
    const { store } = world
    // Asked about the one while the other was not sure enough.
    await store.lessons.reconsider(heir, { confidence: 0.5, why: 'not yet' }, NOW)
    await runPropose(promote)
    const question = await openFor(world, old)
    await store.lessons.supersede(old, { by: heir, why: 'reworded' }, NOW)
    await store.lessons.reconsider(heir, { confidence: 0.95, why: 'sure' }, NOW)
    await runPropose(promote)
    expect(await asked()).toEqual([])
    await runAnswer(promote.questions, { id: question.id, text: 'Yes, promote it', by: 'ada' })
    await runPromote(promote)
    expect(scratch.sh(`git show treadle/lessons-${old.slice(0, 8)}:CLAUDE.md`)).toContain('in full')
    await runPropose(promote)
    expect(await asked()).toEqual([])
    expect(await store.lessons.find(heir)).toMatchObject({ verdict: 'promoted' })
  })

  test('who is killed between the question and its note asks no second time', async (context) => {
    const world = new FlowWorld(await open(context))
    const { promote } = worldOn(world)
    const words = `Quote ${randomUUID()} names`
    const id = await proven(world, words)
    const { promotions } = world.store
    const killed = { ...promotions, ask: () => Promise.reject(new Error('killed')) }
    const dying = { ...promote.questions, store: { ...world.store, promotions: killed } }
    await expect(runPropose({ ...promote, questions: dying })).rejects.toThrow('killed')
    expect(await promotions.find(id)).toBeNull()
    await world.store.lessons.record(NewLesson.parse({ type: 'pattern', content: words, seenAt: '1/9' }), NOW)
    await runPropose(promote)
    const asked = await world.store.questions.list({ event: 'claude_md_promotion', limit: 500 })
    const mine = asked.filter(({ subject }) => subject?.includes(id) === true)
    expect(mine).toHaveLength(1)
    expect((await openFor(world, id)).id).toBe(mine[0]?.id)
  })

  test('a lesson that was retired since is not written, and the owner is told', async (context) => {
    const world = new FlowWorld(await open(context))
    const { promote, scratch } = worldOn(world)
    const id = await proven(world, `Lock ${randomUUID()} twice`)
    await runPropose(promote)
    await world.store.lessons.reconsider(id, { verdict: 'retired', looks: 1, why: 'no help' }, NOW)
    const { id: questionId } = await openFor(world, id)
    await runAnswer(promote.questions, { id: questionId, text: 'Yes, promote it', by: 'ada' })
    expect(await runPromote(promote)).toBe(0)
    expect(await world.store.promotions.find(id)).toMatchObject({ status: 'declined' })
    expect(scratch.sh('git branch --list "treadle/*"')).toBe('')
    expect(await toldOf(world, id)).toHaveLength(1)
  })

  const toldOf = async ({ store }: FlowWorld, id: string) =>
    (await store.events.newest({ type: 'owner.notified', limit: 100 })).filter(
      ({ event }) => event.type === 'owner.notified' && event.text.includes(id.slice(0, 8)),
    )

  test('one that cannot be written keeps no other, and is given up after a few tries', async (context) => {
    const world = new FlowWorld(await open(context))
    const { promote, scratch } = worldOn(world)
    const ids = [
      await proven(world, `Close ${randomUUID()} first`),
      await proven(world, `Open ${randomUUID()} last`),
    ]
    const [stuck = '', other = ''] = ids
    // A branch below the name leaves no room for a branch of that name.
    scratch.sh(`git branch treadle/lessons-${stuck.slice(0, 8)}/x main`)
    await runPropose(promote)
    for (const id of ids) {
      const question = await openFor(world, id)
      await runAnswer(promote.questions, { id: question.id, text: 'Yes, promote it', by: 'ada' })
    }
    expect(await runPromote(promote)).toBe(1)
    expect(await world.store.promotions.find(other)).toMatchObject({ status: 'promoted' })
    await runPromote(promote)
    expect(await world.store.promotions.find(stuck)).toMatchObject({ status: 'asked', tries: 1 })
    for (let tries = 0; tries < 8; tries += 1) {
      world.time = new Date(world.time.getTime() + 3_600_000)
      await runPromote(promote)
    }
    expect(await world.store.promotions.find(stuck)).toMatchObject({ status: 'failed', tries: 5 })
    expect(await toldOf(world, stuck)).toHaveLength(1)
    await runPropose(promote)
    expect(await world.store.promotions.find(stuck)).toMatchObject({ status: 'failed' })
  })
})
