import { PriorityQueue } from './priority-queue.ts'

export type Job = { name: string; at: number; every?: number; priority?: number }
type Planned = Job & { order: number }

// Runs jobs in simulated time; of those due together the higher priority goes first, then the older one.
export class Scheduler {
  private readonly queue = new PriorityQueue<Planned>(goesBefore)
  private readonly cancelled = new Set<string>()
  private order = 0
  now = 0

  add(job: Job): void {
    if (job.every !== undefined && job.every <= 0) throw new RangeError('a period must be positive')
    this.cancelled.delete(job.name)
    this.plan(job)
  }

  cancel(name: string): void {
    this.cancelled.add(name)
  }

  // Runs all that is due up to and including this time and tells what ran when.
  advanceTo(time: number): string[] {
    const ran: string[] = []
    for (let next = this.queue.peek(); next && next.at <= time; next = this.queue.peek()) {
      this.queue.pop()
      if (this.cancelled.has(next.name)) continue
      this.now = Math.max(this.now, next.at)
      ran.push(`${this.now}:${next.name}`)
      if (next.every !== undefined) this.plan({ ...next, at: next.at + next.every })
    }
    this.now = Math.max(this.now, time)
    return ran
  }

  private plan(job: Job): void {
    this.queue.push({ ...job, order: this.order })
    this.order += 1
  }
}

function goesBefore(a: Planned, b: Planned): boolean {
  if (a.at !== b.at) return a.at < b.at
  const left = a.priority ?? 0
  const right = b.priority ?? 0
  if (left !== right) return left > right
  return a.order < b.order
}
