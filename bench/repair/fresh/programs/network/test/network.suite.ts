import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Network } from '../src/network.ts'
import { UnionFind } from '../src/union-find.ts'

function build(...cables: (readonly [string, string, number?])[]): Network {
  const network = new Network()
  for (const [a, b, cost] of cables) network.addCable(a, b, cost)
  return network
}

describe('UnionFind', () => {
  it('starts with single items', () => {
    const groups = new UnionFind()
    groups.add('a')
    groups.add('b')
    groups.add('a')
    assert.equal(groups.count, 2)
    assert.equal(groups.find('a'), 'a')
    assert.deepEqual(groups.groups(), [['a'], ['b']])
  })

  it('joins groups', () => {
    const groups = new UnionFind()
    for (const item of ['a', 'b', 'c', 'd']) groups.add(item)
    assert.equal(groups.join('a', 'b'), true)
    assert.equal(groups.join('d', 'c'), true)
    assert.equal(groups.join('b', 'a'), false)
    assert.equal(groups.count, 2)
    assert.equal(groups.join('c', 'a'), true)
    assert.equal(groups.find('d'), groups.find('b'))
    assert.equal(groups.sizeOf('d'), 4)
    assert.equal(groups.count, 1)
  })

  it('knows the size of each group', () => {
    const groups = new UnionFind()
    for (const item of ['a', 'b', 'c', 'd']) groups.add(item)
    groups.join('a', 'b')
    groups.join('c', 'b')
    assert.deepEqual([groups.sizeOf('a'), groups.sizeOf('c'), groups.sizeOf('d')], [3, 3, 1])
  })

  it('does not know strangers', () => {
    assert.throws(() => new UnionFind().find('x'), /unknown item x/)
  })
})

describe('Network', () => {
  it('lists its places once', () => {
    const network = build(['a', 'b'], ['b', 'c'], ['a', 'c'])
    network.addPlace('z')
    network.addPlace('a')
    assert.deepEqual(network.places(), ['a', 'b', 'c', 'z'])
    assert.equal(network.hops('a', 'b'), 1)
  })

  it('refuses odd cables', () => {
    assert.throws(() => build(['a', 'a']), /two ends/)
    assert.throws(() => build(['a', 'b', -1]), RangeError)
    assert.equal(build(['a', 'b', 0]).cheapest().cost, 0)
  })

  it('finds islands, the largest first', () => {
    const network = build(['x', 'y'], ['c', 'b'], ['b', 'a'], ['m', 'n'])
    network.addPlace('solo')
    assert.deepEqual(network.islands(), [['a', 'b', 'c'], ['m', 'n'], ['x', 'y'], ['solo']])
  })

  it('finds the cheapest cables', () => {
    const network = build(['a', 'b', 4], ['b', 'c', 2], ['a', 'c', 3], ['c', 'd', 9], ['b', 'd', 7])
    assert.deepEqual(network.cheapest(), {
      cables: [
        { a: 'b', b: 'c', cost: 2 },
        { a: 'a', b: 'c', cost: 3 },
        { a: 'b', b: 'd', cost: 7 },
      ],
      cost: 12,
    })
  })

  it('finds the cheapest cables of several islands', () => {
    const network = build(['a', 'b'], ['a', 'b', 5], ['c', 'd', 6])
    assert.equal(network.cheapest().cost, 7)
    assert.equal(network.cheapest().cables.length, 2)
    assert.equal(new Network().cheapest().cost, 0)
  })

  it('counts hops', () => {
    const network = build(['a', 'b'], ['b', 'c'], ['c', 'd'], ['a', 'd'], ['x', 'y'])
    assert.equal(network.hops('a', 'a'), 0)
    assert.equal(network.hops('a', 'c'), 2)
    assert.equal(network.hops('a', 'd'), 1)
    assert.equal(network.hops('a', 'x'), undefined)
    assert.equal(network.hops('q', 'q'), undefined)
  })

  it('finds critical cables', () => {
    const network = build(['b', 'a'], ['b', 'c'], ['c', 'd'], ['d', 'b'], ['d', 'e'], ['x', 'y'])
    assert.deepEqual(network.critical(), ['a-b', 'd-e', 'x-y'])
  })

  it('takes two cables between two places as a circle', () => {
    assert.deepEqual(build(['a', 'b'], ['a', 'b'], ['b', 'c']).critical(), ['b-c'])
    assert.deepEqual(build(['a', 'b'], ['b', 'c'], ['c', 'a']).critical(), [])
  })

  it('finds teams', () => {
    const network = build(['a', 'b'], ['b', 'c'], ['c', 'd'], ['d', 'a'], ['x', 'y'])
    assert.deepEqual(network.teams(), [
      ['a', 'c', 'x'],
      ['b', 'd', 'y'],
    ])
    network.addPlace('solo')
    assert.deepEqual(network.teams()?.[0], ['a', 'c', 'x', 'solo'])
  })

  it('finds no teams around an odd circle', () => {
    assert.equal(build(['a', 'b'], ['b', 'c'], ['c', 'a']).teams(), undefined)
    assert.deepEqual(new Network().teams(), [[], []])
  })
})
