// Who waits for which book, first come first served.
const daysEach = 14
const daysMost = 60

export class Holds {
  private readonly queues = new Map<string, string[]>()

  request(book: string, member: string): number {
    const queue = this.queues.get(book) ?? []
    if (queue.includes(member)) throw new RangeError('the member waits already')
    queue.push(member)
    this.queues.set(book, queue)
    return queue.length
  }

  waiting(book: string): string[] {
    const queue = this.queues.get(book)
    if (!queue) return []
    return [...queue]
  }

  next(book: string): string | null {
    return this.queues.get(book)?.shift() ?? null
  }

  place(book: string, member: string): number | null {
    const queue = this.queues.get(book) ?? []
    const at = queue.indexOf(member)
    return at < 0 ? null : at + 1
  }

  // How long the member will wait at most.
  daysToWait(book: string, member: string): number {
    const at = this.place(book, member) ?? 0
    return Math.min(daysMost, at * daysEach)
  }

  books(): string[] {
    const wanted = [...this.queues].filter(([, queue]) => queue.length > 0)
    return wanted.map(([book]) => book).sort()
  }

  // How many more copies would serve everybody who waits.
  copiesMissing(book: string, copies: number): number {
    const queue = this.queues.get(book) ?? []
    return Math.max(0, queue.length - copies)
  }
}
