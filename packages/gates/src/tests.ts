// The tests gate: a verdict that the evidence bears out, whatever the runner says.
import { existsSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Evidence, GateResult, TestFailure, TestReport } from '@treadle/contracts/gate'
import type { TestGateRequest } from '@treadle/flow/ports/gates'
import { readBounded } from '@treadle/process/bounded-file'
import { removeForeign } from '@treadle/sandbox/foreign-files'
import { askForReport } from './ask-for-report.ts'
import { endBytesOf, readEvidenceBytes } from './evidence.ts'
import { keepLoads } from './loads/kept-loads.ts'
import { keepNames } from './loads/kept-names.ts'
import { startRecording } from './loads/record-loads.ts'
import { type ReadApart, type ReadLimits, readApart } from './reports/read-apart.ts'
import { emptyReport, makeFailure, type NamedReport } from './reports/report.ts'
import type { ReportOrder } from './reports/report-order.ts'
import { type CommandResult, type CommandRun, runCommand, type Surroundings } from './run-command.ts'
import { type TestParts, testParts } from './test-parts.ts'
import { listReports, type ReportFiles, readWritten, writesReports } from './written-reports.ts'

export interface GateOptions {
  readonly evidenceDir: string
  readonly env: Readonly<Record<string, string>>
  readonly tailBytes: number
  /** How much of what a command prints is kept, if not as usual. */
  readonly outputBytesMax?: number
  /** Values that must not appear in the evidence. */
  readonly secrets?: readonly string[]
  /** Whether tests may be run once more to see what they run. */
  readonly trace?: boolean
  /** How long and where reports are read, if not as usual. */
  readonly reading?: ReadLimits
  /** What commands of the project are started in. */
  readonly surroundings: Surroundings
  /** What has to be built before a command of tests; null: nothing, or the command does it itself. Left out: nothing. */
  readonly buildFor?: (command: string, cwd: string) => string | null
  /** Whether tests, linters and the like may use the network. */
  readonly network?: boolean
}

type Bounds = Pick<CommandRun, 'command' | 'cwd' | 'timeoutMs' | 'signal'> &
  Partial<Pick<CommandRun, 'env' | 'network' | 'isSetup' | 'lends' | 'writable' | 'onOutput'>>

/** Runs a command of the project with what all gates share. */
export function runGateCommand(options: GateOptions, bounds: Bounds): Promise<CommandResult> {
  const { evidenceDir, env, tailBytes, outputBytesMax, secrets = [], surroundings, network = false } = options
  const limit = outputBytesMax === undefined ? {} : { outputBytesMax }
  return runCommand({ env, evidenceDir, tailBytes, ...limit, secrets, surroundings, network, ...bounds })
}

const gate = 'tests_pass'
const reportBytesMax = 64 * 1024 * 1024

interface TestRun extends TestGateRequest {
  /** Folders besides the tree that the command writes to. */
  readonly writable?: readonly string[]
  /** False: it is not told that nobody sits there. */
  readonly isCi?: boolean
}

export async function runTests(options: GateOptions, request: TestRun): Promise<GateResult> {
  if (request.recordsLoads !== true || !existsSync(request.cwd)) return runAndJudge(options, request)
  const recording = startRecording(options.env, await whereShown(options, realpathSync(request.cwd)))
  try {
    const writable = [recording.folder, ...(request.writable ?? [])]
    const result = await runAndJudge({ ...options, env: recording.env }, { ...request, writable })
    const loads = 'evidence' in result ? keepLoads(options, recording.read()) : null
    if (loads === null || !('evidence' in result)) return result
    return { ...result, evidence: { ...result.evidence, loads } }
  } finally {
    recording.remove()
  }
}

async function runAndJudge(options: GateOptions, request: TestRun): Promise<GateResult> {
  const { command } = request
  if (command === null || command.trim() === '') {
    return {
      is: 'skipped',
      gate,
      why: 'no tests: no test command is configured and none could be detected',
    }
  }
  const parts = testParts(command, request.cwd)
  const build = parts === null || request.isBuilt === true ? null : await runSteps(options, request, parts)
  if (build !== null && build.is !== 'passed') return build
  return judgeTests(options, request, parts?.tests ?? command)
}

async function judgeTests(options: GateOptions, request: TestRun, command: string): Promise<GateResult> {
  // Under a name and in a place that say nothing about who looks.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'report-')))
  try {
    const file = join(folder, 'report')
    const asked = askForReport(command, request.cwd, file)
    // Of the command as it was asked for: what was taken apart has been built.
    const build = options.buildFor?.(request.command ?? command, request.cwd) ?? null
    const built = (words: string) => (build === null ? words : `${build} && ${words}`)
    const before = writesReports(command, request.cwd) ? listReports(request.cwd) : null
    const run = (words: string) =>
      runGateCommand(options, {
        command: built(words),
        cwd: request.cwd,
        // Without it some runners wait for keys or write missing snapshots.
        env: request.isCi === false ? options.env : { CI: 'true', ...options.env },
        timeoutMs: request.timeoutMs,
        signal: request.signal,
        onOutput: request.onOutput,
        writable: [folder, ...(request.writable ?? [])],
      })
    let ran = await run(asked ?? command)
    const at = { file, before, cwd: request.cwd }
    // A runner too old for our arguments has run no test; then it is left alone.
    const refused = asked !== null && !existsSync(file) && refusedArguments(ran)
    if (refused && writtenReports(at).length === 0) ran = await run(command)
    if (ran.aborted) return { is: 'not_run', gate, why: 'the run was interrupted' }
    const found = await findReport(options, at, ran)
    // A run that is red by its exit code stays red, whatever it printed.
    if (found.is === 'not_read' && ran.exitCode === 0) return { is: 'not_run', gate, why: found.why }
    const read: NamedReport =
      (found.is === 'read' ? found.report : emptyReport(found.why)) ?? emptyReport(noReport)
    const { ran: names, ...report } = read
    return withNames(
      options,
      judge({ command: built(command), result: ran }, report, request.timeoutMs),
      names,
    )
  } finally {
    removeForeign(folder)
  }
}

/** What the test command builds before it tests; null: nothing. */
export async function runBuild(options: GateOptions, request: TestRun): Promise<GateResult | null> {
  const parts = request.command === null ? null : testParts(request.command, request.cwd)
  return parts === null ? null : runSteps(options, request, parts)
}

/** One step after the other; the first that fails is the result. */
async function runSteps(
  options: GateOptions,
  { cwd, timeoutMs, signal, writable = [] }: TestRun,
  { build }: TestParts,
): Promise<GateResult | null> {
  let passed: GateResult | null = null
  for (const command of build) {
    const env = { CI: 'true', ...options.env }
    const result = await runGateCommand(options, { command, cwd, env, timeoutMs, signal, writable })
    if (result.aborted) return { is: 'not_run', gate: 'build_pass', why: 'the run was interrupted' }
    const evidence = evidenceOf(command, result, null)
    const how = howItEnded(result, timeoutMs)
    if (how !== null) {
      const message = `The build ${how}: ${command}\n${result.tail}`
      return {
        is: 'failed',
        gate: 'build_pass',
        evidence,
        failures: [makeFailure({ names: ['build'], message })],
      }
    }
    passed = { is: 'passed', gate: 'build_pass', evidence }
  }
  return passed
}

/** The names are kept beside what people are shown, for whoever compares two runs. */
function withNames(
  options: GateOptions,
  judged: GateResult,
  names: readonly string[] | undefined,
): GateResult {
  const tests = names === undefined || !('evidence' in judged) ? null : keepNames(options, names)
  if (tests === null || !('evidence' in judged)) return judged
  return { ...judged, evidence: { ...judged.evidence, tests } }
}

interface Ran {
  /** As configured; the arguments for a report are left out, so that anyone can run it again. */
  readonly command: string
  readonly result: CommandResult
}

/** The path by which commands in a folder know it. */
export async function whereShown({ surroundings }: GateOptions, cwd: string): Promise<string> {
  return surroundings.shownAt(cwd)
}

function refusedArguments({ exitCode, tail }: CommandResult): boolean {
  const words =
    /bad option|(?:unknown|unrecognized|invalid) (?:command-line )?(?:option|argument)|Task 'cleanTest' not found/i
  return exitCode !== 0 && words.test(tail)
}

interface ReportPlace {
  /** Where the runner was asked to write. */
  readonly file: string
  /** What lay there before, of a runner that writes files by itself. */
  readonly before: ReportFiles | null
  readonly cwd: string
}

/** What the runner has written, the best first. */
function writtenReports({ file, before, cwd }: ReportPlace): Pick<ReportOrder, 'data' | 'suites'>[] {
  const found = readBounded(file, reportBytesMax)
  if (found.is === 'read') return [{ data: [found.data] }]
  const data = before === null ? null : readWritten(cwd, before, reportBytesMax)
  if (data === null) return []
  return [
    { data, suites: 'with_output' },
    { data, suites: 'without_output' },
  ]
}

const noReport = 'the output is too long to look for a test report in it'

async function findReport(
  options: GateOptions,
  at: ReportPlace,
  { output, shownAt, printedBytes }: CommandResult,
): Promise<ReadApart> {
  const { reading, secrets = [] } = options
  // Runners print the real path of the folder they run in; a test may even have deleted it.
  const cwd = existsSync(at.cwd) ? realpathSync(at.cwd) : at.cwd
  for (const each of writtenReports(at)) {
    // The output was redacted on its way in, the runner's own file was not.
    const found = await readApart({ ...each, cwd, shownAt, secrets }, reading)
    if (found.is === 'not_read' || found.report?.format !== 'none') return found
  }
  // Of an output that was cut, only what stands behind the cut is in one piece.
  const bytesMax = printedBytes === undefined ? reportBytesMax : endBytesOf(options.outputBytesMax)
  const stored = await readEvidenceBytes(options.evidenceDir, output, bytesMax)
  if (stored === null) return { is: 'read', report: null }
  return readApart({ data: [stored.data], cwd, shownAt, end: !stored.complete }, reading)
}

/** What a command that was run shows. */
export function evidenceOf(command: string, result: CommandResult, report: TestReport | null): Evidence {
  const { exitCode, signal, timedOut, durationMs, output, outputBytes, printedBytes, tail } = result
  const cut = printedBytes === undefined ? {} : { printedBytes }
  return { command, exitCode, signal, timedOut, durationMs, output, outputBytes, ...cut, tail, report }
}

function judge({ command, result }: Ran, report: TestReport, timeoutMs: number): GateResult {
  const evidence = evidenceOf(command, result, report)
  const green = report.failures.length === 0 && report.failed === 0 ? report.passed : 0
  const wrong = commandFailure({ command, result }, timeoutMs, green)
  // A run that was cut short or that fails without a failing test has a failure of its own.
  const own = wrong !== null && (result.timedOut || report.failures.length === 0) ? [wrong] : []
  const failures = [...own, ...report.failures]
  if (failures.length > 0) return { is: 'failed', gate, evidence, failures }
  if (report.format !== 'none' && report.passed === 0) {
    const skipped = report.total === 0 ? '' : `: all ${report.total} were skipped`
    return { is: 'not_run', gate, why: `the command ran no tests${skipped}`, noTests: true }
  }
  const { warnings } = report
  if (warnings.length > 0) return { is: 'passed_with_warnings', gate, evidence, warnings }
  return { is: 'passed', gate, evidence }
}

/** What is wrong with how the command ended, if anything; `green`: so many tests passed, and none failed. */
function commandFailure({ command, result }: Ran, timeoutMs: number, green: number): TestFailure | null {
  const { tail, durationMs } = result
  const how = howItEnded(result, timeoutMs)
  if (how === null) return null
  const itself = green > 0 ? `itself ${how}, with ${green} test(s) green and none red` : how
  const message = `The test command ${itself}: ${command}\n${tail}`
  return makeFailure({ names: ['test command'], message, durationMs })
}

/** Null: as it should. */
function howItEnded({ timedOut, exitCode, signal }: CommandResult, timeoutMs: number): string | null {
  if (timedOut) return `did not end within ${timeoutMs} ms and was stopped`
  if (exitCode === null) return `was ended by ${signal}`
  return exitCode === 0 ? null : `failed with exit code ${exitCode}`
}
