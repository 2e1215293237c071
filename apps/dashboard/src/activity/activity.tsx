// What has happened, all of it or by one agent.
import type { StoredEvent } from '@treadle/contracts/event'
import { type AgentId, itemLabel } from '@treadle/contracts/ids'
import { sentence } from '@treadle/contracts/words/event'
import { timeAgo } from '@treadle/contracts/words/time'
import { memo, useId } from 'react'
import { orderAgents } from '../crew/crew.model.ts'
import { hrefOf } from '../frame/route.model.ts'
import type { Snapshot } from '../live/live.model.ts'
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
      {shown.length === 0 && (
        <p className="empty">
          {agentId === null ? 'Nothing has happened yet.' : `Nothing is known of ${agentId} yet.`}
        </p>
      )}
      {shown.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways on a narrow screen
        <div className="card log table" role="log" aria-live="polite" aria-label="Activity" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Agent</th>
                <th scope="col">What</th>
                <th scope="col">Item</th>
                <th scope="col">Event</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((event) => (
                <EventRow key={event.cursor} event={event} now={now} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

const EventRow = memo(function EventRow({ event, now }: { event: StoredEvent; now: number }) {
  const { text, detail, tone } = sentence(event)
  return (
    <tr data-tone={tone}>
      <td>
        <time dateTime={event.at} title={new Date(event.at).toLocaleString()}>
          {timeAgo(event.at, now)}
        </time>
      </td>
      <td>{event.agentId ?? '–'}</td>
      <td className="said">
        <span className="dot" aria-hidden="true" />
        <span>
          {text}
          {detail && <span className="muted clamp"> {detail}</span>}
        </span>
      </td>
      <td>{event.item && <a href={hrefOf({ is: 'item', item: event.item })}>{itemLabel(event.item)}</a>}</td>
      <td>
        <code>{event.event.type}</code>
      </td>
    </tr>
  )
})
