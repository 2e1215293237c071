// The coverage gate: lines that the tests ran, read from a report that is about this very change.
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { GateResult } from '@treadle/contracts/gate'
import type { DeliveryGateRequest } from '@treadle/flow/ports/gates'
import { boundedText } from '@treadle/process/bounded-file'
import { concludeCheck } from '../check-report.ts'
import { type GateOptions, runGateCommand } from '../tests.ts'
import { type LineCoverage, readLineCoverage } from './lines.ts'

const gate = 'coverage_pass'
const reportBytesMax = 64 * 1024 * 1024
// A file's time may lag behind the clock by one tick of the kernel.
const tickMs = 20

const usualPlaces = [
  'coverage/coverage-summary.json',
  'coverage/coverage-final.json',
  'coverage/lcov.info',
  'lcov.info',
  'coverage/cobertura-coverage.xml',
  'coverage/cobertura.xml',
  'coverage/coverage.xml',
  'coverage.xml',
  'cobertura.xml',
  'target/site/cobertura/coverage.xml',
  'build/reports/cobertura.xml',
  'coverage.lcov',
]

export async function runCoverage(
  options: GateOptions,
  request: DeliveryGateRequest,
  threshold: number,
): Promise<GateResult> {
  const startedAt = performance.now()
  const { command } = request.config.coverage
  const since = command === null ? sinceOf(request) : Date.now()
  const ran = command === null ? null : await measure(options, request, command)
  if (ran?.aborted) return { is: 'not_run', gate, why: 'the run was interrupted' }
  const lines = ran === null ? [] : [`\`${command}\` ended with ${ran.exitCode}; output ${ran.output}`]
  if (ran !== null && (ran.exitCode !== 0 || ran.timedOut)) {
    const how = ran.timedOut ? `did not end within ${request.timeoutMs} ms` : 'failed'
    const message = `The coverage command ${how}: ${command}\n${ran.tail}`
    return concludeCheck(options, {
      gate,
      startedAt,
      lines,
      failures: [{ names: ['coverage command'], message }],
      warnings: [],
    })
  }
  const found = await findReport(request, since)
  if (found.is === 'none') return { is: 'not_run', gate, why: found.why }
  const verdict = judgeCoverage(found.coverage, threshold)
  const { covered, total, format } = found.coverage
  return concludeCheck(options, {
    gate,
    startedAt,
    lines: [
      ...lines,
      `report: ${found.file} (${format})`,
      `lines: ${covered} of ${total} covered, ${verdict.percent} %`,
      `threshold: ${threshold} %`,
    ],
    failures: verdict.enough
      ? []
      : [
          {
            names: ['line coverage'],
            message: `${verdict.percent} % of lines are covered (${covered} of ${total}), ${threshold} % are asked for (${found.file})`,
            expected: `at least ${threshold} %`,
            actual: `${verdict.percent} %`,
          },
        ],
    warnings: [],
  })
}

/** Equal is enough. The percentage shown is rounded down, so that it never looks better than it is. */
export function judgeCoverage(
  { covered, total }: Pick<LineCoverage, 'covered' | 'total'>,
  threshold: number,
): { enough: boolean; percent: string } {
  const percent = Math.floor((covered / total) * 10_000 + 1e-6) / 100
  // Counts, not rounded percentages; the slack is only for what binary fractions lose.
  return { enough: covered * 100 + total * 1e-9 >= threshold * total, percent: String(percent) }
}

function measure(options: GateOptions, request: DeliveryGateRequest, command: string) {
  const { cwd, timeoutMs, signal } = request
  const env = { CI: 'true', ...options.env }
  return runGateCommand(options, { command, cwd, env, timeoutMs, signal })
}

/** A report must be younger than the tests, or, where their start is not known, than every changed file. */
function sinceOf({ testsStartedAt, changed, cwd }: DeliveryGateRequest): number {
  if (testsStartedAt !== undefined) return testsStartedAt.getTime()
  const times = changed.map((path) => statSync(join(cwd, path), { throwIfNoEntry: false })?.mtimeMs ?? 0)
  return times.reduce((latest, time) => Math.max(latest, time), 0)
}

type ReportSearch =
  | { readonly is: 'found'; readonly file: string; readonly coverage: LineCoverage }
  | { readonly is: 'none'; readonly why: string }

async function findReport(request: DeliveryGateRequest, since: number): Promise<ReportSearch> {
  const { report } = request.config.coverage
  const places = (report === null ? usualPlaces : [report]).filter((place) =>
    existsSync(join(request.cwd, place)),
  )
  const refused: string[] = []
  for (const file of places) {
    const read = await readReport(request, file, since)
    if (typeof read !== 'string') return { is: 'found', file, coverage: read }
    refused.push(`${file} ${read}`)
  }
  if (refused.length > 0) return { is: 'none', why: `no usable coverage report: ${refused.join('; ')}` }
  const where = report === null ? 'at any of the usual places' : `at ${report}`
  return {
    is: 'none',
    why: `there is no coverage report ${where}; gates.coverage.command can say how to make one`,
  }
}

/** The coverage, or why the report does not count. */
async function readReport(
  { cwd, changed }: DeliveryGateRequest,
  file: string,
  since: number,
): Promise<LineCoverage | string> {
  const path = join(cwd, file)
  const stat = statSync(path)
  if (!stat.isFile()) return 'is not a file'
  if (changed.includes(file))
    return 'is part of the change, so it proves nothing: it belongs in .gitignore, not in version control'
  // The time of the last status change cannot be set by whoever wrote the file.
  if (Math.min(stat.mtimeMs, stat.ctimeMs) < since - tickMs) return 'is older than the test run'
  if (stat.size > reportBytesMax) return `has more than ${reportBytesMax} bytes`
  const text = boundedText(path, reportBytesMax)
  if (text === null) return 'could not be read'
  const coverage = readLineCoverage(text)
  if (coverage === null) return 'is neither Istanbul, LCOV nor Cobertura'
  return coverage.total > 0 ? coverage : 'measured no line'
}
