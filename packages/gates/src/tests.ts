// The tests gate: a verdict that the evidence bears out, whatever the runner says.
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Evidence, GateResult, TestFailure, TestReport } from '@treadle/contracts/gate'
import type { TestGateRequest } from '@treadle/flow/ports/gates'
import { askForReport } from './ask-for-report.ts'
import { readEvidence } from './evidence.ts'
import { makeRedactor } from './redact.ts'
import { type ReadApart, type ReadLimits, readApart } from './reports/read-apart.ts'
import { emptyReport, makeFailure } from './reports/report.ts'
import { type CommandResult, type CommandRun, runCommand, type Surroundings } from './run-command.ts'
import {
  listReports,
  type ReportFiles,
  readWritten,
  withoutOutput,
  writesReports,
} from './written-reports.ts'

export interface GateOptions {
  readonly evidenceDir: string
  readonly env: Readonly<Record<string, string>>
  readonly tailBytes: number
  /** Values that must not appear in the evidence. */
  readonly secrets?: readonly string[]
  /** Whether tests may be run once more to see what they run. */
  readonly trace?: boolean
  /** How long and where reports are read, if not as usual. */
  readonly reading?: ReadLimits
  /** What commands of the project are started in. */
  readonly surroundings: Surroundings
  /** Whether tests, linters and the like may use the network. */
  readonly network?: boolean
}

type Bounds = Pick<CommandRun, 'command' | 'cwd' | 'timeoutMs' | 'signal'> &
  Partial<Pick<CommandRun, 'env' | 'network' | 'writable'>>

/** Runs a command of the project with what all gates share. */
export function runGateCommand(options: GateOptions, bounds: Bounds): Promise<CommandResult> {
  const { evidenceDir, env, tailBytes, secrets = [], surroundings, network = false } = options
  return runCommand({ env, evidenceDir, tailBytes, secrets, surroundings, network, ...bounds })
}

const gate = 'tests_pass'
const reportBytesMax = 64 * 1024 * 1024

/** `writable`: folders besides the tree that the command writes to. */
export async function runTests(
  options: GateOptions,
  request: TestGateRequest & { readonly writable?: readonly string[] },
): Promise<GateResult> {
  const { command } = request
  if (command === null || command.trim() === '') {
    return { is: 'not_run', gate, why: 'no test command is configured and none could be detected' }
  }
  // Under a name and in a place that say nothing about who looks.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'report-')))
  try {
    const file = join(folder, 'report')
    const asked = askForReport(command, request.cwd, file)
    const before = writesReports(command, request.cwd) ? listReports(request.cwd) : null
    const run = (words: string) =>
      runGateCommand(options, {
        command: words,
        cwd: request.cwd,
        // Without it some runners wait for keys or write missing snapshots.
        env: { CI: 'true', ...options.env },
        timeoutMs: request.timeoutMs,
        signal: request.signal,
        writable: [folder, ...(request.writable ?? [])],
      })
    let ran = await run(asked ?? command)
    const at = { file, before, cwd: request.cwd }
    // A runner too old for our arguments has run no test; then it is left alone.
    const refused = asked !== null && !existsSync(file) && refusedArguments(ran)
    if (refused && reportTexts(at).length === 0) ran = await run(command)
    if (ran.aborted) return { is: 'not_run', gate, why: 'the run was interrupted' }
    const found = await findReport(options, at, ran)
    // A run that is red by its exit code stays red, whatever it printed.
    if (found.is === 'not_read' && ran.exitCode === 0) return { is: 'not_run', gate, why: found.why }
    const report = (found.is === 'read' ? found.report : emptyReport(found.why)) ?? emptyReport(noReport)
    return judge({ command, result: ran }, report, request.timeoutMs)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
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

/** A text of a confined command, with the paths that its folder has here. */
export function asSeenHere(text: string, shownAt: string, cwd: string): string {
  return shownAt === cwd ? text : text.replaceAll(`${shownAt}/`, `${cwd}/`)
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

/** What the runner has written, as latin1, the best first. */
function reportTexts({ file, before, cwd }: ReportPlace): string[] {
  if (existsSync(file) && statSync(file).size <= reportBytesMax) return [readFileSync(file, 'latin1')]
  const written = before === null ? null : readWritten(cwd, before, reportBytesMax)
  return written === null ? [] : [written, withoutOutput(written)]
}

const noReport = 'the output is too long to look for a test report in it'

async function findReport(
  options: GateOptions,
  at: ReportPlace,
  { output, shownAt }: CommandResult,
): Promise<ReadApart> {
  const { reading } = options
  // Runners print the real path of the folder they run in; a test may even have deleted it.
  const cwd = existsSync(at.cwd) ? realpathSync(at.cwd) : at.cwd
  for (const each of reportTexts(at)) {
    // The output was redacted on its way in, the runner's own file was not.
    const text = makeRedactor(options.secrets ?? []).redact(each)
    const said = asSeenHere(Buffer.from(text, 'latin1').toString('utf8'), shownAt, cwd)
    const found = await readApart({ text: said, cwd }, reading)
    if (found.is === 'not_read' || found.report?.format !== 'none') return found
  }
  const stored = await readEvidence(options.evidenceDir, output, reportBytesMax)
  if (stored === null) return { is: 'read', report: null }
  return readApart({ text: asSeenHere(stored.text, shownAt, cwd), cwd, end: !stored.complete }, reading)
}

function judge({ command, result }: Ran, report: TestReport, timeoutMs: number): GateResult {
  const evidence: Evidence = {
    command,
    exitCode: result.exitCode,
    signal: result.signal,
    timedOut: result.timedOut,
    durationMs: result.durationMs,
    output: result.output,
    outputBytes: result.outputBytes,
    tail: result.tail,
    report,
  }
  const green = report.failures.length === 0 && report.failed === 0 ? report.passed : 0
  const wrong = commandFailure({ command, result }, timeoutMs, green)
  // A run that was cut short or that fails without a failing test has a failure of its own.
  const own = wrong !== null && (result.timedOut || report.failures.length === 0) ? [wrong] : []
  const failures = [...own, ...report.failures]
  if (failures.length > 0) return { is: 'failed', gate, evidence, failures }
  if (report.format !== 'none' && report.total === 0) {
    return { is: 'not_run', gate, why: 'the command ran no tests', noTests: true }
  }
  const warnings = [...report.warnings]
  if (report.total > 0 && report.passed === 0) warnings.push(`all ${report.total} tests were skipped`)
  if (warnings.length > 0) return { is: 'passed_with_warnings', gate, evidence, warnings }
  return { is: 'passed', gate, evidence }
}

/** What is wrong with how the command ended, if anything; `green`: so many tests passed, and none failed. */
function commandFailure({ command, result }: Ran, timeoutMs: number, green: number): TestFailure | null {
  const { exitCode, signal, tail, durationMs } = result
  const how = ((): string | null => {
    if (result.timedOut) return `did not end within ${timeoutMs} ms and was stopped`
    if (exitCode === null) return `was ended by ${signal}`
    return exitCode === 0 ? null : `failed with exit code ${exitCode}`
  })()
  if (how === null) return null
  const itself = green > 0 ? `itself ${how}, with ${green} test(s) green and none red` : how
  const message = `The test command ${itself}: ${command}\n${tail}`
  return makeFailure({ names: ['test command'], message, durationMs })
}
