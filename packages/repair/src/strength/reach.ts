// Which tests can notice a fault in a file: those that load it.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { toSlash } from '../project/files.ts'
import type { Project, SourceFile } from '../project/load.ts'
import { Resolver } from '../project/resolve.ts'
import { reachOf } from '../search/plan.ts'

const VISITED_MAX = 3_000
const REQUEST = /(?:from|import|require\()\s*\(?\s*(['"])([^'"\n]+)\1/g
const PROCESSES = /^(node:)?(child_process|worker_threads|cluster)$/

/** The project with only those of its tests that load one of the files. */
export function reaching(project: Project, files: readonly SourceFile[]): Project {
  const reach = reachOf(project)
  const tests = new Set(files.flatMap(({ index }) => reach[index] ?? []))
  return {
    ...project,
    tests: project.tests.filter((index) => tests.has(index)),
    left: project.left.filter(({ path }) =>
      loads(project.root, path, new Set(files.map((file) => file.path))),
    ),
  }
}

/** By the text of its imports, since it could not be rendered. */
function loads(root: string, test: string, wanted: ReadonlySet<string>): boolean {
  const resolver = new Resolver(root)
  const seen = new Set([test])
  for (const path of seen) {
    if (wanted.has(path)) return true
    if (seen.size > VISITED_MAX) return true
    for (const [, , request = ''] of readFileSync(join(root, path), 'utf8').matchAll(REQUEST)) {
      const target = resolver.resolve(join(root, path), request)
      if (target.is === 'own' && /\.[cm]?[jt]sx?$/.test(target.path))
        seen.add(toSlash(relative(root, target.path)))
    }
  }
  return false
}

/** Every test that loads the files can be run here, and none starts the program as a process of its own. */
export function isWhole({ left, files }: Project): boolean {
  const starts = ({ requests }: SourceFile) =>
    Object.values(requests).some((to) => PROCESSES.test(String(to)))
  return left.length === 0 && !files.some((file) => file.isTestCode && starts(file))
}
