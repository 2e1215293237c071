// The witness check: the tests of the head on the code of the base. What the change is for must be red there.
import type { GateResult, TestFailure } from '@treadle/contracts/gate'
import type { MeasureFound } from '@treadle/contracts/measure'
import { measuredWords } from '@treadle/contracts/words/measure'
import type { ReviewChecksRequest, SurveyCommit } from '@treadle/flow/ports/review-checks'
import { type CheckReport, concludeCheck } from '../check-report.ts'
import type { GateOptions } from '../tests.ts'
import { BaseRuns, earlierRuns } from './base-runs.ts'
import { holdBaseTests } from './base-tests.ts'
import { changedTests, isTestFile, sortChange, type TestFileChange } from './changed-tests.ts'
import {
  isNobody,
  judgeWitness,
  planWitness,
  twiceIn,
  type WitnessVerdict,
  waitingTests,
  wasRedBefore,
} from './decide-witness.ts'
import { readHead } from './head.ts'
import { type Measured, takeMeasure } from './measure.ts'
import { checkRevertWitness } from './revert-witness.ts'

const gate = 'witness'

export async function checkWitness(
  options: GateOptions,
  request: ReviewChecksRequest,
  survey: SurveyCommit,
): Promise<GateResult> {
  const startedAt = performance.now()
  if (request.revert != null) return checkRevertWitness(options, { ...request, revert: request.revert })
  const measured = request.config.witness === 'off' ? null : await takeMeasure(options, request, survey)
  if (measured?.found.is === 'improved') return byMeasure(options, request, { ...measured, startedAt })
  const byTests = await checkTests(options, request, startedAt)
  return measured === null ? byTests : withMeasure(byTests, measured.found)
}

async function checkTests(
  options: GateOptions,
  request: ReviewChecksRequest,
  startedAt: number,
): Promise<GateResult> {
  const bySuite = await checkSuite(options, request, startedAt)
  if (isShown(bySuite) || request.config.witness === 'off') return bySuite
  return (await checkOwnCommand(options, request, startedAt)) ?? bySuite
}

/** A measure that improved is a witness; it needs no test. What the change brought besides is a warning. */
function byMeasure(
  options: GateOptions,
  { base }: ReviewChecksRequest,
  { found, lines: runs, startedAt }: Measured & { startedAt: number },
): GateResult {
  const lines = [`held against ${base}`, ...runs, measuredWords(found)]
  return withMeasure(concludeCheck(options, { gate, startedAt, lines, failures: [], warnings: [] }), found)
}

/** A result that tells what the measure said as well. */
function withMeasure(result: GateResult, measure: MeasureFound): GateResult {
  const words = measuredWords(measure)
  if (result.is === 'skipped') return { ...result, why: `${words}; ${result.why}` }
  if (result.is === 'not_run') return { ...result, why: `${result.why}; ${words}` }
  const evidence = { ...result.evidence, measure }
  if (result.is === 'failed') return { ...result, evidence }
  if (measure.is === 'improved' && measure.brought === undefined) return { ...result, evidence }
  const warnings = result.is === 'passed_with_warnings' ? result.warnings : []
  return { ...result, is: 'passed_with_warnings', evidence, warnings: [words, ...warnings] }
}

const isShown = ({ is }: GateResult) => is === 'passed' || is === 'passed_with_warnings'

async function checkSuite(
  options: GateOptions,
  request: ReviewChecksRequest,
  startedAt: number,
): Promise<GateResult> {
  const { config, item, command, changed } = request
  const change = sortChange(changed)
  const head = failedOnHead(request.earlier)
  const wasRed = head !== null && wasRedBefore(request.before, head)
  const plan = planWitness({ setting: config.witness, item, command, change, wasRed })
  if (plan.is === 'skip' || command === null)
    return unasked(options, request, {
      startedAt,
      why: plan.is === 'skip' ? plan.why : 'no test command is known',
    })
  if (head === null) return { is: 'not_run', gate, why: 'the tests are not green on the head' }
  const tests = changedTests(await readChanges(request, change.tests))
  const waiting = waitingTests(request.before, head)
  const seen = { setting: config.witness, codeChanged: change.code.length > 0, tests }
  const facts = { startedAt, lines: [`held against ${request.base}`], red: [] }
  const asked = { ...request, command }
  // What is known needs no checkout: nothing was red there, or it was so twice.
  if (tests.length === 0 && (isNobody(waiting) || twiceIn(waiting).length > 0)) {
    const red = twiceIn(waiting)
    const lines = [...facts.lines, ...earlierRuns(request.before ?? [])]
    return conclude(options, judgeWitness({ ...seen, red, told: true }), { ...facts, lines, red, asked })
  }
  const used = await request.withBase((base) =>
    new BaseRuns(options, { ...request, command }, base).look({ tests, head, put: change.tests, waiting }),
  )
  if (request.signal?.aborted) return { is: 'not_run', gate, why: 'the run was interrupted' }
  if (used.is === 'failed') return { is: 'not_run', gate, why: `the base could not be tested: ${used.why}` }
  const { red, told, lines, broken } = used.value
  if (broken !== null) return { is: 'not_run', gate, why: broken }
  const verdict = judgeWitness({ ...seen, red, told })
  return conclude(options, verdict, { ...facts, lines: [...facts.lines, ...lines], red, asked })
}

/** The item's own command, where it is another than the suite's: red on the base, it is a witness for any kind of file. */
async function checkOwnCommand(
  options: GateOptions,
  request: ReviewChecksRequest,
  startedAt: number,
): Promise<GateResult | null> {
  const { item, command, changed, base, signal } = request
  const own = item.testCommand
  const head = failedOnHead(request.earlier)
  if (own === null || own === command || head === null || signal?.aborted) return null
  const { code, documents, tests: put } = sortChange(changed)
  // A command that is green because its tests are others shows nothing.
  if (code.length + documents.length === 0 && put.some(isTestFile)) return null
  const used = await request.withBase((folder) =>
    new BaseRuns(options, { ...request, command: own }, folder).look({
      tests: [],
      head,
      put,
      waiting: { is: 'unknown' },
    }),
  )
  if (used.is === 'failed' || used.value.red.length === 0 || signal?.aborted) return null
  const { red, lines } = used.value
  const verdict = { is: 'shown', by: red.map(({ id }) => id), warnings: [] } as const
  const asked = { ...request, command: own }
  return conclude(options, verdict, { startedAt, lines: [`held against ${base}`, ...lines], red, asked })
}

/** No witness is to be expected. Tests that were red twice on the base and are green now are one all the same. */
async function unasked(
  options: GateOptions,
  request: ReviewChecksRequest,
  { startedAt, why }: { startedAt: number; why: string },
): Promise<GateResult> {
  const { config, earlier, before, base, command } = request
  const head = config.witness === 'off' ? null : failedOnHead(earlier)
  const red = head === null ? [] : twiceIn(waitingTests(before, head))
  if (red.length === 0) return { is: 'skipped', gate, why }
  const verdict = { is: 'shown', by: red.map(({ id }) => id), warnings: [] } as const
  const lines = [`held against ${base}`, ...earlierRuns(before ?? [])]
  return conclude(options, verdict, { startedAt, lines, red, asked: { ...request, command } })
}

/** What fails on the head as well proves nothing. Null: the tests were not run there, or are not green. */
function failedOnHead(earlier: readonly GateResult[]): ReadonlySet<string> | null {
  const tests = earlier.filter(({ gate: name }) => name === 'tests_pass' || name === 'no_regression')
  if (tests.length === 0 || tests.some(({ is }) => is === 'failed' || is === 'not_run')) return null
  const reports = tests.flatMap((each) => ('evidence' in each ? (each.evidence.report ?? []) : []))
  return new Set(reports.flatMap(({ failures }) => failures.map(({ id }) => id)))
}

async function readChanges(
  { cwd, readBase }: ReviewChecksRequest,
  paths: readonly string[],
): Promise<TestFileChange[]> {
  const changes: TestFileChange[] = []
  for (const path of paths.filter(isTestFile))
    changes.push({ path, before: await readBase(path), after: await readHead(cwd, path) })
  return changes
}

interface Facts {
  readonly startedAt: number
  readonly lines: readonly string[]
  readonly red: readonly TestFailure[]
  /** The command whose tests are spoken of. */
  readonly asked: ReviewChecksRequest
}

async function conclude(
  options: GateOptions,
  verdict: WitnessVerdict,
  { startedAt, lines, red, asked }: Facts,
): Promise<GateResult> {
  const make = (failures: { names: string[]; message: string }[], more: Partial<CheckReport> = {}) =>
    concludeCheck(options, {
      gate,
      startedAt,
      failures,
      warnings: [],
      ...more,
      lines: [...lines, ...(more.lines ?? [])],
    })
  switch (verdict.is) {
    case 'shown': {
      const { by, warnings } = verdict
      const counting = red.filter(({ id }) => by.includes(id))
      const shown = counting.map(
        ({ id, message }) => `red on the base, green on the head: ${id}: ${message.split('\n', 1)[0]}`,
      )
      const { command } = asked
      const held = command === null ? null : await holdBaseTests(options, asked, { command, by })
      if (asked.signal?.aborted) return { is: 'not_run', gate, why: 'the run was interrupted' }
      const found = make([], {
        warnings,
        lines: [...shown, ...(held?.lines ?? [])],
        waits: held?.waits ?? [],
      })
      const { heldWithout = [] } = held ?? {}
      if (heldWithout.length === 0 || !('evidence' in found)) return found
      return { ...found, evidence: { ...found.evidence, heldWithout: [...heldWithout] } }
    }
    case 'refuted': {
      const named = verdict.idle.length === 0 ? '' : `: ${verdict.idle.join('; ')}`
      return make([{ names: ['witness'], message: `${verdict.why}${named}\n${verdict.hint}` }])
    }
    case 'none':
      return verdict.blocks
        ? make([{ names: ['witness'], message: verdict.why }])
        : { is: 'skipped', gate, why: verdict.why }
  }
}
