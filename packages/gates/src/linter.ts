// The linter gate: the project's own linter, as its owner runs it.
import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { GatesConfig } from '@treadle/contracts/config/gates'
import { type GateResult, isBlocking, type TestFailure } from '@treadle/contracts/gate'
import type { DeliveryGateRequest } from '@treadle/flow/ports/gates'
import { detectLinterCommand } from './detect-commands.ts'
import { plainText, readEvidence } from './evidence.ts'
import { scriptCalled } from './package-scripts.ts'
import { fileName } from './reports/frames.ts'
import { makeFailure } from './reports/report.ts'
import { asSeenHere } from './reports/report-order.ts'
import type { CommandResult } from './run-command.ts'
import { testParts } from './test-parts.ts'
import { evidenceOf, type GateOptions, runGateCommand } from './tests.ts'

const gate = 'linter_pass'
const outputBytesMax = 4 * 1024 * 1024
const findingsMax = 5_000
const findingsShownMax = 50
const lineCharsMax = 2_000
const notFound = 127

/** The linters of a project: its own or the one that its owner named, and what its test command runs besides tests. */
export function linterCommands(
  { linterCommand }: GatesConfig,
  { cwd, judgedBy }: Pick<DeliveryGateRequest, 'cwd' | 'judgedBy'>,
): string[] {
  const own = linterCommand === false ? null : (linterCommand ?? detectLinterCommand(cwd))
  const inTests = judgedBy.flatMap((command) => testParts(command, cwd)?.lint ?? [])
  const all = [...(own === null ? [] : [own]), ...inTests]
  // `pnpm lint` and `pnpm run lint` are the same script.
  const key = (command: string) => scriptCalled(command, cwd)?.name ?? command
  return all.filter((command, at) => all.findIndex((each) => key(each) === key(command)) === at)
}

/** One linter after the other; what the first finds in files that were left alone does not keep the next from looking. */
export async function runLinters(
  options: GateOptions,
  request: DeliveryGateRequest,
  commands: readonly string[],
): Promise<GateResult | null> {
  let worst: GateResult | null = null
  for (const command of commands) {
    const found = await runLinter(options, request, command)
    if (isBlocking(found)) return found
    if (worst === null || found.is === 'passed_with_warnings') worst = found
  }
  return worst
}

export async function runLinter(
  options: GateOptions,
  request: DeliveryGateRequest,
  command: string,
): Promise<GateResult> {
  const { cwd, timeoutMs, signal } = request
  const env = { CI: 'true', NO_COLOR: '1', ...options.env }
  const ran = await runGateCommand(options, { command, cwd, env, timeoutMs, signal })
  if (ran.aborted) return { is: 'not_run', gate, why: 'the run was interrupted' }
  if (ran.exitCode === notFound)
    return { is: 'not_run', gate, why: `\`${command}\` was not found: ${lastLine(ran.tail)}` }
  const evidence = evidenceOf(command, ran, null)
  if (ran.exitCode === 0 && !ran.timedOut) return { is: 'passed', gate, evidence }
  const findings = ran.timedOut ? [] : await findingsOf(options, ran, cwd)
  if (request.config.linterCommand === null && areAllElsewhere(findings, request.changed)) {
    const warnings = [`${findings.length} finding(s), all in files that this change did not touch`]
    return { is: 'passed_with_warnings', gate, evidence, warnings }
  }
  const [first, ...rest] = findings.slice(0, findingsShownMax)
  const failures: [TestFailure, ...TestFailure[]] =
    first === undefined ? [ownFailure(command, ran, timeoutMs)] : [first, ...rest]
  return { is: 'failed', gate, evidence, failures }
}

/** A linter that nobody asked for must not hold a change to what was wrong before it. */
function areAllElsewhere(findings: readonly TestFailure[], changed: readonly string[]): boolean {
  const untouched = ({ file }: TestFailure) => file !== null && !changed.includes(file)
  return findings.length > 0 && findings.length < findingsMax && findings.every(untouched)
}

function ownFailure(command: string, ran: CommandResult, timeoutMs: number): TestFailure {
  const ended = ran.exitCode === null ? `was ended by ${ran.signal}` : `failed with exit code ${ran.exitCode}`
  const how = ran.timedOut ? `did not end within ${timeoutMs} ms and was stopped` : ended
  return makeFailure({ names: ['linter'], message: `The linter ${how}: ${command}\n${ran.tail}` })
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.slice(0, 300) ?? ''
}

async function findingsOf(options: GateOptions, ran: CommandResult, cwd: string): Promise<TestFailure[]> {
  const stored = await readEvidence(options.evidenceDir, ran.output, outputBytesMax)
  if (stored === null) return []
  return readFindings(plainText(asSeenHere(stored.text, ran.shownAt, cwd)), cwd).map(
    ({ file, line, message }) => makeFailure({ names: [`line ${line}`], file, line, message }),
  )
}

export interface LintFinding {
  readonly file: string
  readonly line: number
  readonly message: string
}

// `file:12:3: message`, `file:12: message`, `file(12,3): message`
const inOneLine =
  /^\s*(?<file>[^\s:()][^:()]{0,500}?)(?::(?<a>\d+)|\((?<b>\d+))(?:[:,]\d+\)?)?\)?(?::| -)\s+(?<message>\S.*)$/
// `file:12:3 lint/rule ━━━`, with the message below
const biomeHead = /^(?<file>\S+?):(?<line>\d+):\d+\s+(?<rule>[a-z]+(?:\/\w+)+|format|parse|organizeImports)\b/
// `[warn] src/a.ts`: prettier names the file and no line
const prettierLine = /^\[(?:warn|error)\] (?<file>\S.*\.\w+)(?:: (?<message>.+))?$/
// The file on a line of its own, then `  12:3  error  message  rule`
const underFile = /^\s+(?<line>\d+):\d+\s+(?<message>(?:error|warning|✖|×|⚠)\s+.+)$/

/** Only what names a file that is there; a finding is never made up. */
export function readFindings(output: string, cwd: string): LintFinding[] {
  const found: LintFinding[] = []
  const lines = output.split('\n').map((line) => line.slice(0, lineCharsMax).trimEnd())
  let heading: string | null = null
  for (const [index, line] of lines.entries()) {
    if (found.length >= findingsMax) break
    const finding = readLine(lines, index, heading)
    if (finding === null) {
      if (/^\S.*$/.test(line) && isFile(line, cwd)) heading = fileName(line, cwd)
    } else if (isFile(finding.file, cwd)) found.push({ ...finding, file: fileName(finding.file, cwd) })
  }
  return found
}

function readLine(lines: readonly string[], index: number, heading: string | null): LintFinding | null {
  const line = lines[index] ?? ''
  const head = biomeHead.exec(line)?.groups
  if (head?.file && head.line) {
    const below = lines.slice(index + 1, index + 4).find((each) => each.trim() !== '')
    const message = [head.rule, below?.trim().replace(/^[×✖!⚠]\s*/, '')].filter(Boolean).join(': ')
    return { file: head.file, line: Number(head.line), message }
  }
  const under = underFile.exec(line)?.groups
  if (heading !== null && under?.message)
    return { file: heading, line: Number(under.line), message: under.message.replace(/\s{2,}/g, ' ') }
  const pretty = prettierLine.exec(line)?.groups
  if (pretty?.file)
    return { file: pretty.file, line: 1, message: pretty.message ?? 'not formatted as the project formats' }
  const one = inOneLine.exec(line)?.groups
  return one?.file && one.message
    ? { file: one.file, line: Number(one.a ?? one.b), message: one.message }
    : null
}

function isFile(name: string, cwd: string): boolean {
  if (name.length > 500 || /[\0\n]/.test(name)) return false
  return existsSync(isAbsolute(name) ? name : join(cwd, name))
}
