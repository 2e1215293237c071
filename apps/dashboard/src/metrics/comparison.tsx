// All agents side by side: each figure, and in colour, sign and word how it stands to the crew's median.
import type { AgentMetrics, MetricsPeriod } from '@treadle/contracts/metrics'
import { DataTable, type TableColumn } from '../parts/data-table.tsx'
import { judgeAgent, VERDICTS } from './compare.model.ts'
import { apartWords, COMPARED, type CrewIds, type Figure, figureWords } from './figures.model.ts'
import { periodWords } from './metrics.model.ts'

interface ComparisonProps {
  readonly agents: readonly AgentMetrics[]
  readonly crew: CrewIds
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
      <DataTable
        label="Side by side"
        frame="card table comparison"
        columns={[FIGURE, ...agents.map((agent) => columnOf(agent, agents, crew))]}
        rows={COMPARED}
        keyOf={({ id }) => id}
      />
    </section>
  )
}

const FIGURE: TableColumn<Figure> = {
  id: 'figure',
  head: 'Figure',
  isRowHead: true,
  attributes: ({ meaning }) => ({ title: meaning }),
  cell: ({ name }) => name,
}

function columnOf(agent: AgentMetrics, all: readonly AgentMetrics[], crew: CrewIds): TableColumn<Figure> {
  return {
    id: agent.agentId,
    head: (
      <>
        {agent.agentId}
        {apartWords(agent, crew).map((words) => (
          <span key={words} className="apart">
            {' '}
            {words}
          </span>
        ))}
      </>
    ),
    attributes: (figure) => {
      const verdict = judgeAgent(figure, agent, all)
      return { 'data-tone': verdict === null ? undefined : VERDICTS[verdict].tone, 'data-verdict': verdict }
    },
    cell: (figure) => {
      const verdict = judgeAgent(figure, agent, all)
      return (
        <>
          <span className="figure">{figureWords(figure, agent)}</span>
          {verdict !== null && (
            <span className="verdict">
              <span aria-hidden="true">{VERDICTS[verdict].sign} </span>
              {VERDICTS[verdict].words}
            </span>
          )}
        </>
      )
    },
  }
}
