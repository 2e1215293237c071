// The metrics screen: each agent for itself, all side by side, and whether the loop keeps going.
import type { CrewMetrics, MetricsPeriod } from '@treadle/contracts/metrics'
import { timeAgo } from '@treadle/contracts/words/time'
import type { Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { Choice } from '../parts/choice.tsx'
import { Command } from '../parts/command.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { AgentMetricsCard } from './agent-metrics-card.tsx'
import { Comparison } from './comparison.tsx'
import { LoopHealth } from './loop-health.tsx'
import { PERIODS, periodWords, staleWords } from './metrics.model.ts'
import { OwnIdeas } from './own-ideas.tsx'
import { useMetrics, useReport } from './use-metrics.ts'
import './metrics.css'

interface MetricsProps {
  readonly live: Live
  readonly snapshot: Snapshot
  readonly period: MetricsPeriod
  readonly now: number
}

export function Metrics({ live, snapshot, period, now }: MetricsProps) {
  const { answer, problem } = useMetrics(live, period, snapshot.items)
  const report = useReport(live, period, snapshot.items)
  const stale = staleWords({ answer, problem, now })
  const busy = answer?.period !== period
  const crew = new Set(snapshot.agents.map(({ id }) => id))
  return (
    <div className="left metrics" aria-busy={busy}>
      <section aria-labelledby="metrics">
        <div className="section-head">
          <h2 id="metrics" tabIndex={-1}>
            Metrics
          </h2>
          <p className="muted">{asOf(answer, now)}</p>
          <Choice
            label="Period"
            options={PERIODS}
            value={period}
            onChoose={(chosen) => {
              location.hash = hrefOf({ is: 'metrics', period: chosen })
            }}
          />
        </div>
        {stale !== null && (
          <p className="banner" data-tone="attention" role="alert">
            <strong>{stale.head}</strong> {stale.why}
          </p>
        )}
        {answer === null && problem !== null && (
          <p className="wrong" role="alert">
            {problem}
          </p>
        )}
        {answer !== null && answer.agents.length === 0 && <NoAgents />}
        <ul className="agent-metrics">
          {answer?.agents.map((agent) => (
            <AgentMetricsCard key={agent.agentId} agent={agent} crew={crew} now={now} />
          ))}
        </ul>
      </section>
      {answer !== null && answer.agents.length > 0 && (
        <Comparison agents={answer.agents} crew={crew} period={answer.period} />
      )}
      {answer !== null && <LoopHealth loop={answer.loop} />}
      {report.answer !== null && <OwnIdeas report={report.answer} />}
    </div>
  )
}

/** The age of the shown figures, which are those of another period until the new ones are there. */
function asOf(answer: CrewMetrics | null, now: number): string {
  if (answer === null) return 'Calculating…'
  return `The last ${periodWords(answer.period)}, as of ${timeAgo(answer.calculatedAt, now)}`
}

function NoAgents() {
  return (
    <div className="empty">
      <p>There is no agent to measure yet. Start some, and give them something to do:</p>
      <Command>treadle up --agents 2</Command>
    </div>
  )
}
