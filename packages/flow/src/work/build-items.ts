// The items of a build: those made of its tasks, and the one that delivers the whole.
import type { Build, TaskFailure } from '@treadle/contracts/build'
import type { Item } from '@treadle/contracts/item'
import type { OtherTask } from '../ports/gates.ts'

/** An item that was made of a task. */
export type TaskItem = Item & { readonly specTask: NonNullable<Item['specTask']> }

export function isTask(item: Item): item is TaskItem {
  return item.build !== null && item.specTask !== null
}

/** The item that brings the whole onto the target. */
export function isDelivery(item: Pick<Item, 'build' | 'specTask'>): boolean {
  return item.build !== null && item.specTask === null
}

/** Names an item as it is now: what is done about it is done once, and again when it has come back to this. */
export function momentOf({ number, fence, updatedAt }: Item): string {
  return `${number}:${fence}:${updatedAt}`
}

/** The other tasks of the build of a task, and their files; none of a delivery, which brings what all have made. */
export function otherTasks(item: Item, items: readonly Item[]): OtherTask[] {
  if (!isTask(item)) return []
  return items
    .filter(isTask)
    .filter((other) => other.number !== item.number && !item.files.some((file) => other.files.includes(file)))
    .flatMap(({ specTask, files }) => files.map((file) => ({ task: specTask.id, file })))
}

/** A person has to look: nothing is tried any more by itself. */
export function isGivenUp(item: TaskItem, build: Pick<Build, 'failures'>): boolean {
  if (!isStuck(item)) return false
  const last = lastFailure(build, item)
  return last?.decision === 'ESCALATE' && last.runId === item.runId
}

/** It has stopped by itself, well or not, and somebody has to say how it goes on. */
export function isStuck({ state }: Pick<Item, 'state'>): boolean {
  return state === 'escalated' || state === 'conflicted'
}

export function lastFailure(build: Pick<Build, 'failures'>, item: TaskItem): TaskFailure | null {
  return build.failures.findLast(({ task }) => task === item.specTask.id) ?? null
}
