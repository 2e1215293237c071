// The table of edits that people make: how many fixes are one edit of the catalogue, and how soon it would be tried.

export type Found =
  | { readonly commit: string; readonly is: 'one edit'; readonly op: string; readonly before: number }
  | { readonly commit: string; readonly is: 'no single edit' | 'no change of the program' | 'not read' }

export function peopleTable(rows: readonly Found[]): string {
  const read = rows.filter(({ is }) => is === 'one edit' || is === 'no single edit')
  const hits = rows.filter((row) => row.is === 'one edit')
  const share = read.length === 0 ? 0 : (100 * hits.length) / read.length
  const lines = [
    `${read.length} fixes, ${hits.length} of them one edit of the catalogue (${share.toFixed(1)} %)`,
    `edits of the same statements before it, median: ${median(hits.map(({ before }) => before)) ?? '-'}`,
    '',
    '| operator | fixes | before it, median |',
    '|---|---|---|',
  ]
  const byOperator = [...Map.groupBy(hits, ({ op }) => op)].sort(([, a], [, b]) => b.length - a.length)
  for (const [op, found] of byOperator)
    lines.push(`| ${op} | ${found.length} | ${median(found.map(({ before }) => before))} |`)
  return `${lines.join('\n')}\n`
}

function median(numbers: readonly number[]): number | null {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? null
}
