// Alerts that the reader has not seen yet, and the log of all of them.
import type { Client } from '@treadle/contracts/client'
import type { Notification } from '@treadle/contracts/notification'
import { timeAgo } from '@treadle/contracts/words/time'
import { useCallback, useMemo, useState } from 'react'
import type { Live } from '../live/live.ts'
import { useAnswer } from '../live/use-answer.ts'
import { ActionButton } from '../parts/actions.tsx'
import { Command } from '../parts/command.tsx'
import { DataTable, type TableColumn } from '../parts/data-table.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { TimeAgo } from '../parts/time-ago.tsx'
import { alertOutcome, alertTarget, LEVEL } from './alerts.model.ts'
import { SeenButton } from './seen-button.tsx'

interface LogProps {
  readonly live: Live
  readonly last: number
  readonly now: number
}

const askOpen = async (client: Client) => (await client.listNotifications({ query: {} })).items

export function OpenAlerts({ live, last, now }: LogProps) {
  const { answer } = useAnswer(live, askOpen, last)
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
            action={{
              key: 'acknowledge-all',
              done: 'All were marked as seen.',
              failed: 'They could not be marked as seen.',
              work: (client) => client.acknowledgeNotifications({ body: {} }),
            }}
          />
        )}
      </div>
      {answer?.length === 0 && <p className="empty">No unread notifications. New ones appear here.</p>}
      <ul className="lessons">
        {answer?.map((notification) => (
          <Alert key={notification.id} notification={notification} now={now} />
        ))}
      </ul>
    </section>
  )
}

function Alert({ notification, now }: { notification: Notification; now: number }) {
  const { title, text, level, nextSteps, count, updatedAt } = notification
  const target = alertTarget(notification)
  return (
    <li className="card padded lesson">
      <p className="facts">
        <LevelBadge level={level} />
        <span>{timeAgo(updatedAt, now)}</span>
        {count > 1 && <span>{count} times</span>}
      </p>
      <p className="lesson-head">{title}</p>
      {text !== '' && <p className="reason">{text}</p>}
      <div className="options">
        <a className="button" href={hrefOf(target.route)}>
          {target.words}
        </a>
        <SeenButton notification={notification} />
      </div>
      {nextSteps.length > 0 && (
        <details>
          <summary>In a terminal</summary>
          {nextSteps.map(({ label, command }) => (
            <div key={label}>
              <p className="muted">{label}</p>
              {command !== null && <Command>{command}</Command>}
            </div>
          ))}
        </details>
      )}
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
  const { answer } = useAnswer(live, ask, last)
  const columns = useMemo(() => alertColumns(now), [now])
  if (answer === null) return null
  return (
    <section aria-labelledby="alert-log">
      <div className="section-head">
        <h2 id="alert-log">Alert log</h2>
        <p className="muted">Alerts of the crew and the system, newest first</p>
      </div>
      <DataTable
        label="Alert log"
        columns={columns}
        rows={answer}
        keyOf={({ id }) => id}
        empty="No alerts so far. What a health check finds is listed here."
      />
      {answer.length === limit && limit < LOG_MAX && (
        <button type="button" onClick={() => setLimit(Math.min(LOG_MAX, limit * 2))}>
          Show older ones
        </button>
      )}
    </section>
  )
}

function alertColumns(now: number): readonly TableColumn<Notification>[] {
  return [
    { id: 'when', head: 'When', cell: ({ createdAt }) => <TimeAgo at={createdAt} now={now} /> },
    { id: 'level', head: 'Level', cell: ({ level }) => <LevelBadge level={level} /> },
    {
      id: 'what',
      head: 'What',
      attributes: ({ text }) => ({ className: 'said', title: text }),
      cell: ({ title, count }) => (count > 1 ? `${title} (${count} times)` : title),
    },
    { id: 'outcome', head: 'Outcome', cell: (alert) => alertOutcome(alert, now) },
  ]
}

function LevelBadge({ level }: Pick<Notification, 'level'>) {
  return (
    <span className="badge" data-tone={LEVEL[level].tone}>
      {LEVEL[level].words}
    </span>
  )
}
