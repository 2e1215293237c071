import { describe, expect, it } from 'vitest'
import { allowedMoves, isFinal, nextState, route } from '../src/machine.ts'
import { Order, overdue } from '../src/order.ts'

const delivered = () =>
  Order.replay('o1', [
    { move: 'place', at: 0 },
    { move: 'pay', at: 2 },
    { move: 'pack', at: 10 },
    { move: 'ship', at: 12 },
    { move: 'deliver', at: 60 },
  ])

describe('the machine', () => {
  it('knows its moves', () => {
    expect(nextState('draft', 'place')).toBe('placed')
    expect(nextState('draft', 'ship')).toBeNull()
    expect(allowedMoves('paid')).toEqual(['cancel', 'pack'])
    expect(isFinal('cancelled')).toBe(true)
    expect(isFinal('delivered')).toBe(false)
  })

  it('finds ways', () => {
    expect(route('placed', 'shipped')).toEqual(['pay', 'pack', 'ship'])
    expect(route('packed', 'cancelled')).toBeNull()
    expect(route('paid', 'paid')).toEqual([])
  })
})

describe('an order', () => {
  it('moves and remembers', () => {
    const order = delivered()
    expect(order.state).toBe('delivered')
    expect(order.events).toHaveLength(5)
    expect(order.events[1]).toEqual({ at: 2, move: 'pay', from: 'placed', to: 'paid' })
  })

  it('is not changed by a move', () => {
    const order = new Order('x')
    const result = order.apply('place', 1)
    expect(result.is).toBe('moved')
    expect(order.state).toBe('draft')
    expect(order.events).toEqual([])
  })

  it('refuses wrong moves and times', () => {
    expect(delivered().apply('pay', 100)).toEqual({ is: 'refused', because: 'delivered orders cannot pay' })
    expect(delivered().apply('return', 59)).toEqual({ is: 'refused', because: 'time goes forward' })
    expect(() => Order.replay('x', [{ move: 'pay', at: 0 }])).toThrow('x: draft orders cannot pay')
  })

  it('can be returned for thirty days', () => {
    expect(delivered().apply('return', 60 + 720).is).toBe('moved')
    expect(delivered().apply('return', 60 + 721)).toEqual({ is: 'refused', because: 'too late to return' })
  })

  it('knows how long it was where', () => {
    expect([...delivered().durations(70)]).toEqual([
      ['placed', 2],
      ['paid', 8],
      ['packed', 2],
      ['shipped', 48],
      ['delivered', 10],
    ])
  })

  it('is open until it is delivered or at an end', () => {
    expect(new Order('a').open).toBe(true)
    expect(delivered().open).toBe(false)
    expect(new Order('a', 'cancelled').open).toBe(false)
  })
})

describe('overdue', () => {
  it('lists the latest first', () => {
    const placed = (id: string, at: number) => Order.replay(id, [{ move: 'place', at }])
    const orders = [placed('a', 8), placed('b', 2), placed('c', 10), delivered(), new Order('d')]
    expect(overdue(orders, 20, { placed: 10, delivered: 1, draft: 0 })).toEqual(['b', 'a'])
    expect(overdue(orders, 20, {})).toEqual([])
  })
})
