// A chart as everybody can read it: its main fact in words, the drawing, and the same figures as a table.
import { lazy, Suspense, useState } from 'react'
import { type ChartFacts, isLimitInSight, totalsOf } from './chart.model.ts'
import { DataTable, type TableColumn } from './data-table.tsx'

interface ChartProps {
  readonly facts: ChartFacts
  /** The chart's main fact, as a sentence. */
  readonly caption: string
  readonly words: (value: number) => string
  /** The heads of the table's first and last column. */
  readonly heads: { readonly bar: string; readonly total: string; readonly limit: string }
}

// A page that is older than the files beside it cannot load the drawing; the table is there all the same.
const Plot = lazy(() => {
  mendLanguage()
  return import('./chart-plot.tsx').then(
    (module) => ({ default: module.ChartPlot }),
    () => ({ default: NoPlot }),
  )
})

/** The drawing writes numbers in the browser's language; on a machine without one, browsers name none that exists. */
function mendLanguage(): void {
  try {
    new Intl.NumberFormat(navigator.language)
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en', configurable: true })
  }
}

function NoPlot() {
  return <p className="muted">The drawing could not be loaded. The table below has the same figures.</p>
}

export function Chart({ facts, caption, words, heads }: ChartProps) {
  const [at, setAt] = useState<number | null>(null)
  const shown = at !== null && at < facts.bars.length ? at : null
  return (
    <figure className="chart card padded">
      <figcaption>{caption}</figcaption>
      <ul className="chart-key">
        {facts.bars.length > 0 && <Key facts={facts} words={words} heads={heads} />}
      </ul>
      {/* The drawing is hidden from screen readers, which have the sentence above and the table below. */}
      <div className="chart-plot" aria-hidden="true">
        {facts.bars.length > 0 && (
          <Suspense fallback={null}>
            <Plot facts={facts} words={words} onAt={setAt} />
          </Suspense>
        )}
      </div>
      <p className="chart-point muted" aria-hidden="true">
        {shown === null ? 'Point at a bar, or tap it, to read it.' : pointWords(facts, shown, words)}
      </p>
      <details>
        <summary>Show as a table</summary>
        <Figures facts={facts} words={words} heads={heads} />
      </details>
    </figure>
  )
}

type PartProps = Pick<ChartProps, 'facts' | 'words' | 'heads'>

function Key({ facts, words, heads }: PartProps) {
  const { layers, limit } = facts
  return (
    <>
      {layers.map(({ name, colour }) => (
        <li key={name}>
          <span className="chart-swatch" data-layer={colour} aria-hidden="true" /> {name}
        </li>
      ))}
      {limit !== null && (
        <li>
          <span className="chart-swatch" data-layer="limit" aria-hidden="true" /> {heads.limit} {words(limit)}
          {isLimitInSight(facts) ? '' : ', far above'}
        </li>
      )}
    </>
  )
}

function pointWords({ bars, layers }: ChartFacts, at: number, words: ChartProps['words']): string {
  const total = totalsOf(layers)[at] ?? 0
  const parts = layers.filter(({ values }) => (values[at] ?? 0) > 0)
  const said = parts.map(({ name, values }) => `${name} ${words(values[at] ?? 0)}`).join(', ')
  return `${bars[at]?.long}: ${words(total)}${parts.length > 1 ? ` (${said})` : ''}`
}

/** The figures below the drawing, newest first: whoever opens them looks for the last days. */
function Figures({ facts: { bars, layers }, words, heads }: PartProps) {
  const totals = totalsOf(layers)
  const columns: readonly TableColumn<number>[] = [
    { id: 'bar', head: heads.bar, isRowHead: true, cell: (bar) => bars[bar]?.long },
    ...layers.map(({ name, values }) => ({
      id: `layer ${name}`,
      head: name,
      cell: (bar: number) => words(values[bar] ?? 0),
    })),
    { id: 'total', head: heads.total, cell: (bar) => words(totals[bar] ?? 0) },
  ]
  return (
    <DataTable
      label="The figures of the chart"
      frame="table chart-table"
      columns={columns}
      rows={bars.map((_, bar) => bar).toReversed()}
      keyOf={(bar) => bars[bar]?.long ?? bar}
    />
  )
}
