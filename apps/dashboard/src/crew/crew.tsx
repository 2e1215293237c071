// The crew: what every agent does right now, as tiles.
import type { Agent } from '@treadle/contracts/agent'
import type { StoredEvent } from '@treadle/contracts/event'
import type { Snapshot } from '../live/live.model.ts'
import type { Live } from '../live/live.ts'
import { ActionButton } from '../parts/actions.tsx'
import { oneMore, orderAgents, runningOf } from '../parts/agents.model.ts'
import { Command } from '../parts/command.tsx'
import { AgentCard } from './agent-card.tsx'
import { MachineNote } from './machine-note.tsx'
import { ReadinessNote } from './readiness.tsx'

interface CrewProps {
  readonly live: Live
  readonly snapshot: Snapshot
  /** Newest first. */
  readonly events: readonly StoredEvent[]
  readonly now: number
}

export function Crew({ live, snapshot, events, now }: CrewProps) {
  const { agents, workspace } = snapshot
  return (
    <section aria-labelledby="crew">
      <div className="section-head">
        <h2 id="crew" tabIndex={-1}>
          Now
        </h2>
        <p className="muted">What your agents are doing</p>
      </div>
      <ReadinessNote workspace={workspace} now={now} />
      <MachineNote workspace={workspace} />
      {agents.length === 0 ? (
        <div className="empty">
          <p>No agents yet. Add one here, or run in your repository</p>
          <Command>treadle agent start agent-1</Command>
        </div>
      ) : (
        <ul className="agents">
          {orderAgents(agents).map((agent) => (
            <AgentCard
              key={agent.id}
              agent={agent}
              live={live}
              snapshot={snapshot}
              events={events}
              now={now}
            />
          ))}
        </ul>
      )}
      <div className="crew-foot">
        <AddAgent agents={agents} max={workspace.config.agents.maxConcurrent} />
      </div>
    </section>
  )
}

function AddAgent({ agents, max }: { agents: readonly Agent[]; max: number }) {
  const count = oneMore(agents, max)
  const running = runningOf(agents)
  if (count === null) {
    return (
      <p className="muted">
        {running} of {max} agents. Raise <code>agents.maxConcurrent</code> in treadle.json to add more.
      </p>
    )
  }
  return (
    <ActionButton
      words="Add agent"
      busyWords="Adding…"
      action={{
        key: 'add-agent',
        done: 'An agent was added.',
        failed: 'No agent could be added.',
        work: (client) => client.startAgents({ body: { count } }),
      }}
    />
  )
}
