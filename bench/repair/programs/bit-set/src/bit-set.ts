const wordBits = 32

// A set of small whole numbers, one bit each.
export class BitSet {
  private words: Uint32Array
  readonly capacity: number

  constructor(capacity: number) {
    if (!Number.isInteger(capacity) || capacity < 0) throw new RangeError('capacity must be a whole number')
    this.capacity = capacity
    this.words = new Uint32Array(Math.ceil(capacity / wordBits))
  }

  static of(capacity: number, ...members: number[]): BitSet {
    const set = new BitSet(capacity)
    for (const member of members) set.add(member)
    return set
  }

  add(member: number): this {
    const index = this.check(member)
    this.words[index] = this.word(index) | (1 << (member % wordBits))
    return this
  }

  delete(member: number): this {
    const index = this.check(member)
    this.words[index] = this.word(index) & ~(1 << (member % wordBits))
    return this
  }

  has(member: number): boolean {
    if (member < 0 || member >= this.capacity) return false
    const word = this.word(Math.floor(member / wordBits))
    return ((word >>> (member % wordBits)) & 1) === 1
  }

  get size(): number {
    let total = 0
    for (let word of this.words) {
      while (word !== 0) {
        word = (word & (word - 1)) >>> 0
        total += 1
      }
    }
    return total
  }

  union(other: BitSet): BitSet {
    return this.combine(other, Math.max(this.capacity, other.capacity), (a, b) => a | b)
  }

  intersection(other: BitSet): BitSet {
    return this.combine(other, Math.min(this.capacity, other.capacity), (a, b) => a & b)
  }

  difference(other: BitSet): BitSet {
    return this.combine(other, this.capacity, (a, b) => a & ~b)
  }

  isSubsetOf(other: BitSet): boolean {
    return this.difference(other).size === 0
  }

  members(): number[] {
    const members: number[] = []
    for (let member = 0; member < this.capacity; member += 1) {
      if (this.has(member)) members.push(member)
    }
    return members
  }

  // The smallest number from here on that is not in the set, or null when there is none.
  firstFree(from = 0): number | null {
    for (let member = from; member < this.capacity; member += 1) {
      if (!this.has(member)) return member
    }
    return null
  }

  toString(): string {
    return Array.from({ length: this.capacity }, (_, member) => (this.has(member) ? '1' : '0')).join('')
  }

  private combine(other: BitSet, capacity: number, merge: (a: number, b: number) => number): BitSet {
    const result = new BitSet(capacity)
    for (const index of result.words.keys()) {
      result.words[index] = merge(this.word(index), other.word(index))
    }
    return result
  }

  private word(index: number): number {
    return this.words[index] ?? 0
  }

  private check(member: number): number {
    if (member < 0 || member >= this.capacity) throw new RangeError(`${member} is out of range`)
    return Math.floor(member / wordBits)
  }
}
