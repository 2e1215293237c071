// Is everything well, and what was I told?
import type { CrewHealth } from '@treadle/contracts/agent'
import type { Client } from '@treadle/contracts/client'
import type { AlertLevel } from '@treadle/contracts/cost'
import type { Notification } from '@treadle/contracts/notification'
import type { Tone } from '@treadle/contracts/words/state'
import { duration, timeAgo } from '@treadle/contracts/words/time'
import { statusWords } from '../crew/crew.model.ts'
import { Command } from '../frame/notices.tsx'
import { useAsked } from '../live/asked.ts'
import type { Live } from '../live/live.ts'
import { ActionButton } from '../parts/acting.tsx'

const ask = async (client: Client) => {
  const [health, crew, notifications] = await Promise.all([
    client.health(),
    client.crewHealth(),
    client.listNotifications({ query: {} }),
  ])
  return { health, crew, notifications: notifications.items }
}

export function HealthScreen({ live, last, now }: { live: Live; last: number; now: number }) {
  const { answer, problem } = useAsked(live, ask, last)
  return (
    <div className="left">
      {problem !== null && (
        <p className="wrong" role="alert">
          {problem}
        </p>
      )}
      <Alerts notifications={answer?.notifications ?? null} now={now} />
      <section aria-labelledby="health">
        <div className="section-head">
          <h2 id="health" tabIndex={-1}>
            Health
          </h2>
          {answer && (
            <p className="muted">
              {`${answer.crew.healthy} healthy, ${answer.crew.degraded} degraded, ${answer.crew.unresponsive} unresponsive`}
            </p>
          )}
        </div>
        {answer && (
          <>
            <Vitals crew={answer.crew} now={now} />
            <p className="facts counters">
              <span>Treadle {answer.health.version}</span>
              <span>
                {answer.health.store.driver === 'embedded' ? 'embedded database' : 'PostgreSQL'}
                {answer.health.store.ok ? '' : ', not well'}
              </span>
              <span>up for {duration(answer.health.uptimeMs)}</span>
            </p>
          </>
        )}
      </section>
    </div>
  )
}

const LEVEL: Record<AlertLevel, { readonly words: string; readonly tone: Tone }> = {
  info: { words: 'Info', tone: 'plain' },
  warning: { words: 'Warning', tone: 'attention' },
  error: { words: 'Error', tone: 'bad' },
  critical: { words: 'Critical', tone: 'bad' },
}

function Alerts({ notifications, now }: { notifications: readonly Notification[] | null; now: number }) {
  return (
    <section aria-labelledby="alerts">
      <div className="section-head">
        <h2 id="alerts" tabIndex={-1}>
          Alerts {notifications && <span className="count">{notifications.length}</span>}
        </h2>
        {notifications && notifications.length > 1 && (
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
      {notifications?.length === 0 && <p className="empty">Nothing that you have not seen.</p>}
      <ul className="lessons">
        {notifications?.map((notification) => (
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

function Vitals({ crew, now }: { crew: CrewHealth; now: number }) {
  if (crew.agents.length === 0) return <p className="empty">No agent has given a sign of life yet.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways on a narrow screen
    <div className="card table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Agent</th>
            <th scope="col">Status</th>
            <th scope="col">Health</th>
            <th scope="col">Memory</th>
            <th scope="col">Processor</th>
            <th scope="col">Last sign</th>
          </tr>
        </thead>
        <tbody>
          {crew.agents.map((agent) => (
            <tr key={agent.agentId}>
              <th scope="row">{agent.agentId}</th>
              <td>{statusWords(agent.status)}</td>
              <td>
                <span className="badge" data-tone={HEALTH_TONES[agent.health]}>
                  {agent.health}
                </span>
              </td>
              <td>{agent.memoryUsage === null ? '–' : `${Math.round(agent.memoryUsage)} MB`}</td>
              <td>{agent.cpuUsage === null ? '–' : `${Math.round(agent.cpuUsage)} %`}</td>
              <td>{agent.timestamp === null ? 'never' : timeAgo(agent.timestamp, now)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const HEALTH_TONES = { healthy: 'good', degraded: 'attention', unresponsive: 'bad' } as const
