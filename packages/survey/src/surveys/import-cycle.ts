// Files that import each other in a circle. Imports of types do not count: nothing of them is there when it runs.
import type { CodeFile } from '../code-file.ts'
import { isTest, type Project } from '../project.ts'
import { type Looked, looked, type Survey } from '../survey.ts'

export const importCycle: Survey = { category: 'architecture', name: 'import-cycle', look, kin }

async function look(project: Project): Promise<Looked> {
  const code = await project.code()
  if (code.size === 0) return { is: 'skipped', why: 'there is no JavaScript or TypeScript' }
  return looked(
    cyclesIn(graphOf(code)).map((cycle) => ({
      key: `import-cycle:${cycle.toSorted()[0]}:${cycle.length}`,
      title: `${cycle.length} files import each other in a circle: ${cycle[0]}`.slice(0, 300),
      files: cycle,
      evidence: [...cycle, cycle[0] ?? ''].join(' imports ').slice(0, 4_000),
      estimateHours: Math.min(8, cycle.length),
      mendable: false,
    })),
  )
}

/** The circle that was found, for as long as its first file is in any circle: of files that are in several, one is told. */
async function kin(project: Project, key: string): Promise<readonly string[]> {
  const [, first = ''] = /^import-cycle:(.*):\d+$/s.exec(key) ?? []
  return shortestFrom(graphOf(await project.code()), first) === null ? [] : [key]
}

type Graph = ReadonlyMap<string, readonly string[]>

function graphOf(code: ReadonlyMap<string, CodeFile>): Graph {
  const own = [...code.values()].filter(({ path }) => !isTest(path))
  return new Map(
    own.map(({ path, imports }) => [
      path,
      imports.flatMap(({ to, isType }) => (to.is === 'file' && !isType && !isTest(to.path) ? [to.path] : [])),
    ]),
  )
}

/** The shortest circle of each group of files that reach each other. */
function cyclesIn(graph: Graph): string[][] {
  const cycles: string[][] = []
  const seen = new Set<string>()
  for (const start of [...graph.keys()].toSorted()) {
    if (seen.has(start)) continue
    const cycle = shortestFrom(graph, start)
    if (cycle === null || cycle.some((path) => seen.has(path))) continue
    for (const path of cycle) seen.add(path)
    cycles.push(cycle)
  }
  return cycles
}

/** The shortest way from a file back to itself; null: there is none. */
function shortestFrom(graph: Graph, start: string): string[] | null {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (const path of queue) {
    for (const next of graph.get(path) ?? []) {
      if (next === start) return wayTo(cameFrom, path, start)
      if (cameFrom.has(next)) continue
      cameFrom.set(next, path)
      queue.push(next)
    }
  }
  return null
}

function wayTo(cameFrom: ReadonlyMap<string, string>, end: string, start: string): string[] {
  const way: string[] = []
  for (let at: string | undefined = end; at !== undefined && at !== start; at = cameFrom.get(at))
    way.unshift(at)
  return [start, ...way]
}
