// At most so many hits within any window of the given length.
export class SlidingWindow {
  private readonly hits = new Map<string, number[]>()
  private readonly limit: number
  private readonly windowMs: number

  constructor(limit: number, windowMs: number) {
    this.limit = limit
    this.windowMs = windowMs
  }

  hit(key: string, now: number): boolean {
    const recent = this.recent(key, now)
    if (recent.length >= this.limit) return false
    recent.push(now)
    this.hits.set(key, recent)
    return true
  }

  // When the next hit will be let through.
  nextAt(key: string, now: number): number {
    const recent = this.recent(key, now)
    const [oldest] = recent
    if (recent.length < this.limit || oldest === undefined) return now
    return oldest + this.windowMs
  }

  busiest(now: number): string | null {
    let best: string | null = null
    let most = 0
    for (const key of this.hits.keys()) {
      const count = this.recent(key, now).length
      if (count > most) {
        best = key
        most = count
      }
    }
    return best
  }

  private recent(key: string, now: number): number[] {
    return (this.hits.get(key) ?? []).filter((time) => now - time < this.windowMs)
  }
}
