// Files that import each other in a circle. Imports of types do not count: nothing of them is there when it runs.
import type { CodeFile } from '../code-file.ts'
import { isTest, type Project } from '../project.ts'
import { type Looked, looked, type Survey } from '../survey.ts'
import { type Syntax, walk } from '../syntax.ts'

export const importCycle: Survey = { category: 'architecture', name: 'import-cycle', look, kin }

async function look(project: Project): Promise<Looked> {
  const code = await project.code()
  if (code.size === 0) return { is: 'skipped', why: 'there is no JavaScript or TypeScript' }
  return looked(
    certainCycles(code).map((cycle) => ({
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
      imports.flatMap(({ to, isType, isAddress }) =>
        to.is === 'file' && !isType && !isAddress && !isTest(to.path) ? [to.path] : [],
      ),
    ]),
  )
}

/** Without the circles that are closed by an import of which only types are used, whatever it is called. */
function certainCycles(code: ReadonlyMap<string, CodeFile>): string[][] {
  const graph = new Map(graphOf(code))
  const known = new Map<string, ReadonlySet<string>>()
  const forTypes = (path: string) => {
    const file = code.get(path)
    const told = known.get(path) ?? (file === undefined ? new Set<string>() : importedForTypes(file))
    known.set(path, told)
    return told
  }
  for (;;) {
    const cycles = cyclesIn(graph)
    const elided = cycles.flat().filter((path) => graph.get(path)?.some((to) => forTypes(path).has(to)))
    if (elided.length === 0) return cycles
    for (const path of elided)
      graph.set(
        path,
        (graph.get(path) ?? []).filter((to) => !forTypes(path).has(to)),
      )
  }
}

/** Files of which TypeScript drops every import, since no value of theirs is used. */
function importedForTypes(file: CodeFile): ReadonlySet<string> {
  if (!/\.[cm]?tsx?$/.test(file.path)) return new Set()
  const values = usedAsValues(file.program)
  const isKept = ({ to, isType }: CodeFile['imports'][number]) => {
    const names = file.names.filter(
      (each) => each.to.is === 'file' && to.is === 'file' && each.to.path === to.path,
    )
    return !isType && (names.length === 0 || names.some(({ local }) => values.has(local)))
  }
  const kept = file.imports.filter(isKept).flatMap(({ to }) => (to.is === 'file' ? [to.path] : []))
  const all = file.imports.flatMap(({ to }) => (to.is === 'file' ? [to.path] : []))
  return new Set(all.filter((path) => !kept.includes(path)))
}

/** Names that stand outside of types. */
function usedAsValues(program: Syntax): ReadonlySet<string> {
  const used = new Set<string>()
  walk(program, (node, above) => {
    if (!/^(?:JSX)?Identifier$/.test(node.type) || typeof node.name !== 'string') return
    const isOfType = above.some(({ type }) =>
      /^TS(?:Type|Interface|Array|Union|Function|Constructor|Mapped|Conditional|Indexed|Tuple|ClassImplements)/.test(
        type,
      ),
    )
    if (!isOfType && !above.some(({ type }) => type === 'ImportDeclaration')) used.add(node.name)
  })
  return used
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
