// The confidence of patches beside what became of them.

export interface Calibrated {
  readonly set: string
  readonly bug: string
  readonly verdict: 'right' | 'wrong' | 'none'
  /** Of the first patch; null where there is none. */
  readonly confidence: string | null
  /** Whether a person would be asked about it. */
  readonly asked: boolean
  readonly why: string
}

const HEADS = [
  'set',
  'bugs',
  'green',
  'right',
  'high',
  'high and right',
  'right among high',
  'high among right',
  'asked',
]

export function calibrationTable(rows: readonly Calibrated[]): string {
  const held = rows.filter(({ set }) => set !== 'tuning')
  const sets = [...Map.groupBy(rows, ({ set }) => set)].map(([set, own]) => lineFor(set, own))
  const lines = [HEADS, ...sets, lineFor('all that was put aside', held)]
  const widths = HEADS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function lineFor(set: string, rows: readonly Calibrated[]): string[] {
  const green = rows.filter(({ verdict }) => verdict !== 'none')
  const right = green.filter(({ verdict }) => verdict === 'right')
  const high = green.filter(({ confidence }) => confidence === 'high')
  const both = right.filter(({ confidence }) => confidence === 'high')
  const asked = green.filter((row) => row.asked)
  const counts = [rows, green, right, high, both].map(({ length }) => String(length))
  return [
    set,
    ...counts,
    share(both.length, high.length),
    share(both.length, right.length),
    String(asked.length),
  ]
}

function share(part: number, all: number): string {
  return all === 0 ? '-' : `${Math.round((100 * part) / all)} %`
}
