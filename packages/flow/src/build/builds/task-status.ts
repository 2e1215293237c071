// Where the tasks of a build stand, read from their items. Nothing of it is stored a second time.
import type { Build, BuildTaskStatus, SkippedTask } from '@treadle/contracts/build'
import type { Item, ItemState } from '@treadle/contracts/item'
import type { SpecTask } from '@treadle/contracts/specification'
import { isHeld } from '../../flow.ts'
import { isGivenUp, isStuck, lastFailure, type TaskItem } from '../../work/build-items.ts'

const STATUS: Readonly<Record<ItemState, BuildTaskStatus>> = {
  todo: 'pending',
  backlog: 'pending',
  rework: 'pending',
  claimed: 'in_progress',
  building: 'in_progress',
  verifying: 'in_progress',
  improving: 'in_progress',
  in_review: 'in_progress',
  merging: 'in_progress',
  // What is decided about it follows at once; until then it is being worked on.
  escalated: 'in_progress',
  conflicted: 'in_progress',
  done: 'complete',
  withdrawn: 'skipped',
}

export function statusOfTask(item: TaskItem, build: Pick<Build, 'failures'>): BuildTaskStatus {
  return isGivenUp(item, build) ? 'failed' : STATUS[item.state]
}

/** Whether a task failed by itself: a person is asked, or it was given up after its attempts. */
export function hasFailed(item: TaskItem, build: Pick<Build, 'failures' | 'skipped'>): boolean {
  if (isGivenUp(item, build)) return true
  const skipped = skipOf(build, item.specTask.id)
  const isOwn = skipped?.because === null && skipped.leftOutBy === undefined
  return item.state === 'withdrawn' && isOwn && lastFailure(build, item) !== null
}

export function skipOf(build: Pick<Build, 'skipped'>, task: string): SkippedTask | null {
  return build.skipped.find((each) => each.task === task) ?? null
}

/** Ready, or why it cannot be begun; its dependencies in the order in which the task names them. */
export function readinessOf(
  task: Pick<SpecTask, 'dependsOn'>,
  statusOf: (id: string) => BuildTaskStatus,
): { readonly ready: string; readonly waitsFor: readonly string[] } {
  const waitsFor = task.dependsOn.filter((id) => statusOf(id) !== 'complete')
  const [first] = waitsFor
  return { ready: first === undefined ? 'Ready' : `Blocked by ${first}`, waitsFor }
}

/** Whether anything can go on without a person. */
export function isMoving(items: readonly Item[]): boolean {
  const byNumber = new Map(items.map((item) => [item.number, item]))
  return items.some((item) => {
    if (item.state === 'done' || item.state === 'withdrawn' || item.needsHuman) return false
    if (item.requiresCoordination) return false
    if (isHeld(item.state) || item.state === 'in_review' || item.state === 'merging') return true
    return !isStuck(item) && item.dependsOn.every((number) => byNumber.get(number)?.state === 'done')
  })
}
