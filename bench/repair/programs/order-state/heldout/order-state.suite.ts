import { describe, expect, it } from 'vitest'
import { allowedMoves, isFinal, type Move, nextState, route, type State } from '../src/machine.ts'
import { Order, overdue } from '../src/order.ts'

const states: State[] = ['draft', 'placed', 'paid', 'packed', 'shipped', 'delivered', 'returned', 'cancelled']
const all: Move[] = ['place', 'pay', 'pack', 'ship', 'deliver', 'return', 'cancel']
const table = [
  'draft place placed',
  'placed pay paid',
  'paid pack packed',
  'packed ship shipped',
  'shipped deliver delivered',
  'delivered return returned',
  'draft cancel cancelled',
  'placed cancel cancelled',
  'paid cancel cancelled',
]

function expectedRoute(from: State, to: State): Move[] | null {
  const start = states.indexOf(from)
  const end = states.indexOf(to)
  if (start === end) return []
  if (to === 'cancelled') return start < 3 ? ['cancel'] : null
  return start < end ? all.slice(start, end) : null
}

describe('the machine', () => {
  it('has exactly these moves', () => {
    for (const state of states) {
      for (const move of all) {
        const row = table.find((one) => one.startsWith(`${state} ${move} `))
        expect(nextState(state, move)).toBe(row?.split(' ')[2] ?? null)
      }
      const expected = table.filter((one) => one.startsWith(`${state} `)).map((one) => one.split(' ')[1])
      expect(allowedMoves(state)).toEqual(expected.sort())
      expect(isFinal(state)).toBe(expected.length === 0)
    }
  })

  it('finds shortest ways between all states', () => {
    for (const from of states) {
      for (const to of states) expect(route(from, to)).toEqual(expectedRoute(from, to))
    }
  })
})

const path = all.slice(0, 6)
const until = (count: number, times: readonly number[]) =>
  Order.replay(
    'o',
    path.slice(0, count).map((move, index) => ({ move, at: times[index] ?? 0 })),
  )

describe('an order', () => {
  it('goes all the way with equal or growing times', () => {
    for (const times of [
      [0, 0, 0, 0, 0, 0],
      [5, 6, 8, 9, 30, 750],
      [1, 1, 2, 3, 5, 725],
    ]) {
      for (let count = 0; count <= 6; count += 1) {
        const order = until(count, times)
        expect(order.state).toBe(states[count])
        expect(order.open).toBe(count < 5)
        expect(order.events.map((event) => `${event.from} ${event.move} ${event.to}`)).toEqual(
          table.slice(0, count),
        )
        const spent = [...order.durations(1000)]
        const expected = times.slice(0, count).map((at, index) => {
          const end = index + 1 < count ? (times[index + 1] ?? 0) : 1000
          return [states[index + 1], end - at]
        })
        expect(spent).toEqual(expected)
      }
    }
  })

  it('refuses with reasons and stays as it was', () => {
    const order = until(5, [1, 2, 3, 4, 5])
    expect(order.apply('return', 4)).toEqual({ is: 'refused', because: 'time goes forward' })
    expect(order.apply('return', 5).is).toBe('moved')
    expect(order.apply('return', 725).is).toBe('moved')
    expect(order.apply('return', 726)).toEqual({ is: 'refused', because: 'too late to return' })
    expect(order.apply('cancel', 9)).toEqual({ is: 'refused', because: 'delivered orders cannot cancel' })
    expect(order.events).toHaveLength(5)
    const far = until(4, [1, 2, 3, 4]).apply('deliver', 9000)
    expect(far.is).toBe('moved')
    expect(() =>
      Order.replay('k', [
        { move: 'place', at: 5 },
        { move: 'pay', at: 4 },
      ]),
    ).toThrow('k: time goes forward')
  })
})

describe('overdue', () => {
  it('looks at the last move, the state and its limit', () => {
    const make = (id: string, count: number, at: number) =>
      Order.replay(
        id,
        path.slice(0, count).map((move, index) => ({ move, at: index === count - 1 ? at : 0 })),
      )
    const orders = [
      make('p', 1, 10),
      make('q', 2, 4),
      make('r', 3, 1),
      make('s', 5, 1),
      make('t', 2, 5),
      new Order('u'),
    ]
    const allowed = { placed: 5, paid: 15, packed: 3, delivered: 1, draft: 1 }
    expect(overdue(orders, 15, allowed)).toEqual(['r'])
    expect(overdue(orders, 20, allowed)).toEqual(['r', 'p', 'q'])
    expect(overdue(orders, 21, allowed)).toEqual(['r', 'p', 'q', 't'])
    expect(overdue(orders, 30, { placed: 0 })).toEqual(['p'])
    expect(overdue([], 30, allowed)).toEqual([])
  })
})
