export type Listener<T> = (value: T) => void | Promise<void>
type Entry<T> = { listener: Listener<T>; once: boolean; priority: number }

export class Emitter<Events extends Record<string, unknown>> {
  private readonly entries = new Map<keyof Events, Entry<never>[]>()
  readonly errors: unknown[] = []

  // Higher priorities are called first; equal ones in the order they were added.
  on<K extends keyof Events>(name: K, listener: Listener<Events[K]>, priority = 0): () => void {
    return this.insert(name, { listener, once: false, priority })
  }

  once<K extends keyof Events>(name: K, listener: Listener<Events[K]>, priority = 0): () => void {
    return this.insert(name, { listener, once: true, priority })
  }

  off<K extends keyof Events>(name: K, listener: Listener<Events[K]>): boolean {
    const list = this.list(name)
    const kept = list.filter((entry) => entry.listener !== listener)
    this.entries.set(name, kept)
    return kept.length < list.length
  }

  // One listener that fails does not keep the others from hearing; tells how many were called.
  emit<K extends keyof Events>(name: K, value: Events[K]): number {
    const called = this.list(name)
    for (const entry of called) {
      if (entry.once) this.remove(name, entry)
      try {
        const result = entry.listener(value)
        if (result instanceof Promise) result.catch((error) => this.errors.push(error))
      } catch (error) {
        this.errors.push(error)
      }
    }
    return called.length
  }

  // One after the other; the first failure ends it.
  async emitInOrder<K extends keyof Events>(name: K, value: Events[K]): Promise<void> {
    for (const entry of this.list(name)) {
      if (entry.once) this.remove(name, entry)
      await entry.listener(value)
    }
  }

  next<K extends keyof Events>(name: K): Promise<Events[K]> {
    return new Promise((resolve) => {
      this.once(name, resolve)
    })
  }

  count(name?: keyof Events): number {
    if (name !== undefined) return this.list(name).length
    return [...this.entries.values()].reduce((sum, list) => sum + list.length, 0)
  }

  private insert<K extends keyof Events>(name: K, entry: Entry<Events[K]>): () => void {
    const list = this.list(name)
    const at = list.findIndex((other) => other.priority < entry.priority)
    this.entries.set(name, at < 0 ? [...list, entry] : [...list.slice(0, at), entry, ...list.slice(at)])
    return () => this.remove(name, entry)
  }

  // Lists are replaced and never changed, so that a listener may add or remove others meanwhile.
  private remove<K extends keyof Events>(name: K, entry: Entry<Events[K]>): void {
    this.entries.set(
      name,
      this.list(name).filter((other) => other !== entry),
    )
  }

  private list<K extends keyof Events>(name: K): Entry<Events[K]>[] {
    return (this.entries.get(name) ?? []) as Entry<Events[K]>[]
  }
}
