// Open alerts as lines for every screen, each with what can be done about it.
import type { Agent } from '@treadle/contracts/agent'
import type { Client } from '@treadle/contracts/client'
import { isAtLeast, type Notification } from '@treadle/contracts/notification'
import { timeAgo } from '@treadle/contracts/words/time'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Live } from '../live/live.ts'
import { useAnswer } from '../live/use-answer.ts'
import { RestartDialog } from '../parts/agent-orders.tsx'
import { hrefOf } from '../parts/route.model.ts'
import { useHost } from '../webview/host-context.tsx'
import { alertsIn, alertTarget, isToast, LEVEL, orderAlerts, toRestart } from './alerts.model.ts'
import { SeenButton } from './seen-button.tsx'

/** Notifications that nobody has seen: an editor shows all of them, the banner the alerts alone. */
const ask = async (client: Client) => (await client.listNotifications({ query: { limit: 500 } })).items

/** Alerts that nobody has seen, the gravest first; an editor around the page is told of new ones. */
export function useAlerts(live: Live, last: number): readonly Notification[] {
  const { answer } = useAnswer(live, ask, last)
  useToasts(answer)
  return useMemo(() => orderAlerts(alertsIn(answer ?? [])), [answer])
}

interface RowProps {
  readonly alert: Notification
  readonly agents: readonly Agent[]
  readonly now: number
}

export function AlertRow({ alert, agents, now }: RowProps) {
  const [asked, setAsked] = useState(false)
  const { level, title, text, count, updatedAt } = alert
  const { words, tone } = LEVEL[level]
  const agent = toRestart(alert, agents)
  const target = alertTarget(alert)
  return (
    <li className="banner line alert" data-tone={tone} data-level={level}>
      {/* A grave alert interrupts a screen reader, others wait their turn. */}
      <p className="alert-what" role={isAtLeast(level, 'error') ? 'alert' : 'status'}>
        <span className="badge">{words}</span>{' '}
        <strong title={text} dir="auto">
          {title}
        </strong>
      </p>
      <p className="alert-when muted">
        {count > 1 && `${count} times, `}
        {timeAgo(updatedAt, now)}
      </p>
      <div className="alert-acts">
        {agent !== null && (
          <button type="button" aria-label={`Restart agent: ${agent.id}`} onClick={() => setAsked(true)}>
            Restart agent
          </button>
        )}
        <a href={hrefOf(target.route)}>{target.words}</a>
        <SeenButton notification={alert} className="plain" />
      </div>
      {asked && agent !== null && <RestartDialog agent={agent} onClose={() => setAsked(false)} />}
    </li>
  )
}

/** The editor shows what is new, also while the page is hidden behind others; what stood before is not new. */
function useToasts(alerts: readonly Notification[] | null): void {
  const host = useHost()
  const known = useRef<ReadonlyMap<number, number> | null>(null)
  useEffect(() => {
    if (alerts === null) return
    const before = known.current
    known.current = new Map(alerts.map(({ id, count }) => [id, count]))
    if (host === null || before === null) return
    for (const told of alerts)
      if (before.get(told.id) !== told.count && isToast(told)) host.notify(told.level, told.title, told.text)
  }, [alerts, host])
}
