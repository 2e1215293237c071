// The health of the loop: figures in words and a gauge of the queue.
import type { LoopMetrics } from '@treadle/contracts/metrics'
import { gaugeOf, type LoopFact, loopFacts } from './loop.model.ts'

export function LoopHealth({ loop }: { loop: LoopMetrics }) {
  return (
    <section aria-labelledby="loop-health">
      <div className="section-head">
        <h2 id="loop-health">Loop health</h2>
        <p className="muted">Whether the crew keeps itself busy</p>
      </div>
      <dl className="loop-facts">
        {loopFacts(loop).map((fact) => (
          <Fact key={fact.id} fact={fact} loop={loop} />
        ))}
      </dl>
    </section>
  )
}

function Fact({ fact, loop }: { fact: LoopFact; loop: LoopMetrics }) {
  const { id, name, value, tone, verdict, meaning } = fact
  return (
    <div className="card padded" data-tone={tone}>
      <dt>{name}</dt>
      <dd className="loop-value">
        {value} {verdict !== '' && <span className="badge">{verdict}</span>}
      </dd>
      {id === 'queue' && <QueueGauge loop={loop} />}
      <dd className="muted">{meaning}</dd>
    </div>
  )
}

/** A gauge of the queue; hidden from screen readers, since the same is said in words beside it. */
function QueueGauge({ loop }: { loop: LoopMetrics }) {
  const { depth, from, to } = gaugeOf(loop)
  return (
    <dd className="gauge" aria-hidden="true">
      <span className="gauge-aim" style={{ left: `${from}%`, width: `${to - from}%` }} />
      <span className="gauge-depth" style={{ width: `${depth}%` }} />
    </dd>
  )
}
