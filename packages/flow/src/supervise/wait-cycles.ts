// Who waits for whom in a circle, found by a depth-first search.

/** A wait edge: the first cannot go on before the second has. */
export interface WaitEdge {
  readonly waiter: string
  readonly waitingFor: string
}

/**
 * The circles of a wait graph: each once, beginning with its least name, without that name again at its end. Of circles
 * that share an edge at least one is told, so that whoever breaks what is told, and asks again, breaks them all.
 */
export function findWaitCycles(edges: readonly WaitEdge[]): string[][] {
  const graph = graphOf(edges)
  const seen = new Set<string>()
  const found = new Map<string, string[]>()
  for (const start of [...graph.keys()].sort())
    for (const circle of circlesFrom(start, { graph, seen })) {
      const turned = fromLeast(circle)
      found.set(JSON.stringify(turned), turned)
    }
  return [...found.values()]
}

interface Search {
  readonly graph: ReadonlyMap<string, readonly string[]>
  /** The names that this search, or one before it, has come to. */
  readonly seen: Set<string>
}

/** Walks by hand and not by calls: a chain of waiters may be longer than the stack is deep. */
function circlesFrom(start: string, { graph, seen }: Search): string[][] {
  if (seen.has(start)) return []
  seen.add(start)
  const circles: string[][] = []
  const path = [start]
  const places = new Map([[start, 0]])
  const left = [restOf(graph, start)]
  for (let edge = left.at(-1); edge !== undefined; edge = left.at(-1)) {
    const next = edge.next()
    if (next.done) {
      left.pop()
      places.delete(path.pop() ?? start)
      continue
    }
    const place = places.get(next.value)
    if (place !== undefined) circles.push(path.slice(place))
    if (seen.has(next.value)) continue
    seen.add(next.value)
    places.set(next.value, path.length)
    path.push(next.value)
    left.push(restOf(graph, next.value))
  }
  return circles
}

function restOf(graph: Search['graph'], name: string): Iterator<string, undefined> {
  return (graph.get(name) ?? []).values()
}

function graphOf(edges: readonly WaitEdge[]): Map<string, string[]> {
  const sets = new Map<string, Set<string>>()
  for (const { waiter, waitingFor } of edges)
    sets.set(waiter, (sets.get(waiter) ?? new Set()).add(waitingFor))
  return new Map([...sets].map(([waiter, others]) => [waiter, [...others].sort()]))
}

function fromLeast(circle: readonly string[]): string[] {
  const least = circle.reduce((a, b) => (a < b ? a : b))
  const at = circle.indexOf(least)
  return [...circle.slice(at), ...circle.slice(0, at)]
}
