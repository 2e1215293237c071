import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Cable, Network } from '../src/network.ts'
import { UnionFind } from '../src/union-find.ts'

let state = 61
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

type Drawn = { places: string[]; cables: Cable[]; network: Network }

function draw(placeCount: number, cableCount: number): Drawn {
  const places = Array.from({ length: placeCount }, (_, index) => `p${index}`)
  const cables: Cable[] = []
  const network = new Network()
  for (const place of places) network.addPlace(place)
  for (let index = 0; index < cableCount; index += 1) {
    const from = random(placeCount)
    const to = (from + 1 + random(placeCount - 1)) % placeCount
    const cable = { a: `p${from}`, b: `p${to}`, cost: random(9) }
    cables.push(cable)
    network.addCable(cable.a, cable.b, cable.cost)
  }
  return { places, cables, network }
}

// Colours that spread along the cables, as often as it may take.
function slowIslands(places: readonly string[], cables: readonly Cable[]): string[][] {
  const colour = new Map(places.map((place) => [place, place]))
  for (const { a, b } of places.flatMap(() => cables)) {
    const least = [colour.get(a) ?? '', colour.get(b) ?? ''].sort()[0] ?? ''
    colour.set(a, least)
    colour.set(b, least)
  }
  const islands = new Map<string, string[]>()
  for (const place of [...places].sort()) {
    const name = colour.get(place) ?? ''
    islands.set(name, [...(islands.get(name) ?? []), place])
  }
  return [...islands.values()].sort((x, y) => y.length - x.length || `${x[0]}`.localeCompare(`${y[0]}`))
}

// All ways to leave cables out.
function slowCheapest(places: readonly string[], cables: readonly Cable[]): number {
  const islands = slowIslands(places, cables).length
  let best = Number.POSITIVE_INFINITY
  for (let mask = 0; mask < 2 ** cables.length; mask += 1) {
    const kept = cables.filter((_, index) => (mask >> index) & 1)
    const cost = kept.reduce((sum, cable) => sum + cable.cost, 0)
    if (cost < best && slowIslands(places, kept).length === islands) best = cost
  }
  return best
}

function slowJoin(lists: string[][], a: string, b: string): string[][] {
  const left = lists.find((list) => list.includes(a)) ?? []
  const right = lists.find((list) => list.includes(b)) ?? []
  if (left === right) return lists
  return [...lists.filter((list) => list !== left && list !== right), [...left, ...right]]
}

function slowHops(places: readonly string[], cables: readonly Cable[], from: string): Map<string, number> {
  const ways = cables.flatMap(({ a, b }) => [
    { x: a, y: b },
    { x: b, y: a },
  ])
  const best = new Map([[from, 0]])
  for (const { x, y } of places.flatMap(() => ways)) {
    const known = best.get(x)
    if (known !== undefined && known + 1 < (best.get(y) ?? 1000)) best.set(y, known + 1)
  }
  return best
}

function slowTeams(places: readonly string[], cables: readonly Cable[]): boolean {
  const masks = Array.from({ length: 2 ** places.length }, (_, mask) => mask)
  return masks.some((mask) => {
    const side = (place: string) => (mask >> places.indexOf(place)) & 1
    return cables.every(({ a, b }) => side(a) !== side(b))
  })
}

// Adds two items to the groups and to the lists and joins them now and then.
function act(groups: UnionFind, lists: string[][], a: string, b: string): string[][] {
  const known = new Set(lists.flat())
  const added = [...lists, ...[...new Set([a, b])].filter((item) => !known.has(item)).map((item) => [item])]
  groups.add(a)
  groups.add(b)
  if (random(2) === 0) return added
  const joined = slowJoin(added, a, b)
  assert.equal(groups.join(a, b), joined !== added)
  return joined
}

describe('UnionFind', () => {
  it('agrees with lists of lists', () => {
    for (let round = 0; round < 60; round += 1) {
      const groups = new UnionFind()
      let lists: string[][] = []
      for (let step = 0; step < 40; step += 1) {
        const a = `i${random(12)}`
        const b = `i${random(12)}`
        lists = act(groups, lists, a, b)
        assert.equal(groups.count, lists.length)
        assert.equal(groups.sizeOf(a), lists.find((list) => list.includes(a))?.length)
        const same = lists.some((list) => list.includes(a) && list.includes(b))
        assert.equal(groups.find(a) === groups.find(b), same)
        const sorted = lists.map((list) => list.toSorted()).sort()
        assert.deepEqual([...groups.groups()].sort(), sorted)
      }
    }
    assert.throws(() => new UnionFind().join('x', 'y'), /unknown item/)
    assert.throws(() => new UnionFind().sizeOf('x'), /unknown item x/)
  })
})

describe('Network', () => {
  it('islands agree with spreading colours', () => {
    for (let round = 0; round < 150; round += 1) {
      const { places, cables, network } = draw(random(9) + 2, random(10))
      assert.deepEqual(network.islands(), slowIslands(places, cables))
      assert.deepEqual(network.places(), places)
    }
    assert.deepEqual(new Network().islands(), [])
  })

  it('the cheapest cables agree with trying all', () => {
    for (let round = 0; round < 60; round += 1) {
      const { places, cables, network } = draw(random(4) + 2, random(8))
      const plan = network.cheapest()
      assert.equal(plan.cost, slowCheapest(places, cables))
      assert.equal(
        plan.cables.reduce((sum, cable) => sum + cable.cost, 0),
        plan.cost,
      )
      assert.equal(plan.cables.length, places.length - network.islands().length)
      assert.deepEqual(slowIslands(places, plan.cables), network.islands())
      assert.deepEqual(
        plan.cables,
        plan.cables.toSorted((x, y) => x.cost - y.cost),
      )
      assert.deepEqual(network.cheapest(), plan)
    }
  })

  it('hops agree with relaxing all cables', () => {
    for (let round = 0; round < 80; round += 1) {
      const { places, cables, network } = draw(random(7) + 2, random(10))
      for (const from of places) {
        const best = slowHops(places, cables, from)
        for (const to of places) assert.equal(network.hops(from, to), best.get(to))
      }
      assert.equal(network.hops('none', 'p0'), undefined)
      assert.equal(network.hops('p0', 'none'), undefined)
    }
  })

  it('critical cables agree with leaving each one out', () => {
    for (let round = 0; round < 200; round += 1) {
      const { places, cables, network } = draw(random(8) + 2, random(11))
      const before = slowIslands(places, cables).length
      const critical = cables.filter((cable) => {
        const others = cables.filter((one) => one !== cable)
        return slowIslands(places, others).length > before
      })
      assert.deepEqual(network.critical(), critical.map(({ a, b }) => [a, b].sort().join('-')).sort())
    }
  })

  it('teams agree with trying all', () => {
    for (let round = 0; round < 150; round += 1) {
      const { places, cables, network } = draw(random(5) + 2, random(7))
      const teams = network.teams()
      assert.equal(teams !== undefined, slowTeams(places, cables))
      if (!teams) continue
      const [first, second] = teams
      assert.deepEqual([...first, ...second].sort(), places)
      assert.ok(cables.every(({ a, b }) => first.includes(a) !== first.includes(b)))
      for (const island of network.islands()) {
        const earliest = places.find((place) => island.includes(place)) ?? ''
        assert.ok(first.includes(earliest))
      }
    }
  })

  it('refuses odd cables and leaves no trace of them', () => {
    const network = new Network()
    assert.throws(() => network.addCable('a', 'a'), /a cable needs two ends/)
    assert.throws(() => network.addCable('a', 'b', -0.5), /a cable costs something/)
    assert.deepEqual(network.places(), [])
    network.addCable('a', 'b')
    assert.deepEqual(network.cheapest(), { cables: [{ a: 'a', b: 'b', cost: 1 }], cost: 1 })
  })
})
