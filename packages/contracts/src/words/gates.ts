// What the checks found, in a few words.
import {
  type Evidence,
  type GateName,
  type GateResult,
  gatesGreen,
  isBlocking,
  type Wait,
  type WaitClass,
} from '../gate.ts'
import { bytesWords } from './bytes.ts'
import { duration } from './time.ts'

export const GATE_WORDS: Readonly<Record<GateName, string>> = {
  tests_pass: 'tests',
  no_regression: 'no regression',
  build_pass: 'build',
  linter_pass: 'lint',
  coverage_pass: 'coverage',
  secrets: 'secrets',
  test_integrity: 'test integrity',
  capabilities: 'new capabilities',
  tasks_kept: 'files of other tasks',
  new_packages: 'new packages',
  security: 'security',
  documentation: 'documentation',
  witness: 'witness',
  loads: 'what tests load',
  assertions: 'assertions',
  other_inputs: 'other inputs',
  other_conditions: 'other conditions',
  mutation: 'test strength',
}

export function gatesWords(gates: readonly GateResult[]): string {
  return gates.map(gateWords).join(', ')
}

/** What is not kept of an output, in words; null if all of it is. */
export function cutWords({ outputBytes, printedBytes }: Evidence): string | null {
  if (printedBytes === undefined) return null
  return `${bytesWords(outputBytes)} of ${bytesWords(printedBytes)} of its output are kept: the beginning and the end`
}

const namedMax = 3

/** One line per gate and a verdict on top: what a person needs to see why a commit was made or not. */
export function gateSummary(gates: readonly GateResult[]): string {
  const red = gates.filter(isBlocking)
  const verdict = ((): string => {
    if (red.length > 0) return `Blocked by ${red.map(({ gate }) => GATE_WORDS[gate]).join(', ')}.`
    if (!gatesGreen(gates)) return 'No gate has run.'
    const untested = gates.some(({ is, gate }) => is === 'skipped' && gate === 'tests_pass')
    return untested ? 'Every configured gate holds, but no test has run.' : 'Every configured gate holds.'
  })()
  return [verdict, ...gates.flatMap(gateLines)].join('\n')
}

function gateLines(result: GateResult): string[] {
  if (!('evidence' in result)) return [`- ${gateWords(result)}: ${result.why}`]
  const cut = cutWords(result.evidence)
  const head = `- ${gateWords(result)}, ${duration(result.evidence.durationMs)}${cut === null ? '' : `; ${cut}`}`
  switch (result.is) {
    case 'passed':
      return [head]
    case 'passed_with_warnings':
      return [head, ...some(result.warnings)]
    case 'failed':
      return [head, ...some(result.failures.map(({ id, message }) => `${id}: ${message.split('\n', 1)[0]}`))]
  }
}

function some(lines: readonly string[]): string[] {
  const more = lines.length > namedMax ? [`  and ${lines.length - namedMax} more`] : []
  return [...lines.slice(0, namedMax).map((line) => `  ${line.slice(0, 300)}`), ...more]
}

function gateWords(result: GateResult): string {
  const gate = GATE_WORDS[result.gate]
  switch (result.is) {
    case 'passed':
    case 'passed_with_warnings': {
      const report = result.evidence.report
      const how = result.is === 'passed' ? 'passed' : 'passed with warnings'
      return report ? `${gate} ${how} (${report.passed} of ${report.total})` : `${gate} ${how}`
    }
    case 'failed':
      return `${gate} failed (${result.failures.length})`
    case 'skipped':
      return `${gate} skipped`
    case 'not_run':
      return `${gate} not run`
  }
}

const WAIT_WORDS: Readonly<Record<WaitClass, string>> = {
  protected_path: 'protected path',
  conditions: 'other conditions',
  inputs: 'inputs learnt by heart',
  capability: 'new capability',
  configuration: 'test configuration',
  loads: 'what tests load',
  unreadable: 'cannot tell',
  by_hand: 'by hand',
}

export function waitWords({ class: kind, file, line, words }: Wait): string {
  return `${WAIT_WORDS[kind]}: ${file}${line === null ? '' : `:${line}`}: ${words}`
}
