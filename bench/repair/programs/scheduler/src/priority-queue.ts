// A binary heap; the smallest by the given order comes out first.
export class PriorityQueue<T> {
  private readonly heap: T[] = []
  private readonly before: (a: T, b: T) => boolean

  constructor(before: (a: T, b: T) => boolean) {
    this.before = before
  }

  get size(): number {
    return this.heap.length
  }

  peek(): T | undefined {
    return this.heap[0]
  }

  push(item: T): void {
    this.heap.push(item)
    let at = this.heap.length - 1
    while (at > 0) {
      const parent = Math.floor((at - 1) / 2)
      if (!this.swapIfBefore(at, parent)) break
      at = parent
    }
  }

  pop(): T | undefined {
    const top = this.heap[0]
    const last = this.heap.pop()
    if (last === undefined || this.heap.length === 0) return top
    this.heap[0] = last
    this.sink()
    return top
  }

  private sink(): void {
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      const right = left + 1
      const child = this.isBefore(right, left) ? right : left
      if (!this.swapIfBefore(child, at)) return
      at = child
    }
  }

  private isBefore(a: number, b: number): boolean {
    const x = this.heap[a]
    const y = this.heap[b]
    return x !== undefined && y !== undefined && this.before(x, y)
  }

  private swapIfBefore(a: number, b: number): boolean {
    const x = this.heap[a]
    const y = this.heap[b]
    if (x === undefined || y === undefined || !this.before(x, y)) return false
    this.heap[a] = y
    this.heap[b] = x
    return true
  }
}
