// The crew in three figures, in the header of every screen.
import type { Item } from '@treadle/contracts/item'
import type { MetricsPeriod } from '@treadle/contracts/metrics'
import type { Live } from '../live/live.ts'
import { hrefOf } from '../parts/route.model.ts'
import { summaryOf } from './metrics.model.ts'
import { useMetrics } from './use-metrics.ts'

const PERIOD: MetricsPeriod = '30d'

export function MetricsSummary({ live, items }: { live: Live; items: readonly Item[] }) {
  const { answer, problem } = useMetrics(live, PERIOD, items)
  const old = answer !== null && (answer.stale !== null || problem !== null)
  return (
    <section className="summary" aria-label="Summary of the crew">
      {answer === null && (
        <p className="muted">{problem === null ? 'Calculating…' : 'No metrics: they could not be read.'}</p>
      )}
      {answer !== null && (
        <dl>
          {summaryOf(answer).map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {old && <a href={hrefOf({ is: 'metrics', period: PERIOD })}>not current</a>}
    </section>
  )
}
