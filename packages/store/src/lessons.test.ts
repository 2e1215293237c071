import { LessonQuery, NewLesson } from '@treadle/contracts/lesson'
import { describe, expect, test } from 'vitest'
import type { OpenStore } from './connect.ts'
import { DRIVERS, openAt, usePlaces, useStore } from './testing/both-drivers.ts'

const at = new Date('2026-01-02T03:04:05.678Z')
const later = new Date('2026-01-03T03:04:05.678Z')

describe.each(DRIVERS)('lessons on the %s database', (driver) => {
  const open = useStore(driver)
  const places = usePlaces(driver)
  const recall = async ({ lessons }: OpenStore, query: Partial<LessonQuery>) =>
    (await lessons.recall(LessonQuery.parse({ topic: 'matching', ...query }))).map(
      ({ payload }) => payload.name,
    )

  test('a lesson is read as it was recorded', async (context) => {
    const { lessons } = await open(context)
    const given = NewLesson.parse({
      type: 'resolution',
      glob: 'src/**/*.ts',
      action: 'edit',
      topic: 'reading',
      signature: 'TypeError: x \0',
      confidence: 0.85,
      provenance: { runId: null, attempt: 2, commit: 'd'.repeat(40) },
      payload: { fix: 'a "quoted" \0', steps: [1, 2.5, null], deep: { a: true } },
    })
    const recorded = await lessons.record(given, at)
    expect(recorded).toEqual({
      ...given,
      signature: 'TypeError: x \uFFFD',
      payload: { ...given.payload, fix: 'a "quoted" \uFFFD' },
      id: expect.any(String),
      occurrences: 1,
      supersededBy: null,
      createdAt: at.toISOString(),
      updatedAt: at.toISOString(),
    })
    const found = await lessons.recall(LessonQuery.parse({ signature: 'TypeError: x \0', topic: 'reading' }))
    expect(found).toEqual([recorded])
  })

  test('the same lesson again is counted, also when it comes many times at once', async (context) => {
    const { lessons } = await open(context)
    const lesson = NewLesson.parse({ type: 'gotcha', topic: 'again', payload: { a: 1, b: { c: 2, d: 3 } } })
    await Promise.all(Array.from({ length: 5 }, () => lessons.record(lesson, at)))
    const other = { runId: null, attempt: 9, commit: null }
    const same = { ...lesson, payload: { b: { d: 3, c: 2 }, a: 1 }, provenance: other, confidence: 0.9 }
    const sixth = await lessons.record(same, later)
    expect(sixth).toMatchObject({ occurrences: 6, confidence: 0.9, updatedAt: later.toISOString() })
    expect((await lessons.record({ ...lesson, confidence: 0.1 }, later)).confidence).toBe(0.9)
    const differing: Partial<NewLesson>[] = [
      { type: 'pattern' },
      { glob: 'a' },
      { action: 'a' },
      { topic: 'b' },
      { signature: 's' },
      { payload: { a: 1 } },
      { payload: { a: 1, b: [['c', 2]] } },
    ]
    for (const change of differing)
      expect((await lessons.record({ ...lesson, ...change }, at)).occurrences, JSON.stringify(change)).toBe(1)
  })

  test('what is recalled fits the question, the exact before the general, then by confidence', async (context) => {
    const store = await openAt(places(context))
    const rows: [name: string, given: Partial<NewLesson>][] = [
      ['general', {}],
      ['glob', { glob: 'src/**/*.ts' }],
      ['exact path', { glob: 'src/a/b.ts' }],
      ['other path', { glob: 'test/**' }],
      ['edit', { action: 'edit' }],
      ['run', { action: 'run' }],
      ['sure', { confidence: 0.95 }],
      ['unsure', { confidence: 0.5 }],
      ['signed', { signature: 'E1', action: 'edit' }],
      ['pattern', { type: 'pattern' }],
      ['often', { payload: { name: 'often' } }],
    ]
    for (const [name, given] of rows)
      await store.lessons.record(
        NewLesson.parse({ type: 'gotcha', topic: 'matching', payload: { name }, ...given }),
        at,
      )
    await store.lessons.record(
      NewLesson.parse({ type: 'gotcha', topic: 'matching', payload: { name: 'often' } }),
      at,
    )
    await store.lessons.record(
      NewLesson.parse({ type: 'gotcha', topic: 'other', payload: { name: 'other' } }),
      at,
    )

    const all = await recall(store, { limit: 100 })
    expect(all[0]).toBe('sure')
    expect(all[1]).toBe('often')
    expect(all).not.toContain('unsure')
    expect(all).not.toContain('other')
    expect(all).toHaveLength(10)
    expect(await recall(store, { limit: 100, minConfidence: 0.5 })).toContain('unsure')
    expect(await recall(store, { type: 'pattern' })).toEqual(['pattern'])
    expect(await recall(store, { signature: 'E1' })).toEqual(['signed'])
    expect(await recall(store, { signature: 'E2' })).toEqual([])

    const onPath = await recall(store, { path: 'src/a/b.ts', limit: 100, type: 'gotcha' })
    expect(onPath.slice(0, 3)).toEqual(['exact path', 'sure', 'often'])
    expect(onPath).toContain('glob')
    expect(onPath).not.toContain('other path')
    expect(await recall(store, { path: 'lib/x.py', limit: 100 })).not.toContain('glob')

    const editing = await recall(store, { action: 'edit', limit: 100 })
    expect(editing.slice(0, 2).sort()).toEqual(['edit', 'signed'])
    expect(editing).toContain('general')
    expect(editing).not.toContain('run')
    expect(await recall(store, { limit: 2 })).toHaveLength(2)
    await store.close()
  })
})
