type Node<V> = { key: string; value: V; weight: number; older: Node<V> | null; newer: Node<V> | null }

// A cache that forgets what was used longest ago once the weights go beyond the capacity.
export class LruCache<V> {
  private readonly nodes = new Map<string, Node<V>>()
  private oldest: Node<V> | null = null
  private newest: Node<V> | null = null
  private total = 0
  private readonly capacity: number
  hits = 0
  misses = 0

  constructor(capacity: number) {
    if (capacity <= 0) throw new RangeError('capacity must be positive')
    this.capacity = capacity
  }

  get size(): number {
    return this.nodes.size
  }

  get weight(): number {
    return this.total
  }

  get(key: string): V | undefined {
    const node = this.nodes.get(key)
    if (!node) {
      this.misses += 1
      return undefined
    }
    this.hits += 1
    this.unlink(node)
    this.append(node)
    return node.value
  }

  peek(key: string): V | undefined {
    return this.nodes.get(key)?.value
  }

  set(key: string, value: V, weight = 1): boolean {
    this.delete(key)
    if (weight > this.capacity) return false
    const node: Node<V> = { key, value, weight, older: null, newer: null }
    this.nodes.set(key, node)
    this.append(node)
    this.total += weight
    while (this.total > this.capacity && this.oldest) this.delete(this.oldest.key)
    return true
  }

  delete(key: string): boolean {
    const node = this.nodes.get(key)
    if (!node) return false
    this.unlink(node)
    this.nodes.delete(key)
    this.total -= node.weight
    return true
  }

  // From the longest unused to the last used.
  keys(): string[] {
    const keys: string[] = []
    for (let node = this.oldest; node; node = node.newer) keys.push(node.key)
    return keys
  }

  hitRate(): number {
    const asked = this.hits + this.misses
    return asked === 0 ? 0 : this.hits / asked
  }

  private append(node: Node<V>): void {
    node.older = this.newest
    node.newer = null
    if (this.newest) this.newest.newer = node
    else this.oldest = node
    this.newest = node
  }

  private unlink(node: Node<V>): void {
    if (node.older) node.older.newer = node.newer
    else this.oldest = node.newer
    if (node.newer) node.newer.older = node.older
    else this.newest = node.older
  }
}
