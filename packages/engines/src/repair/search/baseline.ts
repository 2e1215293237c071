// Runs the untouched program: once in the open with coverage, once confined as candidates are.
import type { Project } from '../project/load.ts'
import type { FromRunner, Limits, TestResult, ToRunner } from '../run/protocol.ts'
import { Runner, type RunnerPlace } from './process.ts'

const SILENCE_MS = 60_000
/** A test that takes more steps than this is in an endless loop. */
export const FUEL = 5_000_000
const TEST_MS = 5_000

export interface Baseline {
  readonly tests: readonly TestResult[]
  /** Keys of the tests that pass under confinement; the others cannot guard anything on the fast path. */
  readonly confined: ReadonlyMap<string, TestResult>
}

export function loadMessage(project: Project, limits: Limits, coverage: boolean): ToRunner {
  const modules = project.files.map((file) => ({
    path: file.absolute,
    code: file.rendered.code.text,
    isModule: file.rendered.isModule,
    requests: file.requests,
  }))
  return { is: 'load', modules, tests: project.tests, limits, coverage }
}

export async function runBaseline(
  project: Project,
  scratch: string,
  signal?: AbortSignal,
): Promise<Baseline | null> {
  const place = { root: project.root, scratch }
  const [open, closed] = await Promise.all([
    observe(project, { ...place, confined: false }, signal),
    observe(project, { ...place, confined: true }, signal),
  ])
  if (open === null || closed === null) return null
  return { tests: open, confined: new Map(closed.map((test) => [test.key, test])) }
}

async function observe(
  project: Project,
  place: RunnerPlace,
  signal?: AbortSignal,
): Promise<readonly TestResult[] | null> {
  let heard: readonly TestResult[] | null = null
  const runner = new Runner(place, SILENCE_MS, (message: FromRunner) => {
    if (message.is !== 'baseline') return
    heard = message.tests
    runner.kill()
  })
  runner.send(loadMessage(project, { fuel: FUEL, testMs: TEST_MS }, !place.confined))
  runner.send({ is: 'baseline' })
  const stop = () => runner.kill()
  signal?.addEventListener('abort', stop)
  if (signal?.aborted === true) stop()
  await runner.gone
  signal?.removeEventListener('abort', stop)
  return heard
}
