// All figures of one agent, folded away until somebody wants them.
import type { AgentMetrics } from '@treadle/contracts/metrics'
import { timeAgo } from '@treadle/contracts/words/time'
import { apartWords, type CrewIds, FIGURES, figureWords } from './figures.model.ts'
import { headlines, isMeasuredShort } from './metrics.model.ts'

interface AgentCardProps {
  readonly agent: AgentMetrics
  readonly crew: CrewIds
  readonly now: number
}

export function AgentMetricsCard({ agent, crew, now }: AgentCardProps) {
  const { agentId, measuredSince, calculatedAt, stale } = agent
  return (
    <li className="card">
      {/* The browser keeps it open or closed: new figures do not touch that. */}
      <details className="agent-figures">
        <summary>
          <h3>{agentId}</h3>
          <span className="facts muted">
            {[...apartWords(agent, crew), ...headlines(agent)].map((line) => (
              <span key={line}>{line}</span>
            ))}
          </span>
        </summary>
        {stale !== null && (
          <p className="muted">
            As of {timeAgo(calculatedAt, now)}; could not be calculated since: {stale.why}
          </p>
        )}
        {isMeasuredShort(agent) && (
          <p className="muted">
            Measured since <time dateTime={measuredSince}>{new Date(measuredSince).toLocaleString()}</time>.
          </p>
        )}
        <dl>
          {FIGURES.map((figure) => (
            <div key={figure.id}>
              <dt>{figure.name}</dt>
              <dd className="figure">{figureWords(figure, agent)}</dd>
              <dd className="muted">{figure.meaning}</dd>
            </div>
          ))}
        </dl>
      </details>
    </li>
  )
}
