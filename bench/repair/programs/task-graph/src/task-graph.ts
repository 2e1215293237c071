export type Task = { id: string; minutes: number; needs: string[] }
export type Plan = { order: string[]; start: Map<string, number>; end: number; critical: string[] }

// Kahn's algorithm; of several ready tasks the one with the smaller id goes first.
export function sortTasks(tasks: readonly Task[]): Task[] {
  const byId = indexTasks(tasks)
  const waiting = new Map(tasks.map((task) => [task.id, task.needs.length]))
  const dependants = invert(tasks, byId)
  const ready = tasks.filter((task) => task.needs.length === 0).map((task) => task.id)
  const sorted: Task[] = []
  while (ready.length > 0) {
    ready.sort()
    const id = ready.shift() ?? ''
    const task = byId.get(id)
    if (task) sorted.push(task)
    for (const next of dependants.get(id) ?? []) {
      const left = (waiting.get(next) ?? 0) - 1
      waiting.set(next, left)
      if (left === 0) ready.push(next)
    }
  }
  if (sorted.length < tasks.length) throw new Error('the tasks form a cycle')
  return sorted
}

function invert(tasks: readonly Task[], byId: Map<string, Task>): Map<string, string[]> {
  const dependants = new Map<string, string[]>()
  for (const task of tasks) {
    for (const need of task.needs) {
      if (!byId.has(need)) throw new RangeError(`${task.id} needs unknown ${need}`)
      dependants.set(need, [...(dependants.get(need) ?? []), task.id])
    }
  }
  return dependants
}

function indexTasks(tasks: readonly Task[]): Map<string, Task> {
  const byId = new Map<string, Task>()
  for (const task of tasks) {
    if (byId.has(task.id)) throw new RangeError(`duplicate ${task.id}`)
    byId.set(task.id, task)
  }
  return byId
}

// Every task starts as early as it can; the critical path is what decides the end.
export function plan(tasks: readonly Task[]): Plan {
  const sorted = sortTasks(tasks)
  const start = new Map<string, number>()
  const finish = new Map<string, number>()
  const cause = new Map<string, string>()
  for (const task of sorted) {
    let earliest = 0
    for (const need of task.needs) {
      const ready = finish.get(need) ?? 0
      if (ready > earliest) {
        earliest = ready
        cause.set(task.id, need)
      }
    }
    start.set(task.id, earliest)
    finish.set(task.id, earliest + task.minutes)
  }
  const end = Math.max(0, ...finish.values())
  const last = sorted.find((task) => finish.get(task.id) === end)
  const critical: string[] = []
  for (let id = last?.id; id !== undefined; id = cause.get(id)) critical.unshift(id)
  return { order: sorted.map((task) => task.id), start, end, critical }
}

// All that must be done again when a task changes: the task and whatever needs it, directly or not.
export function affectedBy(tasks: readonly Task[], id: string): string[] {
  const affected = new Set([id])
  for (const task of sortTasks(tasks)) {
    if (task.needs.some((need) => affected.has(need))) affected.add(task.id)
  }
  return [...affected].sort()
}
