// What is everyone doing?
import type { Agent } from '@treadle/contracts/agent'
import { itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { crewSummary, orderAgents, signsOf, statusWords, workOf } from './crew.model.ts'
import { Command } from './notices.tsx'

interface CrewProps {
  agents: readonly Agent[]
  items: readonly Item[]
  now: number
}

export function Crew({ agents, items, now }: CrewProps) {
  return (
    <section aria-labelledby="crew">
      <div className="section-head">
        <h2 id="crew">Crew</h2>
        <p className="muted">{crewSummary(agents)}</p>
      </div>
      {agents.length === 0 ? (
        <div className="empty">
          <p>No agent is running, so nothing is being worked on. To start one, run in your repository</p>
          <Command>treadle agent start agent-1</Command>
        </div>
      ) : (
        <ul className="agents">
          {orderAgents(agents).map((agent) => (
            <AgentCard key={agent.id} agent={agent} items={items} now={now} />
          ))}
        </ul>
      )}
    </section>
  )
}

function AgentCard({ agent, items, now }: { agent: Agent; items: readonly Item[]; now: number }) {
  const work = workOf(agent, items)
  return (
    <li className="card agent">
      <div className="agent-head">
        <h3>{agent.id}</h3>
        <span className="badge" data-status={agent.status}>
          {statusWords(agent.status)}
        </span>
      </div>
      {work ? (
        <p className="work" title={work.title ?? undefined}>
          <span className="number">{itemLabel(work.ref)}</span> {work.title}
        </p>
      ) : (
        <p className="work muted">No item</p>
      )}
      <dl>
        <div>
          <dt>Phase</dt>
          <dd>{agent.phase ?? '–'}</dd>
        </div>
        <div>
          <dt>Done</dt>
          <dd>{agent.tasksCompleted}</dd>
        </div>
      </dl>
      <p className="signs" data-health={agent.health}>
        {signsOf(agent, now).map((sign) => (
          <span key={sign}>{sign}</span>
        ))}
      </p>
      {agent.lastError && (
        <p className="last-error" title={agent.lastError}>
          <strong>Last error</strong> {agent.lastError}
        </p>
      )}
    </li>
  )
}
