import { expect, test } from 'vitest'
import { findWaitCycles } from './wait-cycles.ts'

const edges = (...pairs: string[]) =>
  pairs.map((pair) => {
    const [waiter = '', waitingFor = ''] = pair.split('>')
    return { waiter, waitingFor }
  })

test.for([
  { title: 'nobody waits', given: edges(), told: [] },
  { title: 'a chain', given: edges('a>b', 'b>c'), told: [] },
  { title: 'two ways to one end', given: edges('a>b', 'a>c', 'b>d', 'c>d'), told: [] },
  { title: 'one that waits for itself', given: edges('a>a'), told: [['a']] },
  { title: 'two for each other', given: edges('b>a', 'a>b'), told: [['a', 'b']] },
  { title: 'the same edge twice', given: edges('a>b', 'b>a', 'a>b'), told: [['a', 'b']] },
  {
    title: 'three in a circle, from the least name on',
    given: edges('c>a', 'b>c', 'a>b'),
    told: [['a', 'b', 'c']],
  },
  { title: 'a tail leads into a circle', given: edges('a>b', 'b>c', 'c>b'), told: [['b', 'c']] },
  {
    title: 'two circles apart',
    given: edges('x>y', 'y>x', 'a>b', 'b>a'),
    told: [
      ['a', 'b'],
      ['x', 'y'],
    ],
  },
  {
    title: 'two circles through one name',
    given: edges('m>a', 'a>m', 'm>z', 'z>m'),
    told: [
      ['a', 'm'],
      ['m', 'z'],
    ],
  },
])('wait cycles: $title', ({ given, told }) => {
  expect(findWaitCycles(given)).toEqual(told)
})

test('wait cycles: a chain of 20,000 is walked to its end, and its circle is found', () => {
  const chain = Array.from({ length: 20_000 }, (_, n) => ({ waiter: `n${n}`, waitingFor: `n${n + 1}` }))
  expect(findWaitCycles(chain)).toEqual([])
  const [circle] = findWaitCycles([...chain, { waiter: 'n20000', waitingFor: 'n0' }])
  expect(circle).toHaveLength(20_001)
})
