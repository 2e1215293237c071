export type Clock = () => number
export type CacheOptions = {
  ttlMs: number
  maxEntries?: number
  // A read starts the time of its entry anew.
  sliding?: boolean
  now: Clock
}

type Entry<V> = { value: V; ttlMs: number; expiresAt: number }

// Values that live for a while. Where there are too many, the one that expires first has to go.
export class TtlCache<V> {
  private readonly entries = new Map<string, Entry<V>>()
  private readonly options: CacheOptions

  constructor(options: CacheOptions) {
    if (options.ttlMs <= 0) throw new RangeError('a value must live for a while')
    this.options = { ...options }
  }

  get size(): number {
    this.prune()
    return this.entries.size
  }

  get(key: string): V | undefined {
    const entry = this.entries.get(key)
    if (!entry) return undefined
    const now = this.options.now()
    if (entry.expiresAt <= now) {
      this.entries.delete(key)
      return undefined
    }
    if (this.options.sliding) entry.expiresAt = now + entry.ttlMs
    return entry.value
  }

  // Does not count as a read.
  has(key: string): boolean {
    return this.remaining(key) > 0
  }

  remaining(key: string): number {
    const entry = this.entries.get(key)
    return entry ? Math.max(0, entry.expiresAt - this.options.now()) : 0
  }

  set(key: string, value: V, ttlMs = this.options.ttlMs): void {
    this.entries.delete(key)
    const { maxEntries = Number.POSITIVE_INFINITY } = this.options
    if (this.entries.size >= maxEntries) this.prune()
    if (this.entries.size >= maxEntries) this.dropNextToExpire()
    this.entries.set(key, { value, ttlMs, expiresAt: this.options.now() + ttlMs })
  }

  delete(key: string): boolean {
    const had = this.has(key)
    this.entries.delete(key)
    return had
  }

  // Tells how many had expired.
  prune(): number {
    const now = this.options.now()
    let dropped = 0
    for (const [key, entry] of this.entries) {
      if (entry.expiresAt > now) continue
      this.entries.delete(key)
      dropped += 1
    }
    return dropped
  }

  keys(): string[] {
    this.prune()
    return [...this.entries.keys()]
  }

  private dropNextToExpire(): void {
    let first: string | undefined
    let soonest = Number.POSITIVE_INFINITY
    for (const [key, { expiresAt }] of this.entries) {
      if (expiresAt >= soonest) continue
      first = key
      soonest = expiresAt
    }
    if (first !== undefined) this.entries.delete(first)
  }
}
