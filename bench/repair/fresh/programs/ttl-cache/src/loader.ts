import { type Clock, TtlCache } from './ttl-cache.ts'

export type LoaderOptions = {
  ttlMs: number
  // How long a failure is remembered instead of trying again.
  failureTtlMs?: number
  // How long after its time an old value may stand in for a load that failed.
  staleMs?: number
  now: Clock
}

export type Stats = { hits: number; loads: number; failures: number; stale: number }

type Outcome<V> = { is: 'value'; value: V } | { is: 'failure'; error: unknown }

// Loads values once and keeps them; those who ask while a load runs share it.
export class CachedLoader<V> {
  private readonly fresh: TtlCache<Outcome<V>>
  private readonly old: TtlCache<V>
  private readonly running = new Map<string, Promise<V>>()
  private readonly options: LoaderOptions
  private readonly load: (key: string) => Promise<V>
  private counts: Stats = { hits: 0, loads: 0, failures: 0, stale: 0 }

  constructor(load: (key: string) => Promise<V>, options: LoaderOptions) {
    this.load = load
    this.options = options
    this.fresh = new TtlCache({ ttlMs: options.ttlMs, now: options.now })
    this.old = new TtlCache({ ttlMs: options.ttlMs + (options.staleMs ?? 0), now: options.now })
  }

  get stats(): Stats {
    return { ...this.counts }
  }

  async get(key: string): Promise<V> {
    const known = this.fresh.get(key)
    if (known?.is === 'value') {
      this.counts.hits += 1
      return known.value
    }
    if (known) return this.standIn(key, known.error)
    const running = this.running.get(key)
    if (running) return await running
    const started = this.start(key)
    this.running.set(key, started)
    try {
      return await started
    } finally {
      this.running.delete(key)
    }
  }

  async getAll(keys: readonly string[]): Promise<Map<string, V>> {
    const unique = [...new Set(keys)]
    const values = await Promise.all(unique.map((key) => this.get(key)))
    return new Map(values.map((value, index) => [unique[index] ?? '', value]))
  }

  // Puts a value in as if it had been loaded just now.
  prime(key: string, value: V): void {
    this.fresh.set(key, { is: 'value', value })
    this.old.set(key, value)
  }

  forget(key: string): void {
    this.fresh.delete(key)
    this.old.delete(key)
  }

  private async start(key: string): Promise<V> {
    this.counts.loads += 1
    try {
      const value = await this.load(key)
      this.prime(key, value)
      return value
    } catch (error) {
      this.counts.failures += 1
      const { failureTtlMs = 0 } = this.options
      if (failureTtlMs > 0) this.fresh.set(key, { is: 'failure', error }, failureTtlMs)
      return this.standIn(key, error)
    }
  }

  private standIn(key: string, error: unknown): V {
    const value = this.old.get(key)
    if (value === undefined) throw error
    this.counts.stale += 1
    return value
  }
}
