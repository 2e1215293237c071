import { defaults, delayAfter, type Policy } from './backoff.ts'

export class Fatal extends Error {}

export type RetryOptions = {
  policy?: Partial<Policy>
  sleep: (ms: number) => Promise<void>
  onRetry?: (attempt: number, waitMs: number) => void
}

export async function retry<T>(work: (attempt: number) => Promise<T>, options: RetryOptions): Promise<T> {
  const policy = { ...defaults, ...options.policy }
  let last: unknown = new Error('no attempt was made')
  for (let attempt = 1; attempt <= policy.attempts; attempt += 1) {
    try {
      return await work(attempt)
    } catch (error) {
      if (error instanceof Fatal) throw error
      last = error
    }
    if (attempt === policy.attempts) break
    const waitMs = delayAfter(attempt, policy)
    options.onRetry?.(attempt, waitMs)
    await options.sleep(waitMs)
  }
  throw last
}
