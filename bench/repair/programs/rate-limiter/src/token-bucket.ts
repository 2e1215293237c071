export type BucketOptions = { capacity: number; perSecond: number }
type Bucket = { tokens: number; updatedAt: number }

// Each key has a bucket that fills steadily up to its capacity; times are milliseconds and handed in.
export class TokenBucket {
  private readonly buckets = new Map<string, Bucket>()
  private readonly options: BucketOptions

  constructor(options: BucketOptions) {
    if (options.capacity <= 0 || options.perSecond <= 0) throw new RangeError('options must be positive')
    this.options = options
  }

  take(key: string, now: number, cost = 1): boolean {
    const bucket = this.refill(key, now)
    if (bucket.tokens < cost) return false
    bucket.tokens -= cost
    return true
  }

  // Milliseconds until this cost can be paid; never for more than the capacity.
  waitFor(key: string, now: number, cost = 1): number {
    if (cost > this.options.capacity) return Number.POSITIVE_INFINITY
    const missing = cost - this.refill(key, now).tokens
    return missing <= 0 ? 0 : Math.ceil((missing / this.options.perSecond) * 1000)
  }

  remaining(key: string, now: number): number {
    return Math.floor(this.refill(key, now).tokens)
  }

  // Full buckets say nothing and can be forgotten.
  sweep(now: number): number {
    let removed = 0
    for (const key of [...this.buckets.keys()]) {
      if (this.refill(key, now).tokens >= this.options.capacity) {
        this.buckets.delete(key)
        removed += 1
      }
    }
    return removed
  }

  private refill(key: string, now: number): Bucket {
    const bucket = this.buckets.get(key) ?? { tokens: this.options.capacity, updatedAt: now }
    const elapsed = Math.max(0, now - bucket.updatedAt)
    const gained = (elapsed / 1000) * this.options.perSecond
    bucket.tokens = Math.min(this.options.capacity, bucket.tokens + gained)
    bucket.updatedAt = Math.max(now, bucket.updatedAt)
    this.buckets.set(key, bucket)
    return bucket
  }
}
