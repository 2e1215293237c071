// Did the change do its job without breaking what worked? Compared with what the base already failed.
import {
  type GateName,
  type GateResult,
  gatesGreen,
  isBlocking,
  type TestFailure,
} from '@treadle/contracts/gate'
import { GATE_WORDS } from '@treadle/contracts/words/gates'

/** The whole suite may fail only where it failed before the change. */
export function judgeRegression(now: GateResult, before: GateResult | null): GateResult {
  const gate = 'no_regression'
  if (now.is === 'not_run' || now.is === 'skipped') return { ...now, gate }
  if (now.is !== 'failed') return { ...now, gate }
  const known = new Set(before?.is === 'failed' ? before.failures.map((failure) => failure.id) : [])
  const fresh = now.failures.filter((failure) => !known.has(failure.id))
  const [first, ...rest] = fresh
  // Without a readable report nothing can be compared, and what cannot be compared is not excused.
  if (first !== undefined || now.evidence.report === null || now.evidence.report.format === 'none') {
    return { ...now, gate, failures: first === undefined ? now.failures : [first, ...rest] }
  }
  return {
    is: 'passed_with_warnings',
    gate,
    evidence: now.evidence,
    warnings: [`${now.failures.length} test(s) fail as they did before this change`],
  }
}

/** Green counts only if as much was tested as before: a process that ends early runs fewer tests, and none fails. */
export function judgeShrunk(now: GateResult, before: GateResult | null): GateResult {
  const ranBefore = before !== null && 'evidence' in before
  if (now.is === 'skipped' && ranBefore)
    return { is: 'not_run', gate: now.gate, why: `${now.why}, although tests ran before the change` }
  if (!('evidence' in now) || !ranBefore) return now
  const [then, report] = [before.evidence.report, now.evidence.report]
  if (then === null || report === null || then.format !== report.format) return now
  const silent = report.warnings.filter((each) => each.includes(NO_TESTS) && !then.warnings.includes(each))
  const fewer =
    report.total < then.total
      ? [`only ${report.total} tests ran where ${then.total} ran before the change`]
      : []
  const [message, ...more] = [...fewer, ...silent]
  if (message === undefined) return now
  const told = [message, ...more].join('; ')
  const failure = { id: 'test run', file: null, line: null, message: told, stack: null }
  const failures = now.is === 'failed' ? now.failures : []
  return { is: 'failed', gate: now.gate, evidence: now.evidence, failures: [failure, ...failures] }
}

/** Reports name what failed. A test that is not among them passed, if its file is as it was and the suite could run. */
export function seenBefore(
  failure: TestFailure,
  baseline: GateResult | null,
  changed: readonly string[],
): 'passed' | 'failed' | null {
  if (baseline?.is === 'failed' && baseline.failures.some(({ id }) => id === failure.id)) return 'failed'
  if (baseline === null || !('evidence' in baseline) || failure.file === null) return null
  const { report, timedOut } = baseline.evidence
  const told = report !== null && report.format !== 'none' && !timedOut
  return told && !changed.includes(failure.file) ? 'passed' : null
}

/** Tests that failed before the change and are not among the failures now. */
export function fixedSince(now: GateResult, baseline: GateResult | null): TestFailure[] {
  if (baseline?.is !== 'failed' || now.is === 'not_run' || now.is === 'skipped') return []
  const failing = new Set(now.is === 'failed' ? now.failures.map(({ id }) => id) : [])
  return baseline.failures.filter(({ id }) => !failing.has(id))
}

/** As a report says it of a test file whose exit code is all that is known. */
const NO_TESTS = 'reported no tests'

/** The gates that refuse a change whose own tests are green; none: there is nothing else in its way, or they are not. */
export function refusedBeside(gates: readonly GateResult[]): GateName[] {
  const own = gates.find(({ gate }) => gate === 'tests_pass')
  if (own?.is !== 'passed' && own?.is !== 'passed_with_warnings') return []
  return gates.filter(isBlocking).map(({ gate }) => gate)
}

export type VerifyChoice = { readonly is: 'deliver' } | { readonly is: 'fail'; readonly why: string }

export function decideVerify(facts: {
  gates: readonly GateResult[]
  changedFiles: number
  /** What the last tool said, where none of them has worked. */
  toolFault?: string | undefined
}): VerifyChoice {
  if (facts.changedFiles === 0) return { is: 'fail', why: nothingChanged(facts.toolFault) }
  if (gatesGreen(facts.gates)) return { is: 'deliver' }
  const why = facts.gates.flatMap(complaint)
  return { is: 'fail', why: (why.length > 0 ? why : nothingRan(facts.gates)).join('; ').slice(0, 4_000) }
}

function nothingChanged(toolFault: string | undefined): string {
  const why = 'the engine changed nothing'
  return toolFault === undefined ? why : `${why}: none of its tools has worked here; the last: ${toolFault}`
}

function complaint(gate: GateResult): string[] {
  switch (gate.is) {
    case 'failed':
      return [
        `${GATE_WORDS[gate.gate]}: ${gate.failures.length} failed, first: ${gate.failures[0]?.id ?? 'unknown'}: ${firstLine(gate.failures[0]?.message)}`,
      ]
    case 'not_run':
      return [`${GATE_WORDS[gate.gate]} did not run: ${gate.why}`]
    default:
      return []
  }
}

function nothingRan(gates: readonly GateResult[]): string[] {
  const skipped = gates.flatMap((gate) =>
    gate.is === 'skipped' ? [`${GATE_WORDS[gate.gate]} skipped: ${gate.why}`] : [],
  )
  return skipped.length > 0 ? skipped : ['no gate has run']
}

function firstLine(text: string | undefined): string {
  return (text ?? '').split('\n', 1)[0] ?? ''
}
