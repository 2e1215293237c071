import { type Lesson, LessonQuery, NewLesson } from '@treadle/contracts/lesson'
import { verifies } from '@treadle/requirements/verifies'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import type { OpenStore } from '../../connect.ts'
import { DRIVERS, openAt, useStore, useTestDatabases } from '../../testing/both-drivers.ts'

const at = new Date('2026-01-02T03:04:05.678Z')
const later = new Date('2026-01-03T03:04:05.678Z')
type LessonParts = Partial<NewLesson>

describe.each(DRIVERS)('lessons on the %s database', (driver) => {
  const open = useStore(driver)
  const places = useTestDatabases(driver)
  const gotcha = (given: LessonParts) => NewLesson.parse({ type: 'gotcha', ...given })
  const add = async ({ lessons }: OpenStore, given: LessonParts): Promise<Lesson> => {
    const { is, lesson } = await lessons.record(gotcha(given), at)
    expect(is).toBe('recorded')
    return lesson
  }
  const recall = async ({ lessons }: OpenStore, query: Partial<z.input<typeof LessonQuery>>) =>
    (await lessons.recall(LessonQuery.parse(query))).map(({ payload, content }) => payload.name ?? content)

  verifies('AGENT-KNOWLEDGE-9', 'a lesson is read as it was recorded', async (context) => {
    const { lessons } = await open(context)
    const given = NewLesson.parse({
      type: 'resolution',
      content: 'check the \0 first',
      glob: 'src/**/*.ts',
      action: 'edit',
      topic: 'reading',
      signature: 'TypeError: x \0',
      confidence: 0.85,
      discoveredBy: 'agent-3',
      provenance: { runId: null, attempt: 2, commit: 'd'.repeat(40) },
      payload: { fix: 'a "quoted" \0', steps: [1, 2.5, null], deep: { a: true } },
    })
    const recorded = await lessons.record({ ...given, seenAt: '1/7' }, at)
    const lesson = {
      ...given,
      content: 'check the \uFFFD first',
      signature: 'TypeError: x \uFFFD',
      payload: { ...given.payload, fix: 'a "quoted" \uFFFD' },
      id: expect.any(String),
      occurrences: 1,
      seenIn: ['1/7'],
      verdict: 'on_trial',
      looks: 0,
      weighed: false,
      supersededBy: null,
      supersededAt: null,
      why: null,
      createdAt: at.toISOString(),
      updatedAt: at.toISOString(),
    }
    expect(recorded).toEqual({ is: 'recorded', lesson })
    const found = await lessons.recall(LessonQuery.parse({ signature: 'TypeError: x \0', topic: 'reading' }))
    expect(found).toEqual([lesson])
    expect(await lessons.find(recorded.lesson.id)).toEqual(lesson)
    expect(await lessons.named(recorded.lesson.id.slice(0, 8).toUpperCase(), 2)).toEqual([lesson])
    expect(await lessons.named("%' or true --", 2)).toEqual([])
  })

  test('the same lesson again is counted, also when it comes many times at once', async (context) => {
    const { lessons } = await open(context)
    const lesson = gotcha({ topic: 'again', payload: { a: 1, b: { c: 2, d: 3 } } })
    const all = await Promise.all(Array.from({ length: 5 }, () => lessons.record(lesson, at)))
    expect(all.map(({ is }) => is).sort()).toEqual(['recorded', ...Array(4).fill('seen_again')])
    const other = { runId: null, attempt: 9, commit: null }
    const same = { ...lesson, payload: { b: { d: 3, c: 2 }, a: 1 }, provenance: other, confidence: 0.9 }
    expect(await lessons.record(same, later)).toMatchObject({
      is: 'seen_again',
      lesson: { occurrences: 6, confidence: 0.9, updatedAt: later.toISOString() },
    })
    expect((await lessons.record({ ...lesson, confidence: 0.1 }, later)).lesson.confidence).toBe(0.9)
    const differing: LessonParts[] = [
      { type: 'pattern' },
      { glob: 'a' },
      { action: 'a' },
      { topic: 'b' },
      { signature: 's' },
      { payload: { a: 1 } },
      { payload: { a: 1, b: [['c', 2]] } },
    ]
    for (const change of differing) {
      const { lesson: found } = await lessons.record({ ...lesson, ...change }, at)
      expect(found.occurrences, JSON.stringify(change)).toBe(1)
    }
  })

  verifies('AGENT-KNOWLEDGE-14', 'what is seen twice is surer, wherever it was seen', async (context) => {
    const { lessons } = await open(context)
    const lesson = gotcha({ content: 'the queue drops jobs on a full disk', seenAt: '1/1' })
    expect((await lessons.record(lesson, at)).lesson).toMatchObject({ confidence: 0.7, seenIn: ['1/1'] })
    const twice = (await lessons.record({ ...lesson, seenAt: '1/2' }, at)).lesson
    expect(twice).toMatchObject({ confidence: 0.85, occurrences: 2, seenIn: ['1/1', '1/2'] })
    for (let item = 1; item <= 60; item += 1) await lessons.record({ ...lesson, seenAt: `2/${item}` }, at)
    const often = await lessons.find(twice.id)
    expect(often).toMatchObject({ confidence: 0.85, occurrences: 62 })
    expect(often?.seenIn).toHaveLength(50)
    const sure = await lessons.record(gotcha({ content: 'sure from the start', confidence: 0.95 }), at)
    await lessons.record(gotcha({ content: 'sure from the start' }), at)
    expect((await lessons.find(sure.lesson.id))?.confidence).toBe(0.95)
  })

  test('confidence that use has changed is not raised by meeting the trap again', async (context) => {
    const { lessons } = await open(context)
    const lesson = gotcha({ content: 'the mirror times out behind the proxy' })
    const { id } = (await lessons.record(lesson, at)).lesson
    await lessons.reconsider(id, { confidence: 0.55, why: 'it did not help' }, later)
    const again = await lessons.record(lesson, later)
    expect(again.lesson).toMatchObject({ occurrences: 2, confidence: 0.55, why: 'it did not help' })
    const denied = gotcha({ content: 'behind the proxy, the mirror times out', confidence: 0.75 })
    expect(await lessons.record(denied, later)).toMatchObject({ is: 'known_better', lesson: { id } })
  })

  verifies(
    ['AGENT-KNOWLEDGE-6', 'AGENT-KNOWLEDGE-7'],
    'what is known at least as surely in other words is counted, not recorded',
    async (context) => {
      const { lessons } = await open(context)
      const known = await lessons.record(
        gotcha({
          content: 'Run the migrations before the seed script, or tables are missing',
          confidence: 0.8,
        }),
        at,
      )
      const alike = gotcha({
        content: 'The migrations must run before the seed script; else tables are missing!',
        confidence: 0.8,
        seenAt: '3/4',
        payload: { other: true },
      })
      expect(await lessons.record(alike, later)).toMatchObject({
        is: 'known_better',
        lesson: { id: known.lesson.id, content: known.lesson.content, occurrences: 2, seenIn: ['3/4'] },
      })
      const others = [
        gotcha({ content: 'Never run the migrations before the seed script, or tables are missing' }),
        gotcha({ content: 'Seed scripts write to the log' }),
        NewLesson.parse({ type: 'pattern', topic: 'seeding', content: alike.content }),
      ]
      for (const other of others) expect((await lessons.record(other, at)).is, other.content).toBe('recorded')
    },
  )

  verifies(
    'AGENT-KNOWLEDGE-8',
    'a surer lesson takes the place of one that says the same',
    async (context) => {
      const { lessons } = await open(context)
      const weak = gotcha({ content: 'cache keys need the tenant prefix in redis', seenAt: '1/1' })
      const old = (await lessons.record(weak, at)).lesson
      const sure = gotcha({
        content: 'redis cache keys need a tenant prefix',
        confidence: 0.9,
        seenAt: '1/2',
      })
      const taken = await lessons.record(sure, later)
      expect(taken).toMatchObject({
        is: 'superseding',
        lesson: { confidence: 0.9, occurrences: 2, seenIn: ['1/1', '1/2'], supersededBy: null },
        old: { id: old.id, supersededBy: taken.lesson.id, supersededAt: later.toISOString() },
      })
      expect(await lessons.find(old.id)).toMatchObject({ supersededBy: taken.lesson.id })
      const found = await lessons.recall(LessonQuery.parse({ text: 'tenant prefix' }))
      expect(found.map(({ id }) => id)).toEqual([taken.lesson.id])
      // The old words again are the new lesson met again.
      expect(await lessons.record(weak, later)).toMatchObject({
        is: 'known_better',
        lesson: { id: taken.lesson.id, occurrences: 3 },
      })
    },
  )

  test('of many that record the same in other words at once, one lesson comes', async (context) => {
    const { lessons } = await open(context)
    const said = ['the', 'a', 'this', 'that', 'its'].map((word) =>
      gotcha({ content: `Close ${word} websocket client before stopping ${word} server` }),
    )
    const all = await Promise.all(said.map((lesson) => lessons.record(lesson, at)))
    expect(all.map(({ is }) => is).sort()).toEqual([...Array(4).fill('known_better'), 'recorded'])
    expect(new Set(all.map(({ lesson }) => lesson.id)).size).toBe(1)
  })

  test('a lesson for all files covers one for some; one for some does not cover all', async (context) => {
    const { lessons } = await open(context)
    const wide = gotcha({ content: 'Generated clients are overwritten by every build' })
    const narrow = { ...wide, content: 'generated clients get overwritten by every build', glob: 'gen/**' }
    expect((await lessons.record(narrow, at)).is).toBe('recorded')
    expect((await lessons.record(wide, at)).is).toBe('recorded')
    const action = { ...wide, content: 'Every build overwrites generated clients!', action: 'edit' }
    expect((await lessons.record({ ...action, content: `${wide.content}.` }, at)).is).toBe('known_better')
  })

  verifies(
    'AGENT-KNOWLEDGE-19',
    'what no longer holds is superseded, with a reason, and is not recalled; recorded again it stays so',
    async (context) => {
      const { lessons } = await open(context)
      const lesson = gotcha({ content: 'the old parser needs a trailing comma', topic: 'parser' })
      const { id } = (await lessons.record(lesson, at)).lesson
      const better = (await lessons.record(gotcha({ content: 'use parser two', topic: 'parser' }), at)).lesson
      expect(await lessons.supersede(id, { by: null, why: 'the library was updated' }, later)).toMatchObject({
        supersededBy: null,
        supersededAt: later.toISOString(),
        why: 'the library was updated',
      })
      const found = await lessons.recall(LessonQuery.parse({ topic: 'parser' }))
      expect(found.map((each) => each.id)).toContain(better.id)
      expect(found.map((each) => each.id)).not.toContain(id)
      expect((await lessons.record(lesson, later)).lesson).toMatchObject({
        id,
        supersededAt: later.toISOString(),
      })
      expect(await lessons.supersede(better.id, { by: id, why: 'no' }, later)).toBeNull()
      expect(await lessons.supersede(better.id, { by: better.id, why: 'no' }, later)).toBeNull()
      expect(await lessons.supersede(crypto.randomUUID(), { by: null, why: 'no' }, later)).toBeNull()
      const shown = await lessons.list({ limit: 100 })
      expect(shown.map((each) => each.id)).not.toContain(id)
      expect((await lessons.list({ all: true, limit: 100 })).map((each) => each.id)).toContain(id)
    },
  )

  verifies(
    ['AGENT-KNOWLEDGE-1', 'AGENT-KNOWLEDGE-2', 'AGENT-KNOWLEDGE-3', 'AGENT-KNOWLEDGE-5'],
    'gotchas for a file and an action: the very file, its pattern, other globs, any; then the surest, five at most',
    async (context) => {
      const store = await openAt(places(context))
      const rows: [content: string, given: LessonParts][] = [
        ['any file', { confidence: 0.99 }],
        ['by pattern, surer', { glob: '*.sql', confidence: 0.8 }],
        ['by pattern', { glob: '*.sql' }],
        ['by folder', { glob: 'database/migrations/*', confidence: 0.9 }],
        ['the file', { glob: 'database/migrations/001.sql', confidence: 0.65 }],
        ['other pattern', { glob: '*.ts', confidence: 0.99 }],
        ['other folder', { glob: 'server/routes/*', confidence: 0.99 }],
        ['for CREATE', { glob: '*.sql', action: 'CREATE', confidence: 0.61 }],
        ['for UPDATE', { glob: '*.sql', action: 'UPDATE', confidence: 0.99 }],
      ]
      for (const [content, given] of rows) await add(store, { content, ...given })
      const path = 'database/migrations/001.sql'
      const found = await recall(store, { type: 'gotcha', path, action: 'CREATE' })
      expect(found).toEqual(['the file', 'for CREATE', 'by pattern, surer', 'by pattern', 'by folder'])
      const more = await recall(store, { type: 'gotcha', path, action: 'CREATE', limit: 100 })
      expect(more).toEqual([...found, 'any file'])
      expect(await recall(store, { path: 'server/routes/a.ts', limit: 100 })).toEqual([
        'other pattern',
        'other folder',
        'any file',
      ])
      await store.close()
    },
  )

  verifies('AGENT-KNOWLEDGE-4', 'gotchas of little confidence are not returned', async (context) => {
    const store = await open(context)
    await add(store, { topic: 'floor', content: 'at the floor', confidence: 0.6 })
    await add(store, { topic: 'floor', content: 'just below', confidence: 0.59 })
    const { id } = await add(store, { topic: 'floor', content: 'gone by now', confidence: 0.9 })
    expect(await recall(store, { type: 'gotcha', topic: 'floor' })).toContain('gone by now')
    await store.lessons.supersede(id, { by: null, why: 'no more' }, later)
    const found = await store.lessons.recall(
      LessonQuery.parse({ type: 'gotcha', topics: 'floor', limit: 100 }),
    )
    const own = found.filter(({ topic }) => topic === 'floor').map(({ content }) => content)
    expect(own).toEqual(['at the floor'])
    expect(await recall(store, { topic: 'floor', minConfidence: 0.5, limit: 100 })).toContain('just below')
  })

  verifies(
    'AGENT-KNOWLEDGE-10',
    'patterns are found by topic from 0.7 on, the surest first',
    async (context) => {
      const store = await open(context)
      const pattern = (content: string, confidence: number, topic: string) =>
        add(store, { type: 'pattern', content, confidence, topic })
      await pattern('small steps', 0.7, 'paging')
      await pattern('keyset over offset', 0.9, 'paging')
      await pattern('a page of ten', 0.69, 'paging')
      await pattern('cursor in a header', 0.8, 'links')
      await pattern('another matter', 0.9, 'locks')
      const gone = await pattern('count all rows', 0.95, 'paging')
      await store.lessons.supersede(gone.id, { by: null, why: 'slow' }, later)
      expect(await recall(store, { type: 'pattern', topic: 'paging' })).toEqual([
        'keyset over offset',
        'small steps',
      ])
      const both = LessonQuery.parse({ type: 'pattern', topics: 'paging, links' })
      expect((await store.lessons.recall(both)).map(({ content }) => content)).toEqual([
        'keyset over offset',
        'cursor in a header',
        'small steps',
      ])
    },
  )

  test('what the trial has promoted comes first, what it left unproven last, what it retired not at all', async (context) => {
    const store = await open(context)
    const verdicts = ['unproven', 'retired', 'on_trial', 'promoted'] as const
    for (const [place, verdict] of verdicts.entries()) {
      const { id } = await add(store, { topic: 'judged', content: verdict, confidence: 0.95 - place / 20 })
      await store.lessons.reconsider(id, { verdict, looks: place, why: 'judged' }, later)
    }
    const found = await store.lessons.recall(LessonQuery.parse({ topic: 'judged', limit: 100 }))
    const judged = found.filter(({ topic }) => topic === 'judged')
    expect(judged.map(({ verdict }) => verdict)).toEqual(['promoted', 'on_trial', 'unproven'])
    expect(judged[0]).toMatchObject({ looks: 3, why: 'judged' })
    const retired = await store.lessons.list({ verdict: 'retired', limit: 10 })
    expect(retired.map(({ content }) => content)).toEqual(['retired'])
    expect(await store.lessons.reconsider(crypto.randomUUID(), { why: 'nobody' }, later)).toBeNull()
  })

  test('words are found in the sentence, the topic and the signature, whatever is asked', async (context) => {
    const store = await open(context)
    const topic = 'vacuum-pump'
    await add(store, { topic, content: 'Grease the bearings weekly', signature: 'PumpError: seized <n>' })
    await add(store, { topic: null, content: 'Bearings of Zürich are greased in src/lib/grease-bearings.ts' })
    expect(await recall(store, { text: 'bearings GREASE' })).toHaveLength(2)
    expect(await recall(store, { text: 'weekly pump seized' })).toEqual(['Grease the bearings weekly'])
    expect(await recall(store, { text: 'bearings -weekly' })).toHaveLength(1)
    for (const text of ["'", '"', '&|!():*', '\0', '\\', ' ', '🙂', "'; drop table lessons; --", '\uD800'])
      expect(Array.isArray(await recall(store, { text })), text).toBe(true)
    expect(
      await recall(store, { text: 'bearings', path: '\0{{{*', action: '\uD800', topic: "'" }),
    ).toHaveLength(1)
  })

  test('the list is paged from the newest to the oldest', async (context) => {
    const store = await openAt(places(context))
    const ids: string[] = []
    for (let nth = 0; nth < 5; nth += 1)
      ids.unshift((await add(store, { type: 'pattern', payload: { nth } })).id)
    const newest = [...ids].sort().reverse()
    const pages: string[] = []
    for (let after: string | undefined; ; after = pages.at(-1)) {
      const page = await store.lessons.list({ type: 'pattern', limit: 2, after })
      if (page.length === 0) break
      pages.push(...page.map(({ id }) => id))
    }
    expect(pages).toEqual(newest)
    expect(await store.lessons.list({ type: 'gotcha', limit: 2 })).toEqual([])
    expect((await store.lessons.some([...ids, crypto.randomUUID()])).map(({ id }) => id)).toEqual(ids)
    await store.close()
  })

  test('what was exported comes back as it was, once; what is known stays as it is', async (context) => {
    const one = await openAt(places(context))
    const other = await openAt(places(context))
    const kept = (await one.lessons.record(gotcha({ content: 'first of all', seenAt: '1/1' }), at)).lesson
    await one.lessons.record(gotcha({ content: 'second to none' }), at)
    await one.lessons.reconsider(
      kept.id,
      { verdict: 'promoted', looks: 2, confidence: 0.9, why: 'it helps' },
      later,
    )
    const all = await one.lessons.list({ all: true, limit: 10 })
    expect(await other.lessons.restore(all)).toEqual({ restored: 2, known: 0 })
    expect(await other.lessons.list({ all: true, limit: 10 })).toEqual(all)
    expect(await other.lessons.restore(all)).toEqual({ restored: 0, known: 2 })
    const twin = { ...kept, id: crypto.randomUUID() }
    expect(await other.lessons.restore([twin])).toEqual({ restored: 0, known: 1 })
    const over = { ...kept, id: crypto.randomUUID(), content: 'long over', supersededBy: kept.id }
    await other.lessons.restore([over])
    expect(await other.lessons.find(over.id)).toMatchObject({ supersededAt: over.updatedAt })
    expect(await recall(other, { text: 'long over' })).toEqual([])
    await Promise.all([one.close(), other.close()])
  })

  test('what was written since a mark is read in the order of writing, also what was only changed', async (context) => {
    const store = await openAt(places(context))
    const ids = ['a first', 'a second', 'a third'].map((content) => ({ content }))
    const made: string[] = []
    for (const given of ids) made.push((await add(store, given)).id)
    const all = await store.lessons.writtenSince(null, 10)
    expect(all.map(({ lesson }) => lesson.id)).toEqual(made)
    const mark = all.at(-1)?.mark ?? null
    expect(await store.lessons.writtenSince(mark, 10)).toEqual([])
    await store.lessons.reconsider(made[1] ?? '', { confidence: 0.2, why: 'no' }, at)
    await store.lessons.supersede(made[0] ?? '', { by: null, why: 'no' }, at)
    const since = await store.lessons.writtenSince(mark, 10)
    expect(since.map(({ lesson }) => lesson.id)).toEqual([made[1], made[0]])
    await store.close()
  })
})
