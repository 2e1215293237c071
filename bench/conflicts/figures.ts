// What the replay of a history comes to. Pure.
import type { Replay, Replayed } from './measure.ts'

interface Rule {
  readonly name: string
  readonly precision: number
  readonly recall: number
  readonly f1: number
  readonly falseAlarms: number
  readonly missed: number
}

export interface Figures {
  readonly merges: number
  readonly twoSided: number
  readonly conflicts: number
  readonly skipped: number
  /** Merges of which the merge on objects said something else than git did in a working tree. */
  readonly mismatches: readonly string[]
  /** The same conflict, and not the same list of files. */
  readonly otherFiles: readonly string[]
  readonly medianMs: number
  readonly rules: readonly Rule[]
}

export function figuresOf({ rows, skipped }: Replay): Figures {
  const twoSided = rows.filter((row) => row.twoSided)
  const conflicts = ({ actual }: Replayed) => actual.length > 0
  const differs = (row: Replayed) => conflicts(row) !== row.computed.length > 0
  const times = rows.map(({ computedMs }) => computedMs).sort((a, b) => a - b)
  return {
    merges: rows.length,
    twoSided: twoSided.length,
    conflicts: rows.filter(conflicts).length,
    skipped: skipped.length,
    mismatches: rows.filter(differs).map(({ merge }) => merge),
    otherFiles: rows
      .filter((row) => !differs(row) && row.actual.join('\0') !== row.computed.join('\0'))
      .map(({ merge }) => merge),
    medianMs: times[Math.floor(times.length / 2)] ?? 0,
    rules: [
      ruleOf('same file', twoSided, (row) => row.sameFile),
      ruleOf('hunks overlap in the base', twoSided, (row) => row.hunks),
      ruleOf('as Treadle warns, not committed', twoSided, (row) => row.live),
    ],
  }
}

function ruleOf(name: string, rows: readonly Replayed[], says: (row: Replayed) => boolean): Rule {
  const count = (said: boolean, was: boolean) =>
    rows.filter((row) => says(row) === said && row.actual.length > 0 === was).length
  const [hits, falseAlarms, missed] = [count(true, true), count(true, false), count(false, true)]
  const precision = share(hits, hits + falseAlarms)
  const recall = share(hits, hits + missed)
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)
  return { name, precision, recall, f1, falseAlarms, missed }
}

/** Of nothing, nothing was wrong. */
function share(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole
}

export function table(name: string, figures: Figures): string {
  const { merges, twoSided, conflicts, skipped, mismatches, otherFiles, medianMs } = figures
  const percent = ((conflicts / Math.max(1, twoSided)) * 100).toFixed(1)
  return [
    `${name}: ${merges} merges, ${twoSided} of them two-sided, ${conflicts} with a conflict (${percent} % of the two-sided), ${skipped} left out`,
    `computed = actual on ${merges - mismatches.length} of ${merges}; the same files on ${merges - mismatches.length - otherFiles.length}; ${medianMs.toFixed(0)} ms each (median)`,
    ...mismatches.map((merge) => `  MISMATCH ${merge}`),
    ...otherFiles.map((merge) => `  other files ${merge}`),
    `${'early warning'.padEnd(34)}precision  recall    F1  false alarms  missed`,
    ...figures.rules.map(
      ({ name: rule, precision, recall, f1, falseAlarms, missed }) =>
        `${rule.padEnd(34)}${precision.toFixed(2).padStart(9)}${recall.toFixed(2).padStart(8)}${f1
          .toFixed(2)
          .padStart(6)}${String(falseAlarms).padStart(14)}${String(missed).padStart(8)}`,
    ),
    '',
  ].join('\n')
}
