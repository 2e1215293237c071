// Runs failed tests again on the same tree, to tell those that always fail from those that fail at times.
import type { GateResult, TestFailure } from '@treadle/contracts/gate'
import type { FixedRequest, TestGateRequest } from '@treadle/flow/ports/gates'
import { type GateOptions, runTests } from '../tests.ts'
import { describeFlaky, judgeTest, type ObservedResult, type TestVerdict } from './flaky.ts'
import { readCall } from './plain-call.ts'
import { runSelected } from './run-selected.ts'

export interface RerunRequest extends TestGateRequest {
  readonly command: string
  /** The result in which tests failed. */
  readonly result: GateResult
  /** What was seen of a test before the change; nothing for one that is new. */
  readonly base?: (id: string) => readonly ObservedResult[]
  /** How often each failed test is run again. */
  readonly times?: number
  /** For all runs together; what does not fit in is not run, and so not excused. */
  readonly budgetMs?: number
}

interface RerunTest extends TestVerdict {
  readonly id: string
  readonly now: readonly ObservedResult[]
}

export interface Rerun {
  /** The first result, with tests that are only flaky turned into warnings. */
  readonly result: GateResult
  readonly tests: readonly RerunTest[]
  /** Ids of the tests with both outcomes, for the report. */
  readonly flaky: readonly string[]
  readonly warnings: readonly string[]
  readonly reruns: readonly GateResult[]
}

const timesDefault = 2
const timesMax = 10

export async function rerunFailed(options: GateOptions, request: RerunRequest): Promise<Rerun> {
  const { result } = request
  const untouched: Rerun = { result, tests: [], flaky: [], warnings: [], reruns: [] }
  if (result.is !== 'failed' || result.evidence.timedOut || request.signal?.aborted) return untouched
  const named = result.failures.filter(isTest)
  if (named.length === 0) return untouched
  const reruns = await runAgain(options, { ...request, times: timesOf(request.times) }, named)
  const tests = named.map((failure): RerunTest & { base: readonly ObservedResult[] } => {
    const now: ObservedResult[] = ['failed', ...reruns.map((run) => seenIn(run, failure, named.length))]
    const base = request.base?.(failure.id) ?? []
    return { id: failure.id, now, base, ...judgeTest({ base, now }) }
  })
  const flaky = tests.filter(({ is }) => is === 'flaky')
  const warnings = flaky.map((test) => describeFlaky(test.id, test))
  return {
    result: withoutExcused(result, tests, warnings),
    tests: tests.map(({ id, now, is, blocks }) => ({ id, now, is, blocks })),
    flaky: flaky.map(({ id }) => id),
    warnings,
    reruns,
  }
}

/** A failure of the command itself names no test. */
function isTest({ id, file }: TestFailure): boolean {
  return id !== 'test command' && id !== 'test run' && (file !== null || id !== 'unnamed test')
}

function timesOf(times = timesDefault): number {
  return Math.min(times, timesMax)
}

async function runAgain(
  options: GateOptions,
  request: TestGateRequest & { command: string; times: number; budgetMs?: number },
  failures: readonly TestFailure[],
): Promise<GateResult[]> {
  const until = performance.now() + (request.budgetMs ?? request.timeoutMs)
  const files = [...new Set(failures.flatMap(({ file }) => (file === null ? [] : [file])))]
  const names = failures.map(({ id, file }) =>
    id.startsWith(`${file} > `) ? id.slice(`${file} > `.length) : id,
  )
  const runs: GateResult[] = []
  for (let time = 0; time < request.times; time += 1) {
    const timeoutMs = Math.min(request.timeoutMs, until - performance.now())
    if (timeoutMs <= 0 || request.signal?.aborted) break
    const bounded = { ...request, timeoutMs }
    const selected = await runSelected(options, { ...bounded, wanted: { files, names } })
    runs.push(selected.is === 'ran' ? selected.result : await runTests(options, bounded))
  }
  return runs
}

/** A command that cannot be run in part is run once more, and only if that is quick. */
function confirmTimes({ command, cwd, timeoutMs }: FixedRequest, { evidence }: Green): number {
  if (readCall(command, cwd).is === 'call') return timesDefault
  return evidence.durationMs * 10 < timeoutMs ? 1 : 0
}

type Green = Extract<GateResult, { is: 'passed' | 'passed_with_warnings' }>

/** A test that failed before and passes now has to pass every time; a run that says nothing of it proves nothing. */
export async function confirmFixed(options: GateOptions, request: FixedRequest): Promise<GateResult> {
  const { result, fixed } = request
  const named = fixed.filter(isTest)
  if (result.is !== 'passed' && result.is !== 'passed_with_warnings') return result
  if (named.length === 0 || request.signal?.aborted) return result
  const reruns = await runAgain(options, { ...request, times: confirmTimes(request, result) }, named)
  const failures = named.flatMap((before): TestFailure[] => {
    const seen = reruns.map((run) => seenIn(run, before, named.length)).filter((each) => each !== 'absent')
    const runs = { base: ['failed'] as const, now: ['passed', ...seen] as const }
    if (judgeTest(runs).is !== 'flaky') return []
    const again = reruns.flatMap((run) => (run.is === 'failed' ? run.failures : []))
    const failure = again.find(({ id }) => id === before.id) ?? before
    return [{ ...failure, message: `${describeFlaky(before.id, runs)}\n${failure.message}` }]
  })
  const failed = reruns.find((run) => run.is === 'failed')
  if (failures.length === 0 || failed?.is !== 'failed') return result
  return { is: 'failed', gate: result.gate, evidence: failed.evidence, failures }
}

/** Passing tests are not named in a report; one passed if the run is sound, large enough, and does not name it. */
function seenIn(run: GateResult, failure: TestFailure, among: number): ObservedResult {
  if (run.is === 'not_run' || run.is === 'skipped') return 'absent'
  const { report, timedOut } = run.evidence
  const failures = run.is === 'failed' ? run.failures : []
  if (failures.some(({ id }) => id === failure.id)) return 'failed'
  const broken = timedOut || failures.some((each) => !isTest(each) || each.id === failure.file)
  if (broken || report === null || report.format === 'none') return 'absent'
  return report.passed + report.failed < among ? 'absent' : 'passed'
}

type Failed = Extract<GateResult, { is: 'failed' }>

function withoutExcused(
  result: Failed,
  tests: readonly RerunTest[],
  warnings: readonly string[],
): GateResult {
  const excused = new Set(tests.filter(({ is, blocks }) => is === 'flaky' && !blocks).map(({ id }) => id))
  const failures = result.failures.filter(({ id }) => !excused.has(id))
  const { gate, evidence } = result
  // A long list of failures is cut, and what is cut off was not run again.
  const cut = (evidence.report?.failed ?? 0) > (evidence.report?.failures.length ?? 0)
  if (cut) return result
  if (failures.length > 0) return { ...result, failures }
  return {
    is: 'passed_with_warnings',
    gate,
    evidence,
    warnings: [...(evidence.report?.warnings ?? []), ...warnings],
    flaky: tests.filter(({ is }) => is === 'flaky').map(({ id }) => id),
  }
}
