// All agents side by side: each figure, and in colour, sign and word how it stands to the crew's median.
import type { AgentMetrics, MetricsPeriod } from '@treadle/contracts/metrics'
import { judgeAgent, VERDICTS } from './compare.model.ts'
import { apartWords, COMPARED, type Crew, type Figure, figureWords, periodWords } from './metrics.model.ts'

interface ComparisonProps {
  readonly agents: readonly AgentMetrics[]
  readonly crew: Crew
  readonly period: MetricsPeriod
}

export function Comparison({ agents, crew, period }: ComparisonProps) {
  return (
    <section aria-labelledby="comparison">
      <div className="section-head">
        <h2 id="comparison">Side by side</h2>
        <p className="muted">
          Each beside the median of its kind in the last {periodWords(period)}; fewer than 2 items say too
          little
        </p>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways on a narrow screen */}
      <div className="card table comparison" tabIndex={0}>
        <table aria-labelledby="comparison">
          <thead>
            <tr>
              <th scope="col">Figure</th>
              {agents.map((agent) => (
                <th scope="col" key={agent.agentId}>
                  {agent.agentId}
                  {apartWords(agent, crew).map((words) => (
                    <span key={words} className="apart">
                      {' '}
                      {words}
                    </span>
                  ))}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {COMPARED.map((figure) => (
              <tr key={figure.id}>
                <th scope="row" title={figure.meaning}>
                  {figure.name}
                </th>
                {agents.map((agent) => (
                  <Cell key={agent.agentId} figure={figure} agent={agent} all={agents} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

interface CellProps {
  readonly figure: Figure
  readonly agent: AgentMetrics
  readonly all: readonly AgentMetrics[]
}

function Cell({ figure, agent, all }: CellProps) {
  const verdict = judgeAgent(figure, agent, all)
  const said = verdict === null ? null : VERDICTS[verdict]
  return (
    <td data-tone={said?.tone} data-verdict={verdict}>
      <span className="figure">{figureWords(figure, agent)}</span>
      {said !== null && (
        <span className="verdict">
          <span aria-hidden="true">{said.sign} </span>
          {said.words}
        </span>
      )}
    </td>
  )
}
