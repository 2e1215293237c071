export type Task<T> = () => Promise<T>
export type Settled<T> = { is: 'done'; value: T } | { is: 'failed'; reason: string } | { is: 'skipped' }
export type PoolOptions = {
  size: number
  stopOnFailure?: boolean
  onProgress?: (done: number, total: number) => void
}

// At most so many tasks run at a time; the results keep the order of the tasks.
export async function runPool<T>(tasks: readonly Task<T>[], options: PoolOptions): Promise<Settled<T>[]> {
  if (options.size < 1) throw new RangeError('a pool needs at least one place')
  const results: Settled<T>[] = tasks.map(() => ({ is: 'skipped' }))
  let next = 0
  let finished = 0
  let stopped = false

  async function work(): Promise<void> {
    while (next < tasks.length && !stopped) {
      const index = next
      next += 1
      const task = tasks[index]
      if (!task) continue
      const result = await settle(task)
      results[index] = result
      if (result.is === 'failed' && options.stopOnFailure) stopped = true
      finished += 1
      options.onProgress?.(finished, tasks.length)
    }
  }

  await Promise.all(Array.from({ length: Math.min(options.size, tasks.length) }, work))
  return results
}

async function settle<T>(task: Task<T>): Promise<Settled<T>> {
  try {
    return { is: 'done', value: await task() }
  } catch (error) {
    return { is: 'failed', reason: error instanceof Error ? error.message : String(error) }
  }
}

export async function mapPool<A, B>(
  items: readonly A[],
  size: number,
  map: (item: A, index: number) => Promise<B>,
): Promise<B[]> {
  const settled = await runPool(
    items.map((item, index) => () => map(item, index)),
    { size, stopOnFailure: true },
  )
  return settled.map((result) => {
    if (result.is === 'done') return result.value
    const failure = settled.find((one) => one.is === 'failed')
    throw new Error(failure?.is === 'failed' ? failure.reason : 'skipped')
  })
}

// One call at a time per key; those that come meanwhile share its answer.
export class Shared<T> {
  private readonly running = new Map<string, Promise<T>>()

  get(key: string, load: (key: string) => Promise<T>): Promise<T> {
    const known = this.running.get(key)
    if (known) return known
    const started = load(key).finally(() => this.running.delete(key))
    this.running.set(key, started)
    return started
  }

  get pending(): number {
    return this.running.size
  }
}
