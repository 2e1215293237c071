// Runs the untouched program: once in the open with coverage, once confined as candidates are.
import type { Scratch } from '../confined.ts'
import type { Project } from '../project/load.ts'
import type { FromRunner, Limits, Ranges, TestResult, ToRunner, WireEdit } from '../run/protocol.ts'
import { type RunnerPlace, RunnerProcess } from './process.ts'

const SILENCE_MS = 60_000
/** A test that takes more steps than this is in an endless loop. */
export const FUEL = 5_000_000
const TEST_MS = 5_000

export interface Baseline {
  readonly tests: readonly TestResult[]
  /** Keys of the tests that pass under confinement; the others cannot guard anything on the fast path. */
  readonly confined: ReadonlyMap<string, TestResult>
}

export function loadMessage(
  project: Project,
  limits: Limits,
  { coverage = false, guarded = true, hasNetwork = false, edits = [] as readonly WireEdit[] } = {},
): ToRunner {
  const modules = project.files.map((file) => ({
    path: file.absolute,
    code: spliced(
      file.rendered.code.text,
      edits.filter(({ module }) => module === file.index),
    ),
    isModule: file.rendered.isModule,
    requests: file.requests,
    setup: file.setup,
  }))
  return { is: 'load', modules, tests: project.tests, limits, coverage, guarded, hasNetwork }
}

function spliced(code: string, edits: readonly WireEdit[]): string {
  let out = code
  for (const { at, remove, text } of edits.toSorted((a, b) => b.at - a.at)) {
    out = out.slice(0, at) + text + out.slice(at + remove)
  }
  return out
}

export async function runBaseline(
  project: Project,
  scratch: Scratch,
  signal?: AbortSignal,
): Promise<Baseline | null> {
  const place = { root: project.root, scratch }
  const [open, closed] = await Promise.all([
    observe(project, { ...place, confined: false }, { signal }),
    observe(project, { ...place, confined: true }, { signal }),
  ])
  if (open === null || closed === null) return null
  return { tests: open, confined: new Map(closed.map((test) => [test.key, test])) }
}

/** The program with some edits taken, confined: what fails still, and what that runs. Null where it cannot be told. */
export async function observeEdited(
  project: Project,
  scratch: Scratch,
  edits: readonly WireEdit[],
  signal?: AbortSignal,
): Promise<readonly TestResult[] | null> {
  const place = { root: project.root, scratch, confined: true, watched: true }
  const tests = await observe(project, place, { edits, signal })
  return tests?.map((test) => ({ ...test, hits: asBefore(test.hits, edits) })) ?? null
}

/** Ranges in the edited text as places of the untouched one. */
function asBefore(hits: TestResult['hits'], edits: readonly WireEdit[]): TestResult['hits'] {
  return Object.fromEntries(
    Object.entries(hits).map(([module, ranges]) => {
      const own = edits.filter((edit) => edit.module === Number(module)).toSorted((a, b) => a.at - b.at)
      return [module, own.length === 0 ? ranges : rangesBefore(ranges, own)]
    }),
  )
}

function rangesBefore(ranges: Ranges, edits: readonly WireEdit[]): Ranges {
  const back = (place: number) => {
    let moved = 0
    for (const { at, remove, text } of edits) {
      if (place <= at + moved) break
      moved += text.length - remove
    }
    return place - moved
  }
  return ranges.map((ran) => ran.map((value, index) => (index % 3 === 2 ? value : back(value))))
}

interface Watch {
  readonly edits?: readonly WireEdit[]
  readonly signal: AbortSignal | undefined
}

async function observe(
  project: Project,
  place: RunnerPlace,
  { edits = [], signal }: Watch,
): Promise<readonly TestResult[] | null> {
  let heard: readonly TestResult[] | null = null
  const runner = new RunnerProcess(place, SILENCE_MS, (message: FromRunner) => {
    if (message.is !== 'baseline') return
    heard = message.tests
    runner.kill()
  })
  const coverage = !place.confined || place.watched === true
  const limits = { fuel: FUEL, cpuMs: Number.MAX_SAFE_INTEGER, testMs: TEST_MS }
  const { hasOwnNetwork: hasNetwork = false } = place.scratch
  runner.send(loadMessage(project, limits, { coverage, guarded: place.confined, hasNetwork, edits }))
  runner.send({ is: 'baseline' })
  const stop = () => runner.kill()
  signal?.addEventListener('abort', stop)
  if (signal?.aborted === true) stop()
  await runner.gone
  signal?.removeEventListener('abort', stop)
  return heard
}
