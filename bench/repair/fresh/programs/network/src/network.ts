import { UnionFind } from './union-find.ts'

export type Cable = { a: string; b: string; cost: number }
export type Plan = { cables: Cable[]; cost: number }

// Places and the cables between them; a cable goes both ways.
export class Network {
  private readonly cables: Cable[] = []
  private readonly neighbours = new Map<string, { to: string; cable: number }[]>()

  addPlace(name: string): void {
    if (!this.neighbours.has(name)) this.neighbours.set(name, [])
  }

  addCable(a: string, b: string, cost = 1): void {
    if (a === b) throw new Error('a cable needs two ends')
    if (cost < 0) throw new RangeError('a cable costs something')
    this.addPlace(a)
    this.addPlace(b)
    const cable = this.cables.length
    this.cables.push({ a, b, cost })
    this.neighbours.get(a)?.push({ to: b, cable })
    this.neighbours.get(b)?.push({ to: a, cable })
  }

  places(): string[] {
    return [...this.neighbours.keys()]
  }

  // The groups of places that reach each other, the largest first.
  islands(): string[][] {
    const groups = this.joined(this.cables).groups()
    return groups.sort((x, y) => y.length - x.length || ((x[0] ?? '') < (y[0] ?? '') ? -1 : 1))
  }

  // The cheapest cables that keep together what is together.
  cheapest(): Plan {
    const groups = this.joined([])
    const sorted = [...this.cables].sort((x, y) => x.cost - y.cost)
    const cables = sorted.filter(({ a, b }) => groups.join(a, b))
    return { cables, cost: cables.reduce((sum, cable) => sum + cable.cost, 0) }
  }

  // How many cables one has to go along, or nothing where no way leads there.
  hops(from: string, to: string): number | undefined {
    const seen = new Set([from])
    let ring = this.neighbours.has(from) ? [from] : []
    for (let distance = 0; ring.length > 0; distance += 1) {
      if (ring.includes(to)) return distance
      const next: string[] = []
      for (const place of ring) {
        for (const { to: other } of this.neighbours.get(place) ?? []) {
          if (seen.has(other)) continue
          seen.add(other)
          next.push(other)
        }
      }
      ring = next
    }
    return undefined
  }

  // Cables without which something falls apart, as "a-b" in the order of the alphabet.
  critical(): string[] {
    const entered = new Map<string, number>()
    const found: string[] = []
    const visit = (place: string, by: number): number => {
      const order = entered.size
      entered.set(place, order)
      let low = order
      for (const { to, cable } of this.neighbours.get(place) ?? []) {
        if (cable === by) continue
        const known = entered.get(to)
        if (known !== undefined) {
          low = Math.min(low, known)
          continue
        }
        const below = visit(to, cable)
        if (below > order) found.push([place, to].sort().join('-'))
        low = Math.min(low, below)
      }
      return low
    }
    for (const place of this.neighbours.keys()) if (!entered.has(place)) visit(place, -1)
    return found.sort()
  }

  // Two teams so that each cable joins different ones, or nothing where that cannot be.
  teams(): [string[], string[]] | undefined {
    const side = new Map<string, number>()
    for (const start of this.neighbours.keys()) {
      if (!side.has(start) && !this.takeSides(start, side)) return undefined
    }
    const onSide = (wanted: number) => this.places().filter((place) => side.get(place) === wanted)
    return [onSide(0), onSide(1)]
  }

  // Tells whether all that is reached from here could take a side.
  private takeSides(start: string, side: Map<string, number>): boolean {
    side.set(start, 0)
    const open = [start]
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      const mine = side.get(place) ?? 0
      for (const { to } of this.neighbours.get(place) ?? []) {
        if (side.get(to) === mine) return false
        if (side.has(to)) continue
        side.set(to, 1 - mine)
        open.push(to)
      }
    }
    return true
  }

  private joined(cables: readonly Cable[]): UnionFind {
    const groups = new UnionFind()
    for (const place of this.neighbours.keys()) groups.add(place)
    for (const { a, b } of cables) groups.join(a, b)
    return groups
  }
}
