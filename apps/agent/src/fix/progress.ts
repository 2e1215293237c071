// What a person sees of a fix while it runs: one line for each thing worth knowing.
import { type RunReport, recordsIn } from '@treadle/contracts/event'
import type { PhaseRecord } from '@treadle/contracts/run'
import { gatesWords } from '@treadle/contracts/words/gates'
import { duration } from '@treadle/contracts/words/time'
import { failuresIn, isCommandAlone } from '@treadle/flow/verify/failure/evidence'

export function reportLines(report: RunReport): string[] {
  const line = ownLine(report)
  return [...recordsIn(report).map(phaseLine), ...(line === null ? [] : [line])]
}

/** Null: nothing to say. */
function ownLine(report: RunReport): string | null {
  switch (report.type) {
    case 'build.started':
      return 'Running the tests as they are'
    case 'run.baseline': {
      if (isCommandAlone(report.gates)) return 'All tests are green, but the test command itself fails'
      const failing = failuresIn(report.gates).length
      return failing === 0 ? null : `${failing} failing`
    }
    case 'run.observed': {
      const { success, tool, input } = report.observation
      return `  ${success ? '·' : '✗'} ${tool} ${input.split('\n', 1)[0]}`
    }
    case 'run.resumed':
      return `Going on from ${report.from}: ${report.why}`
    case 'verify.failed':
      return `  ${gatesWords(report.gates)}`
    default:
      return null
  }
}

function phaseLine(record: PhaseRecord): string {
  const { phase, iteration, outcome, durationMs, changes, groups } = record
  const when = `${phase}${iteration === 0 ? '' : ` ${iteration}`}: ${outcome} after ${duration(durationMs)}`
  const changed = changes.length === 0 ? '' : `, ${changes.length} file(s) changed`
  const causes = groups.slice(0, 5).map(({ cause, tests }) => `\n  ${tests.length} test(s): ${cause}`)
  return `${when}${changed}${causes.join('')}`
}
