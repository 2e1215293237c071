import { describe, expect, it } from 'vitest'
import { type Edge, Graph } from '../src/graph.ts'
import { cheapestPath, components, within } from '../src/search.ts'

let state = 47
function random(limit: number): number {
  state = (state * 1103515245 + 12345) % 2147483648
  return Math.floor((state / 2147483648) * limit)
}

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

function randomGraph(directed: boolean): { graph: Graph; edges: Edge[] } {
  const graph = new Graph()
  for (const name of names) graph.addNode(name)
  const edges: Edge[] = Array.from({ length: random(14) }, () => ({
    from: names[random(7)] ?? 'a',
    to: names[random(7)] ?? 'b',
    cost: random(9),
  }))
  for (const edge of edges) graph.addEdge(edge, directed)
  const mirrored = edges.map(({ from, to, cost }) => ({ from: to, to: from, cost }))
  return { graph, edges: directed ? edges : [...edges, ...mirrored] }
}

// Floyd and Warshall, over a table of all pairs.
function allCosts(edges: readonly Edge[], cost: (edge: Edge) => number): Map<string, number> {
  const table = new Map<string, number>()
  const get = (a: string, b: string) => (a === b ? 0 : (table.get(a + b) ?? Number.POSITIVE_INFINITY))
  for (const edge of edges) table.set(edge.from + edge.to, Math.min(get(edge.from, edge.to), cost(edge)))
  for (const k of names) {
    for (const i of names) for (const j of names) table.set(i + j, Math.min(get(i, j), get(i, k) + get(k, j)))
  }
  return table
}

function costOf(nodes: readonly string[], edges: readonly Edge[]): number {
  let total = 0
  for (const [index, node] of nodes.slice(1).entries()) {
    const here = edges.filter((edge) => edge.from === nodes[index] && edge.to === node)
    total += Math.min(...here.map((edge) => edge.cost))
  }
  return total
}

describe('random graphs', () => {
  it('have cheapest paths', () => {
    for (let round = 0; round < 60; round += 1) {
      const { graph, edges } = randomGraph(round % 2 === 0)
      const costs = allCosts(edges, (edge) => edge.cost)
      for (const pair of names.flatMap((from) => names.map((to) => [from, to] as const))) {
        const expected = costs.get(pair.join('')) ?? Number.POSITIVE_INFINITY
        const path = cheapestPath(graph, ...pair)
        expect(path?.cost ?? Number.POSITIVE_INFINITY).toBe(expected)
        if (!path) continue
        expect([path.nodes[0], path.nodes.at(-1)]).toEqual(pair)
        expect(costOf(path.nodes, edges)).toBe(expected)
      }
    }
  })

  it('have neighbourhoods and components', () => {
    for (let round = 0; round < 60; round += 1) {
      const { graph, edges } = randomGraph(round % 2 === 0)
      const hops = allCosts(edges, () => 1)
      for (const from of names) {
        for (const steps of [0, 1, 2, 9]) {
          const near = names.filter((to) => to !== from && (hops.get(from + to) ?? 99) <= steps)
          expect(within(graph, from, steps)).toEqual(near)
        }
      }
      const both = [...edges, ...edges.map((edge) => ({ ...edge, from: edge.to, to: edge.from }))]
      const linked = allCosts(both, () => 1)
      const groups = components(graph)
      expect(groups.flat().sort()).toEqual(names)
      for (const group of groups) {
        const expected = names.filter((name) => (linked.get(`${group[0]}${name}`) ?? 99) < 99)
        expect(group).toEqual(expected)
      }
      const sizes = groups.map((group) => group.length)
      expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
    }
  })
})

describe('corners', () => {
  it('nodes, edges and unknown names', () => {
    const graph = new Graph()
    graph.addNode('x')
    graph.addEdge({ from: 'x', to: 'y', cost: 0 })
    graph.addNode('x')
    graph.addEdge({ from: 'x', to: 'y', cost: 4 })
    expect(graph.nodes()).toEqual(['x', 'y'])
    expect(graph.neighbours('x')).toEqual([['y', 0]])
    expect(graph.has('z')).toBe(false)
    expect(cheapestPath(graph, 'z', 'x')).toBeNull()
    expect(cheapestPath(graph, 'x', 'y')).toEqual({ nodes: ['x', 'y'], cost: 0 })
    expect(within(graph, 'z', 3)).toEqual([])
    expect(components(new Graph())).toEqual([])
    expect(() => graph.addEdge({ from: 'q', to: 'r', cost: -0.5 })).toThrow('costs are not negative')
    expect(graph.has('q')).toBe(false)
  })
})
