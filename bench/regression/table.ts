// The figures of a run, and the table that is printed.
import type { LayoutResult, Measured } from './measure.ts'

export interface Figures {
  readonly layout: string
  readonly faults: number
  readonly hung: number
  readonly harmless: number
  readonly failing: number
  readonly mapSeconds: number
  readonly suiteSeconds: number
  readonly selectMsMedian: number
  readonly full: Sum
  readonly changed: Sum
  readonly ours: Sum
  /** Faults for which we would have run everything. */
  readonly everything: number
}
interface Sum {
  readonly files: number
  readonly tests: number
  readonly missed: number
}

export function figuresOf({ layout, mapSeconds, suiteSeconds, rows }: LayoutResult): Figures {
  const count = (is: Measured['is']) => rows.filter((row) => row.is === is).length
  // A change that no test notices costs as much to check as one that some test notices.
  const counted = rows.filter((row) => row.is !== 'hung')
  const sum = (of: (row: Measured) => { files: number; tests: number; missed?: readonly string[] }): Sum =>
    counted.map(of).reduce<Sum>(
      (all, { files, tests, missed = [] }) => ({
        files: all.files + files,
        tests: all.tests + tests,
        missed: all.missed + missed.length,
      }),
      { files: 0, tests: 0, missed: 0 },
    )
  const times = counted.map((row) => row.selectMs).sort((a, b) => a - b)
  return {
    layout,
    faults: count('measured'),
    hung: count('hung'),
    harmless: count('harmless'),
    failing: counted.reduce((all, row) => all + row.failing, 0),
    mapSeconds,
    suiteSeconds,
    selectMsMedian: times[Math.floor(times.length / 2)] ?? 0,
    full: sum((row) => row.full),
    changed: sum((row) => row.changed),
    ours: sum((row) => row.ours),
    everything: counted.filter((row) => row.everything.length > 0).length,
  }
}

export function printTable(figures: readonly Figures[]): string {
  const share = (part: number, whole: number) => `${part} (${((100 * part) / whole).toFixed(1)} %)`
  return figures
    .map(({ full, changed, ours, ...all }) => {
      const line = (label: string, of: Sum) =>
        [
          label.padEnd(18),
          share(of.files, full.files).padStart(18),
          share(of.tests, full.tests).padStart(18),
          String(of.missed).padStart(14),
        ].join('')
      return [
        `layout ${all.layout}: ${all.faults} faults that break a test, ${all.harmless} changes that break none, ` +
          `${all.hung} left out because the suite hung; ${all.failing} failing tests in all`,
        ['run'.padEnd(18), 'test files'.padStart(18), 'tests'.padStart(18), 'missed fails'.padStart(14)].join(
          '',
        ),
        line('whole suite', full),
        line('vitest --changed', changed),
        line('ours', ours),
        `ours runs ${(changed.tests / ours.tests).toFixed(2)} x fewer tests than --changed; everything for ` +
          `${all.everything} of ${all.faults + all.harmless}; ` +
          `map made in ${all.mapSeconds.toFixed(1)} s where the suite takes ${all.suiteSeconds.toFixed(1)} s, a choice takes ${all.selectMsMedian.toFixed(0)} ms (median)`,
      ].join('\n')
    })
    .join('\n\n')
}
