// Groups that only grow together.
export class UnionFind {
  private readonly parents = new Map<string, string>()
  private readonly sizes = new Map<string, number>()
  private groupCount = 0

  get count(): number {
    return this.groupCount
  }

  add(item: string): void {
    if (this.parents.has(item)) return
    this.parents.set(item, item)
    this.sizes.set(item, 1)
    this.groupCount += 1
  }

  find(item: string): string {
    let root = item
    for (let next = this.parentOf(root); next !== root; next = this.parentOf(root)) root = next
    for (let at = item; at !== root; ) {
      const next = this.parentOf(at)
      this.parents.set(at, root)
      at = next
    }
    return root
  }

  // Tells whether they were apart before.
  join(a: string, b: string): boolean {
    const left = this.find(a)
    const right = this.find(b)
    if (left === right) return false
    const [small, large] = this.sizeOf(left) < this.sizeOf(right) ? [left, right] : [right, left]
    this.sizes.set(large, this.sizeOf(large) + this.sizeOf(small))
    this.parents.set(small, large)
    this.groupCount -= 1
    return true
  }

  sizeOf(item: string): number {
    return this.sizes.get(this.find(item)) ?? 0
  }

  groups(): string[][] {
    const byRoot = new Map<string, string[]>()
    for (const item of this.parents.keys()) {
      const root = this.find(item)
      byRoot.set(root, [...(byRoot.get(root) ?? []), item])
    }
    return [...byRoot.values()].map((group) => group.sort())
  }

  private parentOf(item: string): string {
    const parent = this.parents.get(item)
    if (parent === undefined) throw new Error(`unknown item ${item}`)
    return parent
  }
}
