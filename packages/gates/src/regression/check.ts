// The check after a change: the tests that failed before, then those that the change can concern, within a budget.
// It asks nobody but the test runner. The gate before a delivery still runs the whole suite.
import type { GateResult } from '@treadle/contracts/gate'
import { type GateOptions, runTests } from '../tests.ts'
import { loadMap } from './map.ts'
import { runSelected } from './run-selected.ts'
import { type Selection, selectAffected } from './select.ts'

export interface CheckRequest {
  readonly cwd: string
  readonly command: string
  /** The workspace's folder for maps. */
  readonly folder: string
  readonly changedFiles: readonly string[]
  /** Test files that failed before. */
  readonly failed?: readonly string[]
  /** For the whole check. */
  readonly budgetMs: number
  /** The whole suite is left to the caller. */
  readonly partOnly?: boolean
  readonly signal?: AbortSignal
}

export interface RegressionCheck {
  readonly selection: Selection
  /** In the order they ran; the first that is not green ends the check. */
  readonly results: readonly GateResult[]
  /** Whether all that was selected has run. */
  readonly complete: boolean
  readonly why: string
}

export async function checkRegression(options: GateOptions, request: CheckRequest): Promise<RegressionCheck> {
  const { cwd, command, folder, changedFiles, failed = [], budgetMs } = request
  const until = performance.now() + budgetMs
  const selection = selectAffected({ cwd, changedFiles, failed, map: loadMap(folder, command) })
  const results: GateResult[] = []
  const end = (complete: boolean, why: string): RegressionCheck => ({ selection, results, complete, why })
  const steps = stepsOf(selection)
  for (const files of steps) {
    const timeoutMs = until - performance.now()
    if (timeoutMs <= 0) return end(false, `the budget of ${budgetMs} ms was used up before all had run`)
    if (request.partOnly === true && files.length === 0) return end(false, 'the rest is the whole suite')
    const ran = await runStep(options, { ...request, timeoutMs }, files)
    if (ran === null) return end(false, 'the rest is the whole suite')
    results.push(ran.result)
    if (ran.whole !== null) return end(true, ran.whole)
    if (!isGreen(ran.result)) return end(files === steps.at(-1), 'a test failed')
  }
  return end(true, steps.length === 0 ? 'no test can be concerned' : 'all that can be concerned were run')
}

/** What cannot be run in part is run whole, and then nothing is left; `whole` says why. Null: that is for the caller. */
async function runStep(
  options: GateOptions,
  { cwd, command, timeoutMs, signal, partOnly }: CheckRequest & { timeoutMs: number },
  files: readonly string[],
): Promise<{ result: GateResult; whole: string | null } | null> {
  const bounded = { cwd, command, timeoutMs, ...(signal ? { signal } : {}) }
  if (files.length === 0)
    return { result: await runTests(options, bounded), whole: 'the whole suite was run' }
  const ran = await runSelected(options, { ...bounded, wanted: { files } })
  if (ran.is === 'ran') return { result: ran.result, whole: null }
  return partOnly === true ? null : { result: await runTests(options, bounded), whole: ran.why }
}

/** Lists of test files to run one after the other; an empty one stands for the whole suite. */
function stepsOf(selection: Selection): (readonly string[])[] {
  const { first } = selection
  const failed = first.length > 0 ? [first] : []
  if (selection.is === 'everything') return [...failed, []]
  const rest = selection.tests.map(({ test }) => test).filter((test) => !first.includes(test))
  return rest.length > 0 ? [...failed, rest] : failed
}

function isGreen({ is }: GateResult): boolean {
  return is === 'passed' || is === 'passed_with_warnings'
}
