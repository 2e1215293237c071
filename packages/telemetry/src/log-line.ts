// What the log says of a report, whether or not anything is exported.
import { type RunReport, recordsIn } from '@treadle/contracts/event'
import type { ItemState } from '@treadle/contracts/item'
import { loopOutcome } from './measure.ts'

export interface LogLine {
  readonly message: string
  readonly facts: Readonly<Record<string, unknown>>
}

/** One line for each phase that has ended, each round of gates, each model call and each end of a loop. */
export function logLines(report: RunReport, state: ItemState | null): LogLine[] {
  const phases = recordsIn(report).map(({ phase, iteration, outcome, durationMs }) => ({
    message: 'phase ended',
    facts: { phase, iteration, outcome, durationMs },
  }))
  return [...phases, ...linesOf(report, state)]
}

function linesOf(report: RunReport, state: ItemState | null): LogLine[] {
  const outcome = loopOutcome(report, state)
  const end = outcome === null ? [] : [{ message: 'loop ended', facts: { outcome } }]
  switch (report.type) {
    case 'run.used':
      return [{ message: 'model called', facts: { ...report.usage } }]
    case 'verify.passed':
    case 'verify.failed': {
      const gates = Object.fromEntries(report.gates.map(({ gate, is }) => [gate, is]))
      return [{ message: 'gates evaluated', facts: { gates } }, ...end]
    }
    default:
      return end
  }
}
