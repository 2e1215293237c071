export type Edge = { from: string; to: string; cost: number }

export class Graph {
  private readonly edges = new Map<string, Map<string, number>>()

  addNode(name: string): void {
    if (!this.edges.has(name)) this.edges.set(name, new Map())
  }

  // Of two edges between the same nodes the cheaper one counts.
  addEdge({ from, to, cost }: Edge, directed = true): void {
    if (cost < 0) throw new RangeError('costs are not negative')
    this.addNode(from)
    this.addNode(to)
    const known = this.edges.get(from)?.get(to) ?? Number.POSITIVE_INFINITY
    this.edges.get(from)?.set(to, Math.min(known, cost))
    if (!directed) this.addEdge({ from: to, to: from, cost })
  }

  nodes(): string[] {
    return [...this.edges.keys()]
  }

  neighbours(name: string): [string, number][] {
    return [...(this.edges.get(name) ?? [])]
  }

  has(name: string): boolean {
    return this.edges.has(name)
  }
}
