// Improvements that the crew thought of itself: how many, what became of them, what they cost.
import type { MetricsReport } from '@treadle/contracts/metrics-report'
import { ideaFacts } from './own-ideas.model.ts'

export function OwnIdeas({ report }: { report: MetricsReport }) {
  const facts = ideaFacts(report.ideas)
  if (facts.length === 0) return null
  return (
    <section aria-labelledby="own-ideas">
      <div className="section-head">
        <h2 id="own-ideas">Improvements of its own</h2>
        <p className="muted">What the crew looked for itself in this period</p>
      </div>
      <dl className="loop-facts">
        {facts.map(({ name, value, meaning }) => (
          <div key={name} className="card padded" data-tone="plain">
            <dt>{name}</dt>
            <dd className="loop-value">{value}</dd>
            <dd className="muted">{meaning}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
