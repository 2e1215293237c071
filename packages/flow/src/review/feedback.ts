// What whoever built a change is told about it, in one form whoever says it.
import type { GateResult } from '@treadle/contracts/gate'
import { GATE_WORDS } from '@treadle/contracts/words/gates'
import { decideChecks } from './checks.ts'

export interface Feedback {
  readonly cycle: number
  readonly cyclesMax: number
  readonly issues: readonly string[]
  readonly changes: readonly string[]
  readonly warnings: readonly string[]
}

/** As much as an event and an item carry. */
export const FEEDBACK_MAX = 4_000

const HEAD = '## Review Feedback - Cycle '

/** How many lines of which length, until it fits. */
const SIZES = [
  [30, 600],
  [15, 300],
  [8, 160],
  [4, 120],
] as const

export function feedbackText(feedback: Feedback): string {
  const texts = SIZES.map(([lines, chars]) => textOf(feedback, (all) => some(all, lines, chars)))
  return texts.find((text) => text.length <= FEEDBACK_MAX) ?? (texts.at(-1) ?? '').slice(0, FEEDBACK_MAX)
}

type Some = (lines: readonly string[]) => string[]

function textOf({ cycle, cyclesMax, issues, changes, warnings }: Feedback, some: Some): string {
  const parts = [
    `${HEAD}${cycle}/${cyclesMax}`,
    '**Status:** REJECTED',
    `**Issues Found:**\n${some(issues)
      .map((issue) => `- ${issue}`)
      .join('\n')}`,
    `**Requested Changes:**\n${some(changes)
      .map((change, at) => `${at + 1}. ${change}`)
      .join('\n')}`,
    ...(warnings.length === 0
      ? []
      : [
          `**Warnings:**\n${some(warnings)
            .map((warning) => `- ${warning}`)
            .join('\n')}`,
        ]),
    '**Next Steps:**\nPlease address the issues above and re-submit for review.',
  ]
  return parts.join('\n\n')
}

/** What a person writes in their own words gets the same form; what has it already is left as it is. */
export function asFeedback(
  said: string,
  { cycle, cyclesMax }: Pick<Feedback, 'cycle' | 'cyclesMax'>,
): string {
  if (said.startsWith(HEAD)) return said
  return feedbackText({ cycle, cyclesMax, issues: [said], changes: [said], warnings: [] })
}

/** What stands in the way, with the first of its details. */
export function issuesOfChecks(checks: readonly GateResult[]): string[] {
  return failedIn(checks).map(({ gate, failures, evidence }) => {
    const [first] = failures
    const { command, exitCode, output } = evidence
    const how = `${command} ended with ${exitCode ?? 'no exit code'}, output ${output.slice(0, 12)}`
    const what = `${first?.id ?? ''}: ${firstLine(first?.message ?? '')}`
    return `Code quality: ${GATE_WORDS[gate]} failed (${failures.length}): ${what} [${how}]`
  })
}

export function changesForChecks(checks: readonly GateResult[]): string[] {
  return failedIn(checks).flatMap(({ failures }) =>
    failures.map(({ id, file, line, message }) => {
      const place = file === null ? '' : ` (${file}${line === null ? '' : `:${line}`})`
      return `Mend ${id}${place}: ${message}`
    }),
  )
}

function failedIn(checks: readonly GateResult[]) {
  const choice = decideChecks(checks)
  return choice.is === 'reject' ? choice.failed : []
}

function some(lines: readonly string[], linesMax: number, charsMax: number): string[] {
  const shown = lines.slice(0, linesMax).map((line) => {
    const flat = line.trim().replace(/\s*\n\s*/g, ' ')
    return flat.length > charsMax ? `${flat.slice(0, charsMax - 1)}…` : flat
  })
  const more = lines.length - shown.length
  return more > 0 ? [...shown, `and ${more} more`] : shown
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
