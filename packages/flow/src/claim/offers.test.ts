import type { AgentId } from '@treadle/contracts/ids'
import { blankItem, type Item } from '@treadle/contracts/item'
import { expect, test } from 'vitest'
import { type OfferLimits, Offers } from './offers.ts'

const ANY: OfferLimits = { affordable: null, resting: null }
const item = (number: number, more: Partial<Item> = {}) =>
  blankItem({ number, title: `Item ${number}`, createdAt: '2026-11-15T12:00:00.000Z', ...more })
const ref = (number: number) => ({ projectNumber: 1, number })
const numbers = (items: readonly Item[]) => items.map(({ number }) => number)

test('an offer is one agent’s alone until it is withdrawn or its time is over', () => {
  const offers = new Offers()
  const queue = [item(1), item(2)]
  offers.make(ref(1), 'agent-1', 0)
  expect(numbers(offers.fitting(queue, 'agent-1', ANY))).toEqual([1, 2])
  expect(numbers(offers.fitting(queue, 'agent-2', ANY))).toEqual([2])
  offers.expire(999)
  expect(offers.size).toBe(1)
  offers.expire(1_000)
  expect(offers.size).toBe(0)
  expect(numbers(offers.fitting(queue, 'agent-2', ANY))).toEqual([1, 2])
  offers.make(ref(2), 'agent-1', 0)
  offers.withdraw(ref(2))
  expect(numbers(offers.fitting(queue, 'agent-2', ANY))).toEqual([1, 2])
})

test('the same number in another project is another item', () => {
  const offers = new Offers()
  offers.make(ref(1), 'agent-1', 0)
  expect(offers.fitting([item(1, { projectNumber: 2 })], 'agent-2', ANY)).toHaveLength(1)
})

test.each<[string, Partial<OfferLimits>, number[]]>([
  ['without rules every item fits', {}, [1, 2, 3]],
  ['what the budget does not cover is left out', { affordable: ({ number }) => number !== 1 }, [2, 3]],
  ['an item whose engine rests is left out', { resting: ({ number }) => number === 3 }, [1, 2]],
  [
    'both rules hold',
    { affordable: ({ number }) => number !== 1, resting: ({ number }) => number === 3 },
    [2],
  ],
])('%s', (_, limits, expected) => {
  const queue = [item(1), item(2), item(3)]
  expect(numbers(new Offers().fitting(queue, 'agent-1', { ...ANY, ...limits }))).toEqual(expected)
})

type Act = (offers: Offers) => void
const came =
  (number: number | null): Act =>
  (offers) =>
    offers.came(number === null ? null : ref(number))
const looked =
  (id: AgentId, isEmpty: boolean): Act =>
  (offers) =>
    offers.looked(id, { isEmpty, news: offers.news })

test.each<[string, Act[], number | null]>([
  ['what comes to an empty queue', [looked('agent-1', true), came(1)], 1],
  ['nothing has come', [looked('agent-1', true)], null],
  ['nobody has looked', [came(1)], null],
  ['only another found it empty', [looked('agent-2', true), came(1)], null],
  ['the queue was not empty', [looked('agent-1', false), came(1)], null],
  ['two have come', [looked('agent-1', true), came(1), came(2)], null],
  ['three have come', [looked('agent-1', true), came(1), came(2), came(3)], null],
  ['something came that is not for everybody', [looked('agent-1', true), came(null), came(1)], null],
  [
    'another has looked since and may have taken it',
    [looked('agent-1', true), came(1), looked('agent-2', false)],
    null,
  ],
  [
    'it was taken without a look before',
    [looked('agent-1', true), came(1), (offers) => offers.takeOnly('agent-1', ANY)],
    null,
  ],
])('the only item: %s', (_, acts, expected) => {
  const offers = new Offers()
  for (const act of acts) act(offers)
  expect(offers.takeOnly('agent-1', ANY)).toEqual(expected === null ? null : ref(expected))
})

test('a look that something came in between says nothing', () => {
  const offers = new Offers()
  const { news } = offers
  offers.came(ref(1))
  offers.looked('agent-1', { isEmpty: true, news })
  offers.came(ref(2))
  expect(offers.takeOnly('agent-1', ANY)).toBeNull()
})

test.each<[string, Partial<OfferLimits>]>([
  ['budget', { affordable: () => true }],
  ['resting engine', { resting: () => false }],
])('with a rule about the %s the whole item has to be looked at', (_, limits) => {
  const offers = new Offers()
  looked('agent-1', true)(offers)
  offers.came(ref(1))
  expect(offers.takeOnly('agent-1', { ...ANY, ...limits })).toBeNull()
  expect(offers.takeOnly('agent-1', ANY)).toEqual(ref(1))
})
