// An order that was begun is in the log until it has ended, and then once.
import { randomUUID } from 'node:crypto'
import { useStore } from '@treadle/store/testing/both-drivers'
import pino from 'pino'
import { expect, test } from 'vitest'
import { type Entry, readAudit, recordOrder } from './audit.ts'
import { findPurge } from './purge.ts'

const open = useStore('embedded')
const items = [{ projectNumber: 1, number: 7, state: 'todo' as const, reason: null }]
const entry = (id: string, given: Partial<Entry>): Entry => ({
  id,
  order: 'emergency_stop',
  by: 'ada',
  target: null,
  impact: 'all of it',
  outcome: 'done',
  ...given,
})

test('what was begun and not ended is shown as begun; what has ended is shown once', async (context) => {
  const store = await open(context)
  const world = { store, now: () => new Date(), uuid: randomUUID, log: pino({ level: 'silent' }) }
  const begun = { begun: 'here', outcome: 'begun' }
  for (const id of ['order-one', 'order-two', 'order-three']) await recordOrder(world, entry(id, begun))
  for (const id of ['order-one', 'order-three']) await recordOrder(world, entry(id, {}))
  await recordOrder(world, entry('order-purge', { ...begun, order: 'purge', items }))
  const shown = (await readAudit(world, { limit: 10 })).map(({ id, outcome }) => [id, outcome])
  expect(shown).toEqual([
    ['order-purge', 'begun'],
    ['order-three', 'done'],
    ['order-one', 'done'],
    ['order-two', 'begun'],
  ])
  // A page is full as long as there is more, whatever is left out of it.
  const pages: string[] = []
  for (let before: string | undefined; ; ) {
    const [first] = await readAudit(world, { limit: 1, before })
    if (first === undefined) break
    pages.push(first.id)
    before = first.cursor
  }
  expect(pages).toEqual(['order-purge', 'order-three', 'order-one', 'order-two'])
  // What it was about to take can be put back.
  expect(await findPurge({ ...world, advance: () => expect.unreachable() }, null)).toEqual({
    id: 'order-purge',
    items,
  })
})
