// Tells an alert of the monitor: its row and the event of its name, which sends the job of the PM agent.
import type { AlertContext } from '@treadle/contracts/alert'
import type { TreadleEvent } from '@treadle/contracts/event'
import { MonitorAlert, type Notification } from '@treadle/contracts/notification'
import type { Store } from '../../ports/store.ts'
import { type Finding, LEVELS } from './judge.ts'

interface AlertWorld {
  readonly store: Pick<Store, 'events' | 'jobs'>
  readonly now: () => Date
  readonly redact: (text: string) => string
}

const MESSAGE_MAX = 500

/** Within the transaction that makes the row, or counts it once more. Findings of other checks have no such event. */
export async function publishAlert(
  { store, now, redact }: AlertWorld,
  finding: Finding,
  row: { readonly id: number; readonly count: number },
): Promise<void> {
  const event = alertEvent(finding, row, redact)
  if (event === null) return
  await store.events.append({
    id: `alert:${row.id}:${row.count}`,
    at: now(),
    item: finding.fact?.item ?? null,
    agentId: null,
    runId: finding.fact?.runId ?? null,
    state: null,
    event,
  })
}

/** It lasts, and it was said that it is to be looked at again by now. */
export async function askAgain(
  { store, now, redact }: AlertWorld,
  finding: Finding,
  row: Notification,
): Promise<void> {
  const dueAt = row.decision?.checkAgainAt ?? null
  const event = alertEvent(finding, row, redact)
  if (event === null || dueAt === null || Date.parse(dueAt) > now().getTime()) return
  await store.jobs.send('coordinate', {
    eventId: `alert:${row.id}:${row.count}:${dueAt}`,
    type: event.type,
    event,
    item: finding.fact?.item ?? null,
    runId: finding.fact?.runId ?? null,
    agentId: null,
  })
}

function alertEvent(
  { alert, fact, text }: Finding,
  { id, count }: { readonly id: number; readonly count: number },
  redact: (text: string) => string,
): TreadleEvent | null {
  const type = MonitorAlert.safeParse(alert)
  if (!type.success || fact === undefined) return null
  const { source, context } = fact
  const message = redact(text).slice(0, MESSAGE_MAX)
  const told = { type: type.data, alert: id, count, severity: LEVELS[type.data], source, message }
  // Each kind of alert has the context of its kind: the finding made both.
  return { ...told, context } as TreadleEvent & { context: AlertContext }
}
