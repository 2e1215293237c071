// In which order the parts of a plan are done, and which of them side by side.
import type { SubTask } from '@treadle/contracts/paor'

export type Ordered =
  /** Each wave needs only what is in the waves before it. */
  | { readonly is: 'ordered'; readonly waves: readonly (readonly SubTask[])[] }
  | { readonly is: 'faulty'; readonly why: string }

export function orderTasks(tasks: readonly SubTask[]): Ordered {
  const fault = duplicateIn(tasks) ?? strangerIn(tasks)
  if (fault !== null) return { is: 'faulty', why: fault }
  const done = new Set<string>()
  const waves: SubTask[][] = []
  for (let left = [...tasks]; left.length > 0; left = left.filter(({ id }) => !done.has(id))) {
    const wave = left.filter(({ dependsOn }) => dependsOn.every((id) => done.has(id)))
    if (wave.length === 0) return { is: 'faulty', why: circleWords(circleIn(left)) }
    for (const { id } of wave) done.add(id)
    waves.push(wave)
  }
  return { is: 'ordered', waves }
}

function duplicateIn(tasks: readonly SubTask[]): string | null {
  const ids = tasks.map(({ id }) => id)
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  return twice === undefined ? null : `Two sub-tasks have the id ${JSON.stringify(twice)}`
}

function strangerIn(tasks: readonly SubTask[]): string | null {
  const known = new Set(tasks.map(({ id }) => id))
  for (const { id, dependsOn } of tasks) {
    const missing = dependsOn.find((other) => !known.has(other))
    if (missing !== undefined)
      return `The sub-task ${JSON.stringify(id)} depends on ${JSON.stringify(missing)}, which is not in the plan`
  }
  return null
}

/** Among tasks that all wait for one another, whoever follows what they wait for comes round. */
function circleIn(waiting: readonly SubTask[]): string[] {
  const byId = new Map(waiting.map((task) => [task.id, task]))
  const way: string[] = []
  let at = waiting[0]
  while (at !== undefined && !way.includes(at.id)) {
    way.push(at.id)
    const next = at.dependsOn.find((id) => byId.has(id))
    at = next === undefined ? undefined : byId.get(next)
  }
  return at === undefined ? way : [...way.slice(way.indexOf(at.id)), at.id]
}

function circleWords(circle: readonly string[]): string {
  return `The sub-tasks depend on each other in a circle: ${circle.join(' → ')}`
}
