import type { Graph } from './graph.ts'

export type Path = { nodes: string[]; cost: number }

// Dijkstra: always goes on from the cheapest node that is not yet settled.
export function cheapestPath(graph: Graph, from: string, to: string): Path | null {
  const cost = new Map<string, number>([[from, 0]])
  const previous = new Map<string, string>()
  const settled = new Set<string>()
  for (let node = cheapestOpen(cost, settled); node !== null; node = cheapestOpen(cost, settled)) {
    if (node === to) return { nodes: trace(previous, to), cost: cost.get(to) ?? 0 }
    settled.add(node)
    const soFar = cost.get(node) ?? 0
    for (const [next, step] of graph.neighbours(node)) {
      const total = soFar + step
      if (total < (cost.get(next) ?? Number.POSITIVE_INFINITY)) {
        cost.set(next, total)
        previous.set(next, node)
      }
    }
  }
  return null
}

function cheapestOpen(cost: ReadonlyMap<string, number>, settled: ReadonlySet<string>): string | null {
  let best: string | null = null
  let lowest = Number.POSITIVE_INFINITY
  for (const [node, value] of cost) {
    if (!settled.has(node) && value < lowest) {
      best = node
      lowest = value
    }
  }
  return best
}

function trace(previous: ReadonlyMap<string, string>, to: string): string[] {
  const nodes = [to]
  for (let node = previous.get(to); node !== undefined; node = previous.get(node)) nodes.unshift(node)
  return nodes
}

// Everything that can be reached in at most so many steps, the start not counted.
export function within(graph: Graph, from: string, steps: number): string[] {
  const seen = new Set([from])
  let edge = [from]
  for (let step = 0; step < steps; step += 1) {
    const next = edge.flatMap((node) => graph.neighbours(node).map(([name]) => name))
    edge = [...new Set(next)].filter((name) => !seen.has(name))
    for (const name of edge) seen.add(name)
  }
  seen.delete(from)
  return [...seen].sort()
}

// Groups of nodes that hang together when directions are ignored.
export function components(graph: Graph): string[][] {
  const parent = new Map(graph.nodes().map((node) => [node, node]))
  const root = (node: string): string => {
    const above = parent.get(node) ?? node
    return above === node ? node : root(above)
  }
  for (const node of graph.nodes()) {
    for (const [next] of graph.neighbours(node)) parent.set(root(node), root(next))
  }
  const groups = Map.groupBy(graph.nodes(), root)
  return [...groups.values()].map((group) => group.sort()).sort((a, b) => b.length - a.length)
}
