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
  const circle = circleIn(tasks, byId)
  return {
    tasks: TASK_PHASES.flatMap((phase) => orderWithin(tasks.filter((task) => task.phase === phase))),
    problems: [
      ...(circle === null ? [] : [`Tasks wait for each other in a circle: ${circle.join(' → ')}`]),
      ...tasks.flatMap((task) => task.dependsOn.flatMap((id) => waitProblem(task, id, byId) ?? [])),
    ],
  }
}

function waitProblem(task: Ordered, id: string, byId: ReadonlyMap<string, Ordered>): string | null {
  const other = byId.get(id)
  if (other === undefined) return `${task.id} waits for ${id}, which is no task of this specification`
  if (rank(other) <= rank(task)) return null
  return `${task.id} (${task.phase}) waits for ${id}, which comes in a later phase (${other.phase})`
}

/** One at a time, so that tasks stay as close to their given order as they can. */
function orderWithin<T extends Ordered>(tasks: readonly T[]): T[] {
  const ordered: T[] = []
  let left = tasks
  for (;;) {
    const open = new Set(left.map(({ id }) => id))
    const next = left.find(({ id, dependsOn }) => !dependsOn.some((each) => each !== id && open.has(each)))
    // What is left waits for itself in a circle, or there is nothing left.
    if (next === undefined) return [...ordered, ...left]
    ordered.push(next)
    left = left.filter((task) => task !== next)
  }
}

function rank({ phase }: Ordered): number {
  return TASK_PHASES.indexOf(phase)
}

/** The ids of one circle, the first of them again at its end; null: there is none. */
function circleIn(tasks: readonly Ordered[], byId: ReadonlyMap<string, Ordered>): string[] | null {
  const done = new Set<string>()
  for (const { id } of tasks) {
    const circle = circleFrom(id, { byId, done })
    if (circle !== null) return circle
  }
  return null
}

interface Search {
  readonly byId: ReadonlyMap<string, Ordered>
  /** Tasks from which no circle is reached. */
  readonly done: Set<string>
}

function circleFrom(start: string, { byId, done }: Search): string[] | null {
  const path: { id: string; next: number }[] = [{ id: start, next: 0 }]
  for (;;) {
    const top = path.at(-1)
    if (top === undefined) return null
    const next = byId.get(top.id)?.dependsOn[top.next]
    top.next += 1
    const from = path.findIndex(({ id }) => id === next)
    if (next === undefined) {
      done.add(top.id)
      path.pop()
    } else if (from >= 0) return [...path.slice(from).map(({ id }) => id), next]
    else if (byId.has(next) && !done.has(next)) path.push({ id: next, next: 0 })
  }
}
