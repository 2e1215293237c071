// A check that runs in our own process leaves evidence like any command: what it looked at and what it found.
import type { Evidence, GateName, GateResult, TestFailure, Wait } from '@treadle/contracts/gate'
import { waitWords } from '@treadle/contracts/words/gates'
import { openSink } from './evidence.ts'
import { makeRedactor } from './redact.ts'
import { type FailureParts, makeFailure } from './reports/report.ts'
import type { GateOptions } from './tests.ts'

export interface CheckReport {
  readonly gate: GateName
  /** By `performance.now()`. */
  readonly startedAt: number
  /** The report, for people. */
  readonly lines: readonly string[]
  /** Kept in place of the report, where the evidence is a document for programs. */
  readonly document?: string
  readonly failures: readonly FailureParts[]
  readonly warnings: readonly string[]
  /** What the change waits for a reader with; told as warnings, before the others. */
  readonly waits?: readonly Wait[]
}

const listedMax = 200

export function concludeCheck(options: GateOptions, checked: CheckReport): GateResult {
  const { gate } = checked
  const redactor = makeRedactor(options.secrets ?? [])
  const clean = (text: string): string =>
    Buffer.from(redactor.redact(Buffer.from(text).toString('latin1')), 'latin1').toString('utf8')
  const failures = checked.failures.slice(0, listedMax).map((parts) => cleaned(makeFailure(parts), clean))
  const waits = (checked.waits ?? []).slice(0, listedMax).map((each) => ({
    ...each,
    words: clean(each.words),
    ...(each.another === undefined
      ? {}
      : { another: { shows: clean(each.another.shows), patch: clean(each.another.patch) } }),
  }))
  const warnings = [...waits.map(waitWords), ...checked.warnings.map(clean)].slice(0, listedMax)
  const evidence = keepReport(options, { ...checked, warnings })
  const [first, ...rest] = failures
  if (first !== undefined) return { is: 'failed', gate, evidence, failures: [first, ...rest] }
  if (waits.length > 0) return { is: 'passed_with_warnings', gate, evidence, warnings, waits }
  if (warnings.length > 0) return { is: 'passed_with_warnings', gate, evidence, warnings }
  return { is: 'passed', gate, evidence }
}

function cleaned(failure: TestFailure, clean: (text: string) => string): TestFailure {
  return { ...failure, id: clean(failure.id), message: clean(failure.message) }
}

function keepReport(options: GateOptions, checked: CheckReport): Evidence {
  const { gate, lines, failures, warnings, startedAt, document } = checked
  const sink = openSink({
    dir: options.evidenceDir,
    tailBytes: options.tailBytes,
    secrets: options.secrets ?? [],
  })
  const text = [
    ...lines,
    ...warnings.map((warning) => `warning: ${warning}`),
    ...failures.map(({ file, line, message }) => `blocks: ${placeOf(file, line)}${message}`),
    failures.length === 0 ? 'nothing found that blocks' : `${failures.length} finding(s) block`,
  ]
  sink.write('stdout', Buffer.from(`${document ?? text.join('\n')}\n`))
  const { sha256: output, bytes: outputBytes, ...more } = sink.finish()
  return {
    command: `treadle: ${gate}`,
    exitCode: failures.length === 0 ? 0 : 1,
    signal: null,
    timedOut: false,
    durationMs: performance.now() - startedAt,
    output,
    outputBytes,
    ...more,
    report: null,
  }
}

export function placeOf(file: string | null | undefined, line: number | null | undefined): string {
  if (!file) return ''
  return line ? `${file}:${line}: ` : `${file}: `
}
