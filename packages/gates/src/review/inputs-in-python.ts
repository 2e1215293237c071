// Functions of Python, called by the Python that runs the tests: on the head, and with the changed files as they were.
import { posix } from 'node:path'
import type { CallOutcome } from '@treadle/contracts/inputs'
import type { ReviewChecksRequest } from '@treadle/flow/ports/review-checks'
import { isPython } from '../capability/head-files.ts'
import { readPythonTexts } from '../capability/read-python.ts'
import { type CallPlan, planCalls, type TestedFunction } from '../inputs/plan-calls.ts'
import { callPython, type PythonCall, type PythonInputs, readPythonInputs } from '../inputs/python-inputs.ts'
import { type TextChange, Written } from '../inputs/written-in.ts'
import { spell } from '../inputs/written-value.ts'
import { listFiles } from '../project-files.ts'
import type { GateOptions } from '../tests.ts'
import { isOfTests, isTestFile, sortChange } from './changed-tests.ts'
import { readHead } from './head.ts'
import { whyNone } from './inputs-in-scripts.ts'
import type { LookedInputs } from './looked-inputs.ts'
import { impureRules } from './tested-functions.ts'

const filesMax = 1_500

export async function lookAtPython(
  options: GateOptions,
  request: ReviewChecksRequest,
): Promise<LookedInputs> {
  const changes = await changedTexts(request)
  if (changes.length === 0) return { is: 'skipped', why: 'no Python was changed' }
  const { tests, sources } = await textsOf(request)
  const read = await readPythonInputs(options, request, {
    tests,
    sources,
    changes: changes.map(({ before, after }) => [before, after]),
  })
  if (read === null) return { is: 'not_run', why: 'python3 could not read the tests' }
  const taken = takenFiles(read, new Set(changes.map(({ path }) => path)))
  const impure = await impureFiles(options, request, { taken, sources })
  const calls = read.calls.filter(({ file }) => taken.has(file) && !impure.has(file))
  if (calls.length === 0) return { is: 'skipped', why: whyNone(impure) }
  const written = new Written(read.written)
  const plan = planCalls(functionsOf(calls), written)
  return compare(options, request, { plan, written, changes, calls })
}

/** The changed sources, not the tests. */
async function changedTexts({ cwd, changed, readBase }: ReviewChecksRequest): Promise<TextChange[]> {
  const paths = sortChange(changed).code.filter(isPython)
  return Promise.all(
    paths.map(async (path) => ({ path, before: await readBase(path), after: await readHead(cwd, path) })),
  )
}

interface TreeTexts {
  readonly tests: Record<string, string>
  readonly sources: Record<string, string>
}

/** The tests of the change come first, since not all of a large tree are read. */
async function textsOf({ cwd, changed }: ReviewChecksRequest): Promise<TreeTexts> {
  const first = new Set(changed.filter(isPython))
  const paths = [...first, ...listFiles(cwd).filter((path) => isPython(path) && !first.has(path))]
  const found: TreeTexts = { tests: {}, sources: {} }
  for (const path of paths.slice(0, filesMax)) {
    const text = await readHead(cwd, path)
    if (text === null) continue
    if (isTestFile(path)) found.tests[path] = text
    else if (!isOfTests(path)) found.sources[path] = text
  }
  return found
}

/** Files through which the change can be seen, each with the changed ones that it reaches. */
function takenFiles({ imports, calls }: PythonInputs, changed: ReadonlySet<string>): Map<string, string[]> {
  const taken = new Map<string, string[]>()
  for (const file of new Set(calls.map((call) => call.file))) {
    const reached = new Set([file])
    for (const path of reached) for (const each of imports[path] ?? []) reached.add(each)
    const seen = [...reached].filter((path) => changed.has(path))
    if (seen.length > 0) taken.set(file, seen)
  }
  return taken
}

/** Files that reach for more than the arguments of their functions, or that load a changed one which does. */
async function impureFiles(
  options: GateOptions,
  request: ReviewChecksRequest,
  { taken, sources }: { taken: ReadonlyMap<string, readonly string[]>; sources: TreeTexts['sources'] },
): Promise<Map<string, string>> {
  const paths = [...new Set([...taken].flat(2))]
  const texts = paths.map((path) => sources[path] ?? '')
  const readings = await readPythonTexts(options, request, { texts, isOwn: () => true })
  const reaches = new Map<string, string>()
  for (const [at, reading] of readings.entries()) {
    const found =
      reading.is === 'read'
        ? [...reading.capabilities.values()].find(({ rule }) => impureRules.has(rule))
        : null
    if (found === null) reaches.set(paths[at] ?? '', 'it cannot be read')
    else if (found !== undefined) reaches.set(paths[at] ?? '', `${found.rule}: ${found.what}`)
  }
  return new Map(
    [...taken].flatMap(([file, seen]) => {
      const why = [file, ...seen].flatMap((path) => reaches.get(path) ?? [])[0]
      return why === undefined ? [] : [[file, why] as const]
    }),
  )
}

function functionsOf(calls: readonly PythonCall[]): TestedFunction[] {
  const groups = Map.groupBy(calls, ({ file, name, made }) => JSON.stringify([file, name, made]))
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    const inputs = new Map(group.map(({ args }) => [args.map(spell).join(', '), args]))
    return first === undefined
      ? []
      : [{ file: first.file, name: first.name, made: first.made, inputs: [...inputs.values()] }]
  })
}

interface PythonPlan {
  readonly plan: CallPlan
  readonly written: Written
  readonly changes: readonly TextChange[]
  readonly calls: readonly PythonCall[]
}

async function compare(
  options: GateOptions,
  request: ReviewChecksRequest,
  { plan, written, changes, calls }: PythonPlan,
): Promise<LookedInputs> {
  const modules = new Map(calls.map(({ file, module }) => [file, module]))
  const roots = [...new Set([...calls.map(({ root }) => root), '', 'src'])]
  const program = {
    command: request.command ?? request.item.testCommand,
    roots: [...roots, ...new Set(changes.map(({ path }) => posix.dirname(path)))],
    calls: plan.calls.map(({ file, name, made }, at) => ({
      module: modules.get(file) ?? '',
      name,
      made,
      args: plan.args[at] ?? [],
    })),
  }
  const run = (texts: Record<string, string | null>): Promise<CallOutcome[] | null> =>
    callPython(options, request, { ...program, texts })
  const head = await run({})
  const base = await run(Object.fromEntries(changes.map(({ path, before }) => [path, before])))
  if (head === null || base === null)
    return { is: 'not_run', why: 'the Python of the tests could not call the functions' }
  const search = 'not searched for in Python'
  return {
    is: 'looked',
    plan,
    written,
    compared: { is: 'compared', head, base, others: [], search, isCut: false },
  }
}
