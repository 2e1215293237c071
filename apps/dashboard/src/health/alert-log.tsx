// What I was told: what I have not seen yet, and the log of everything that was not well.
import type { Client } from '@treadle/contracts/client'
import type { Notification } from '@treadle/contracts/notification'
import { timeAgo } from '@treadle/contracts/words/time'
import { useCallback, useState } from 'react'
import { Command } from '../frame/notices.tsx'
import { useAsked } from '../live/asked.ts'
import type { Live } from '../live/live.ts'
import { ActionButton } from '../parts/acting.tsx'
import { fateOf, LEVEL } from './alerts.model.ts'

interface LogProps {
  readonly live: Live
  readonly last: number
  readonly now: number
}

const askOpen = async (client: Client) => (await client.listNotifications({ query: {} })).items

export function OpenAlerts({ live, last, now }: LogProps) {
  const { answer } = useAsked(live, askOpen, last)
  return (
    <section aria-labelledby="alerts">
      <div className="section-head">
        <h2 id="alerts" tabIndex={-1}>
          Alerts {answer && <span className="count">{answer.length}</span>}
        </h2>
        {answer && answer.length > 1 && (
          <ActionButton
            words="All seen"
            className="push"
            deed={{
              key: 'acknowledge-all',
              done: 'All were marked as seen.',
              failed: 'They could not be marked as seen.',
              work: (client) => client.acknowledgeNotifications({ body: {} }),
            }}
          />
        )}
      </div>
      {answer?.length === 0 && (
        <p className="empty">Nothing that you have not seen. What needs you appears here by itself.</p>
      )}
      <ul className="lessons">
        {answer?.map((notification) => (
          <Alert key={notification.id} notification={notification} now={now} />
        ))}
      </ul>
    </section>
  )
}

function Alert({ notification, now }: { notification: Notification; now: number }) {
  const { id, title, text, level, nextSteps, count, updatedAt } = notification
  return (
    <li className="card padded lesson">
      <p className="facts">
        <span className="badge" data-tone={LEVEL[level].tone}>
          {LEVEL[level].words}
        </span>
        <span>{timeAgo(updatedAt, now)}</span>
        {count > 1 && <span>{count} times</span>}
      </p>
      <p className="lesson-head">{title}</p>
      {text !== '' && <p className="reason">{text}</p>}
      {nextSteps.map(({ label, command }) => (
        <div key={label}>
          <p className="muted">{label}</p>
          {command !== null && <Command>{command}</Command>}
        </div>
      ))}
      <div className="options">
        <ActionButton
          words="Seen"
          label={`Seen: ${title}`}
          deed={{
            key: `acknowledge:${id}`,
            done: 'Marked as seen.',
            failed: 'It could not be marked as seen.',
            work: (client) => client.acknowledgeNotification({ params: { id }, body: {} }),
          }}
        />
      </div>
    </li>
  )
}

const PAGE = 25
const LOG_MAX = 500

export function AlertLog({ live, last, now }: LogProps) {
  const [limit, setLimit] = useState(PAGE)
  const ask = useCallback(
    async (client: Client) =>
      (await client.listNotifications({ query: { all: 'true', alerts: 'true', limit } })).items,
    [limit],
  )
  const { answer } = useAsked(live, ask, last)
  if (answer === null) return null
  return (
    <section aria-labelledby="alert-log">
      <div className="section-head">
        <h2 id="alert-log">Alert log</h2>
        <p className="muted">How the crew and the system were, newest first</p>
      </div>
      {answer.length === 0 ? (
        <p className="empty">Nothing was amiss so far. What a health check finds is kept here.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways on a narrow screen
        <div className="card table" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Level</th>
                <th scope="col">What</th>
                <th scope="col">What became of it</th>
              </tr>
            </thead>
            <tbody>
              {answer.map((alert) => (
                <LogRow key={alert.id} alert={alert} now={now} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {answer.length === limit && limit < LOG_MAX && (
        <button type="button" onClick={() => setLimit(Math.min(LOG_MAX, limit * 2))}>
          Show older ones
        </button>
      )}
    </section>
  )
}

function LogRow({ alert, now }: { alert: Notification; now: number }) {
  const { level, title, text, count, createdAt } = alert
  return (
    <tr>
      <td>
        <time dateTime={createdAt} title={new Date(createdAt).toLocaleString()}>
          {timeAgo(createdAt, now)}
        </time>
      </td>
      <td>
        <span className="badge" data-tone={LEVEL[level].tone}>
          {LEVEL[level].words}
        </span>
      </td>
      <td className="said" title={text}>
        {title}
        {count > 1 && ` (${count} times)`}
      </td>
      <td>{fateOf(alert, now)}</td>
    </tr>
  )
}
