// The functions that a change may have changed, that compute with nothing but their arguments, and that tests call.
import type { ReviewChecksRequest } from '@treadle/flow/ports/review-checks'
import { listSources } from '@treadle/repair/project/files'
import type { Rule } from '../capability/capability.ts'
import { readScript } from '../capability/read-script.ts'
import type { TestedFunction } from '../inputs/plan-calls.ts'
import { testedCalls } from '../inputs/tested-calls.ts'
import { spell } from '../inputs/written-value.ts'
import { isScript } from '../integrity/test-conventions.ts'
import { type ImportGraph, openImportGraph, resolveImport } from '../regression/import-graph.ts'
import { isTestFile, sortChange } from './changed-tests.ts'
import { readHead } from './head.ts'

/** With these, what a function answers may hang on more than its arguments, or the call does something. */
export const impureRules: ReadonlySet<Rule> = new Set([
  'environment',
  'arguments',
  'clock',
  'randomness',
  'timers',
  'call stack',
  'path',
  'globals',
  'files',
  'network',
  'processes',
  'module system',
  'code from text',
  'engine',
  'exit',
  'test runner',
  'asks for the runner',
  'patch',
])
const testFilesMax = 300

export interface FoundFunctions {
  readonly functions: readonly TestedFunction[]
  /** Files that were left out because they reach for more than their arguments. */
  readonly impure: ReadonlyMap<string, string>
}

type Tree = Pick<ReviewChecksRequest, 'cwd' | 'changed'>

export async function testedFunctions({ cwd, changed }: Tree): Promise<FoundFunctions> {
  const { code, tests } = sortChange(changed)
  const looking = new Looking(cwd, new Set(code))
  const first = tests.filter((path) => isTestFile(path) && isScript(path))
  const rest = listSources(cwd).filter((path) => isTestFile(path) && !first.includes(path))
  for (const path of [...first, ...rest].slice(0, testFilesMax)) await looking.readTest(path)
  return { functions: looking.functions(), impure: looking.impure }
}

interface CalledFunction {
  readonly file: string
  readonly name: string
  readonly made: number | undefined
  readonly inputs: Map<string, readonly unknown[]>
}

class Looking {
  readonly impure = new Map<string, string>()
  readonly #cwd: string
  readonly #changed: ReadonlySet<string>
  readonly #graph: ImportGraph
  readonly #taken = new Map<string, Promise<boolean>>()
  readonly #found = new Map<string, CalledFunction>()

  constructor(cwd: string, changed: ReadonlySet<string>) {
    this.#cwd = cwd
    this.#changed = changed
    this.#graph = openImportGraph(cwd)
  }

  functions(): TestedFunction[] {
    return [...this.#found.values()].map(({ file, name, made, inputs }) => ({
      file,
      name,
      made,
      inputs: [...inputs.values()],
    }))
  }

  async readTest(path: string): Promise<void> {
    const text = await readHead(this.#cwd, path)
    if (text === null) return
    for (const { from, name, made, args } of testedCalls(path, text)) {
      const file = resolveImport(this.#cwd, path, from)
      if (file === null || !(await this.#isTaken(file))) continue
      const key = `${file} ${name} ${made}`
      const inputs = new Map<string, readonly unknown[]>()
      const known = this.#found.get(key) ?? { file, name, made, inputs }
      this.#found.set(key, known)
      known.inputs.set(args.map(spell).join(', '), args)
    }
  }

  #isTaken(file: string): Promise<boolean> {
    const known = this.#taken.get(file)
    if (known !== undefined) return known
    const taken = this.#look(file)
    this.#taken.set(file, taken)
    return taken
  }

  /** Whether the change can be seen through a file, and nothing there reaches for more than it is given. */
  async #look(file: string): Promise<boolean> {
    if (!isScript(file) || isTestFile(file)) return false
    const reached = [...this.#graph.reachOf(file).files].filter((path) => this.#changed.has(path))
    if (reached.length === 0) return false
    for (const path of new Set([file, ...reached].filter(isScript))) {
      const why = await this.#reachesFor(path)
      if (why === null) continue
      this.impure.set(file, why)
      return false
    }
    return true
  }

  async #reachesFor(path: string): Promise<string | null> {
    const text = await readHead(this.#cwd, path)
    const reading = text === null ? null : readScript(path, text)
    if (reading?.is !== 'read') return 'it cannot be read'
    const found = [...reading.capabilities.values()].find(({ rule }) => impureRules.has(rule))
    return found === undefined ? null : `${found.rule}: ${found.what}`
  }
}
