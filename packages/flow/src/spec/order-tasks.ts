// The order of tasks: by phase, and within a phase after what they wait for. Circles are refused by their names.
import { type SpecTask, TASK_PHASES } from '@treadle/contracts/specification'

type Ordered = Pick<SpecTask, 'id' | 'phase' | 'dependsOn'>

export interface Order<T> {
  readonly tasks: readonly T[]
  /** Why it cannot be done in this order, a sentence each. */
  readonly problems: readonly string[]
}

export function orderTasks<T extends Ordered>(tasks: readonly T[]): Order<T> {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const ordered: T[] = []
  const problems: string[] = []
  for (const phase of TASK_PHASES) {
    let left = tasks.filter((task) => task.phase === phase)
    while (left.length > 0) {
      const open = new Set(left.map(({ id }) => id))
      const free = left.filter(({ id, dependsOn }) => !dependsOn.some((each) => each !== id && open.has(each)))
      if (free.length === 0) break
      // One at a time, so that tasks stay as close to their given order as they can.
      const [next] = free
      if (next === undefined) break
      ordered.push(next)
      left = left.filter((task) => task !== next)
    }
    ordered.push(...left)
  }
  const circle = circleIn(tasks, byId)
  if (circle !== null) problems.push(`Tasks wait for each other in a circle: ${circle.join(' → ')}`)
  for (const task of tasks)
    for (const id of task.dependsOn) {
      const other = byId.get(id)
      if (other === undefined) problems.push(`${task.id} waits for ${id}, which is no task of this specification`)
      else if (rank(other) > rank(task))
        problems.push(`${task.id} (${task.phase}) waits for ${id}, which comes in a later phase (${other.phase})`)
    }
  return { tasks: ordered, problems }
}

function rank({ phase }: Ordered): number {
  return TASK_PHASES.indexOf(phase)
}

/** The ids of one circle, the first of them again at its end; null: there is none. */
function circleIn(tasks: readonly Ordered[], byId: ReadonlyMap<string, Ordered>): string[] | null {
  const done = new Set<string>()
  for (const { id } of tasks) {
    const path: { id: string; next: number }[] = done.has(id) ? [] : [{ id, next: 0 }]
    while (path.length > 0) {
      const top = path.at(-1)
      if (top === undefined) break
      const next = byId.get(top.id)?.dependsOn[top.next]
      top.next += 1
      if (next === undefined) {
        done.add(top.id)
        path.pop()
        continue
      }
      const from = path.findIndex((each) => each.id === next)
      if (from >= 0) return [...path.slice(from).map((each) => each.id), next]
      if (byId.has(next) && !done.has(next)) path.push({ id: next, next: 0 })
    }
  }
  return null
}
