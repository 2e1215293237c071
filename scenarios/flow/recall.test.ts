// Lessons for an error that is only like a known one, as the daemon answers; each time with what any daemon has written.
import { type Lesson, LessonQuery, NewLesson } from '@treadle/contracts/lesson'
import { signatureAsked } from '@treadle/flow/verify/failure/signature-asked'
import { LessonIndex } from '@treadle/memory/lesson-index'
import type { OpenStore } from '@treadle/store/connect'
import { DRIVERS, useStore } from '@treadle/store/testing/both-drivers'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'

const at = new Date('2026-01-02T03:04:05.678Z')
const READ = 'TypeError: Cannot read properties of undefined (reading ‹name›) @ load (src/user.ts)'

describe.each(DRIVERS)('recalling on the %s database', (driver) => {
  const open = useStore(driver)
  const add = async ({ lessons }: OpenStore, given: Partial<NewLesson>): Promise<Lesson> =>
    (await lessons.record(NewLesson.parse({ type: 'resolution', ...given }), at)).lesson
  const ask = async (index: LessonIndex, query: z.input<typeof LessonQuery>) =>
    (await index.recall(LessonQuery.parse(query))).map(({ topic }) => topic)

  test('an error as it was printed: the very one first, then those like it; and what others write is seen', async (context) => {
    const store = await open(context)
    const index = new LessonIndex(store.lessons, signatureAsked)
    const first = await add(store, { topic: 'read', signature: READ, glob: 'src/**', action: 'build' })
    await add(store, { topic: 'open', signature: 'Error: ENOENT: no such file or directory, open <value>' })
    const printed =
      "TypeError: Cannot read properties of undefined (reading 'price')\n    at cost (/w/lib/cart.ts:3:9)"
    expect(await ask(index, { similarTo: printed })).toEqual(['read'])
    expect(await ask(index, { similarTo: READ })).toEqual(['read'])
    expect(await ask(index, { similarTo: 'SegmentationFault: core dumped' })).toEqual([])
    expect(await ask(index, { similarTo: printed, type: 'gotcha' })).toEqual([])
    expect(await ask(index, { similarTo: printed, path: 'src/a.ts', action: 'build' })).toEqual(['read'])
    expect(await ask(index, { similarTo: printed, path: 'lib/a.ts' })).toEqual([])
    expect(await ask(index, { similarTo: printed, action: 'review' })).toEqual([])
    expect(await ask(index, { similarTo: printed, topics: 'open' })).toEqual([])
    expect(await ask(index, { similarTo: printed, minConfidence: 0.9 })).toEqual([])

    const asked = 'TypeError: Cannot read properties of undefined (reading ‹price›) @ cost (lib/cart.ts)'
    await add(store, { topic: 'the very one', signature: asked })
    expect(await ask(index, { similarTo: asked })).toEqual(['the very one', 'read'])
    await store.lessons.reconsider(first.id, { verdict: 'retired', why: 'no use' }, at)
    expect(await ask(index, { similarTo: asked })).toEqual(['the very one'])
    await store.lessons.reconsider(first.id, { verdict: 'promoted', why: 'of use after all' }, at)
    expect(await ask(index, { similarTo: asked })).toEqual(['the very one', 'read'])
    await store.lessons.supersede(first.id, { by: null, why: 'gone' }, at)
    expect(await ask(index, { similarTo: asked })).toEqual(['the very one'])
  })

  test('words that no lesson has all of find the one that has the telling ones', async (context) => {
    const store = await open(context)
    const index = new LessonIndex(store.lessons, signatureAsked)
    await add(store, {
      type: 'gotcha',
      topic: 'disk',
      content: 'The journal fills the disk unless it is rotated',
    })
    await add(store, { type: 'gotcha', topic: 'clock', content: 'Leases end early where clocks differ' })
    expect(await ask(index, { text: 'journal rotated' })).toEqual(['disk'])
    expect(await ask(index, { text: 'the rotated journal fills our disk quickly' })).toEqual(['disk'])
    expect(await ask(index, { text: 'nothing of the kind whatsoever' })).toEqual([])
  })

  test('many that ask at once are answered alike', async (context) => {
    const store = await open(context)
    const index = new LessonIndex(store.lessons, signatureAsked)
    await add(store, { topic: 'lease', signature: 'LeaseError: lease <id> is not yours' })
    const all = await Promise.all(
      Array.from({ length: 10 }, () => ask(index, { similarTo: 'LeaseError: lease <id> is not yours' })),
    )
    expect(new Set(all.map((found) => found.join()))).toEqual(new Set(['lease']))
  })
})
