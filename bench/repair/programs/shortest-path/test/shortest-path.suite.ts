import { describe, expect, it } from 'vitest'
import { Graph } from '../src/graph.ts'
import { cheapestPath, components, within } from '../src/search.ts'

function build(edges: string, directed = true): Graph {
  const graph = new Graph()
  for (const text of edges.split(' ')) {
    const [from = '', to = '', cost = '1'] = text.split('-')
    graph.addEdge({ from, to, cost: Number(cost) }, directed)
  }
  return graph
}

describe('the graph', () => {
  it('keeps the cheaper of two edges', () => {
    const graph = build('a-b-5 a-b-3 a-b-9')
    expect(graph.neighbours('a')).toEqual([['b', 3]])
    expect(graph.neighbours('b')).toEqual([])
    expect(graph.neighbours('x')).toEqual([])
    expect(graph.has('b')).toBe(true)
    expect(() => graph.addEdge({ from: 'a', to: 'b', cost: -1 })).toThrow(RangeError)
  })

  it('can go both ways', () => {
    expect(build('a-b-5', false).neighbours('b')).toEqual([['a', 5]])
  })
})

describe('cheapestPath', () => {
  const roads = build('a-b-7 a-c-3 c-b-1 b-d-2 c-d-8 e-a-1')

  it('prefers cheap detours', () => {
    expect(cheapestPath(roads, 'a', 'd')).toEqual({ nodes: ['a', 'c', 'b', 'd'], cost: 6 })
    expect(cheapestPath(roads, 'a', 'b')).toEqual({ nodes: ['a', 'c', 'b'], cost: 4 })
  })

  it('knows what cannot be reached', () => {
    expect(cheapestPath(roads, 'a', 'e')).toBeNull()
    expect(cheapestPath(roads, 'd', 'd')).toEqual({ nodes: ['d'], cost: 0 })
  })
})

describe('within', () => {
  it('counts steps', () => {
    const chain = build('a-b b-c c-d a-e')
    expect(within(chain, 'a', 1)).toEqual(['b', 'e'])
    expect(within(chain, 'a', 2)).toEqual(['b', 'c', 'e'])
    expect(within(chain, 'a', 0)).toEqual([])
  })

  it('does not count the start of a circle', () => {
    expect(within(build('a-b b-a'), 'a', 5)).toEqual(['b'])
  })
})

describe('components', () => {
  it('are sorted by size', () => {
    const graph = build('d-e a-b c-b')
    graph.addNode('z')
    expect(components(graph)).toEqual([['a', 'b', 'c'], ['d', 'e'], ['z']])
  })
})
