// Which tasks of a build are not built: those that were given up or taken away, and all that wait for them. Pure.
import type { Build, SkippedTask } from '@treadle/contracts/build'
import { isQueued } from '../../flow.ts'
import { isGivenUp, type TaskItem } from '../../work/build-items.ts'
import { skipOf } from './task-status.ts'

export interface Skips {
  /** Tasks that are withdrawn already. */
  readonly kept: readonly SkippedTask[]
  /** Those that are to be withdrawn now. */
  readonly news: readonly SkippedTask[]
}

const WHY_MAX = 1_000

export function decideSkips(tasks: readonly TaskItem[], build: Pick<Build, 'failures' | 'skipped'>): Skips {
  const byNumber = new Map(tasks.map((item) => [item.number, item]))
  const withdrawn = tasks.filter(({ state }) => state === 'withdrawn')
  const kept = withdrawn.map(
    (item) => skipOf(build, item.specTask.id) ?? skip(item, null, item.reason ?? 'somebody withdrew it'),
  )
  const givenUp = new Set(tasks.filter((item) => isGivenUp(item, build)).map(({ number }) => number))
  const gone = new Set([...withdrawn.map(({ number }) => number), ...givenUp])
  const news: SkippedTask[] = []
  // Numbers rise along the dependencies, so one pass reaches everything.
  for (const item of tasks) {
    const blocker = item.dependsOn.find((number) => gone.has(number))
    const because = blocker === undefined ? undefined : byNumber.get(blocker)
    if (because === undefined || gone.has(item.number) || !isQueued(item.state)) continue
    const name = because.specTask.id
    const how = givenUp.has(because.number) ? 'failed' : 'is skipped'
    news.push(skip(item, name, `it waits for ${name}, which ${how}`))
    gone.add(item.number)
  }
  return { kept, news }
}

function skip({ specTask }: TaskItem, because: string | null, why: string): SkippedTask {
  return { task: specTask.id, because, why: why.slice(0, WHY_MAX) }
}
