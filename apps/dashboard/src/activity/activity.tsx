// The activity screen: events as a table, all of them or those of one agent.
import type { StoredEvent } from '@treadle/contracts/event'
import { sentence } from '@treadle/contracts/event/sentence'
import { type AgentId, itemLabel } from '@treadle/contracts/ids'
import { useId, useMemo } from 'react'
import type { Snapshot } from '../live/live.model.ts'
import { orderAgents } from '../parts/agents.model.ts'
import { DataTable, type TableColumn } from '../parts/data-table.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { TimeAgo } from '../parts/time-ago.tsx'
import { newestOf } from './activity.model.ts'

interface ActivityProps {
  readonly events: readonly StoredEvent[]
  readonly snapshot: Snapshot
  readonly agentId: AgentId | null
  readonly now: number
}

export function Activity({ events, snapshot, agentId, now }: ActivityProps) {
  const id = useId()
  const shown = newestOf(events, agentId)
  const columns = useMemo(() => columnsAt(now), [now])
  const pick = (chosen: string) => {
    location.hash = hrefOf({ is: 'activity', agentId: chosen === '' ? null : chosen })
  }
  return (
    <section aria-labelledby="activity">
      <div className="section-head">
        <h2 id="activity" tabIndex={-1}>
          Activity
        </h2>
        <p className="muted">The last 50, newest first</p>
        <label className="push" htmlFor={id}>
          Agent{' '}
          <select id={id} value={agentId ?? ''} onChange={(event) => pick(event.target.value)}>
            <option value="">All</option>
            {orderAgents(snapshot.agents).map((agent) => (
              <option key={agent.id} value={agent.id}>
                {agent.id}
              </option>
            ))}
          </select>
        </label>
      </div>
      <DataTable
        label="Activity"
        isLog
        frame="card log table"
        columns={columns}
        rows={shown}
        keyOf={(event) => event.cursor}
        toneOf={(event) => sentence(event).tone}
        empty={agentId === null ? 'Nothing has happened yet.' : `Nothing from ${agentId} yet.`}
      />
    </section>
  )
}

function columnsAt(now: number): readonly TableColumn<StoredEvent>[] {
  return [
    { id: 'when', head: 'When', cell: ({ at }) => <TimeAgo at={at} now={now} /> },
    { id: 'agent', head: 'Agent', cell: ({ agentId }) => agentId ?? '–' },
    {
      id: 'what',
      head: 'What',
      attributes: () => ({ className: 'said' }),
      cell: (event) => <EventSentence event={event} />,
    },
    {
      id: 'item',
      head: 'Item',
      cell: ({ item }) => item && <a href={hrefOf({ is: 'item', item })}>{itemLabel(item)}</a>,
    },
    { id: 'event', head: 'Event', cell: ({ event }) => <code>{event.type}</code> },
  ]
}

function EventSentence({ event }: { event: StoredEvent }) {
  const { text, detail } = sentence(event)
  return (
    <>
      <span className="dot" aria-hidden="true" />
      <span>
        {text}
        {detail && <span className="muted clamp"> {detail}</span>}
      </span>
    </>
  )
}
