// Tasks as layers: phase after phase, and within a phase whatever waits for another one behind it.
import { type SpecTask, TASK_PHASES, type TaskPhase } from '@treadle/contracts/specification'
import type { DrawnEdge, DrawnNode } from './graph-drawing.tsx'

export const PHASE_WORDS: Record<TaskPhase, string> = {
  database: 'Database',
  types: 'Types',
  queries: 'Queries',
  api: 'API',
  ui: 'UI',
  tests: 'Tests',
}

type GraphTask = Pick<SpecTask, 'id' | 'phase' | 'title' | 'file' | 'dependsOn'>

/** What a screen shows of a task besides its name. */
export interface Shows extends Pick<DrawnNode, 'second' | 'href' | 'tone'> {
  /** Where the task stands; left out: what it waits for. */
  readonly stands?: string
}

interface TaskGraph {
  readonly nodes: readonly DrawnNode[]
  readonly edges: readonly DrawnEdge[]
  readonly heads: readonly { readonly layer: number; readonly words: string }[]
  readonly words: readonly string[]
}

export function taskGraphOf<T extends GraphTask>(
  tasks: readonly T[],
  showsOf: (task: T) => Shows,
): TaskGraph {
  const nodes = new Map<string, DrawnNode>()
  const heads: { layer: number; words: string }[] = []
  let first = 0
  for (const phase of TASK_PHASES) {
    const within = tasks.filter((task) => task.phase === phase)
    if (within.length === 0) continue
    heads.push({ layer: first, words: PHASE_WORDS[phase] })
    const depths = depthsOf(within)
    // A row for each task of a phase, so that no arrow passes behind another one of it.
    for (const [row, task] of within.entries())
      nodes.set(task.id, drawn(task, showsOf(task), { layer: first + (depths.get(task.id) ?? 0), row }))
    first += Math.max(...depths.values()) + 1
  }
  const edges = tasks.flatMap(({ id, dependsOn }): DrawnEdge[] =>
    dependsOn.filter(isNearest(tasks, dependsOn)).flatMap((before) => {
      const [from, to] = [nodes.get(before), nodes.get(id)]
      return from === undefined || to === undefined ? [] : [{ from, to, is: 'waits' }]
    }),
  )
  return {
    nodes: [...nodes.values()],
    edges,
    heads,
    words: tasks.map((task) => sentenceOf(task, showsOf(task))),
  }
}

/** An arrow that others lead to anyway is left out: of what a task waits for, only the nearest is drawn. */
function isNearest(tasks: readonly GraphTask[], dependsOn: readonly string[]): (id: string) => boolean {
  const before = new Map(tasks.map((task) => [task.id, task.dependsOn]))
  const further = new Set<string>()
  const pass = (id: string) => {
    for (const each of before.get(id) ?? [])
      if (!further.has(each)) {
        further.add(each)
        pass(each)
      }
  }
  for (const id of dependsOn) pass(id)
  return (id) => !further.has(id)
}

function drawn(
  task: GraphTask,
  { second, href, tone }: Shows,
  at: { layer: number; row: number },
): DrawnNode {
  return {
    key: task.id,
    ...at,
    // What a task is done to tells it from the others of its phase; titles begin alike.
    title: `${task.id} ${task.file.split('/').at(-1)}`,
    second,
    href,
    ...(tone === undefined ? {} : { tone }),
  }
}

/** The longest way to each task among those of its phase; a circle ends where it began. */
function depthsOf(tasks: readonly GraphTask[]): Map<string, number> {
  const known = new Map(tasks.map((task) => [task.id, task]))
  const depths = new Map<string, number>()
  const open = new Set<string>()
  const depthOf = (id: string): number => {
    const task = known.get(id)
    if (task === undefined || open.has(id)) return -1
    const found = depths.get(id)
    if (found !== undefined) return found
    open.add(id)
    const depth = 1 + task.dependsOn.reduce((most, before) => Math.max(most, depthOf(before)), -1)
    open.delete(id)
    depths.set(id, depth)
    return depth
  }
  for (const { id } of tasks) depthOf(id)
  return depths
}

function sentenceOf({ id, title, phase, dependsOn }: GraphTask, { stands }: Shows): string {
  const waits = dependsOn.length === 0 ? 'waits for nothing' : `waits for ${dependsOn.join(', ')}`
  return `${id} ${title} (${PHASE_WORDS[phase]}): ${stands ?? waits}`
}
