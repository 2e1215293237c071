// A component that is down is restarted by the crew. What was decided is written first; whoever comes after a kill sees
// by the moment of its start whether that was done.
import type { TreadleEvent } from '@treadle/contracts/event'
import { AgentId } from '@treadle/contracts/ids'
import { Fault } from '../../fault.ts'
import type { AgentRow } from '../../ports/agents.ts'
import type { FactJob } from '../../ports/jobs.ts'
import { decideComponent } from './decide.ts'
import type { PmWorld } from './pm-world.ts'
import { recordDecision, requestDecision } from './record.run.ts'

type Down = Extract<TreadleEvent, { type: 'alert.component_down' }>

const HOUR_MS = 3_600_000
const DECISIONS_MAX = 200

export async function runComponentDown(world: PmWorld, job: FactJob, event: Down): Promise<void> {
  const component = AgentId.parse(event.context.component)
  const row = await world.store.agents.find(component)
  if (row !== null && world.isElsewhere(row))
    throw new Fault('coordinate', `${component} is looked after by another daemon`)
  if (row !== null && isWell(row, event)) return
  const decidedAt = await decide(world, { job, event, component, row })
  if (decidedAt === null || hasStartedSince(await world.store.agents.find(component), decidedAt)) return
  await world.restart(component)
}

interface ComponentDown {
  readonly job: FactJob
  readonly event: Down
  readonly component: AgentId
  readonly row: AgentRow | null
}

/** When it was decided to restart it; null: something else was. */
function decide(world: PmWorld, down: ComponentDown): Promise<Date | null> {
  const { job, event, component, row } = down
  const { store } = world
  return store.tx(async () => {
    const about = { alert: event.alert, count: event.count }
    const before = await decidedBefore(world, event)
    if (before !== null) return before
    const restarts = await restartsOf(world, component)
    const { wanted = null, status = null } = row ?? {}
    const decision = decideComponent({ component, wanted, status, restarts }, world.config().monitoring)
    const isNew = await recordDecision(world, { job, about }, decision)
    if (decision.action === 'ESCALATE' && isNew)
      await requestDecision(world, { job, about }, decision, lastErrorOf(row))
    return decision.action === 'RESTART' ? world.now() : null
  })
}

/** The same job has come as far as the decision, and was killed after it. */
async function decidedBefore({ store }: PmWorld, { alert, count }: Down): Promise<Date | null> {
  if (!(await store.events.seen(`pm:${alert}:${count}:RESTART`))) return null
  const known = (await store.notifications.find(alert))?.decision ?? null
  return known?.action === 'RESTART' ? new Date(known.at) : null
}

function lastErrorOf(row: AgentRow | null): string {
  const last = row?.lastError ?? null
  return last === null ? '' : `Its last error: ${last}`.slice(0, 4_000)
}

async function restartsOf({ store, now }: PmWorld, component: AgentId): Promise<number> {
  const since = now().getTime() - HOUR_MS
  const decided = await store.events.newest({ type: 'pm.decided', limit: DECISIONS_MAX })
  return decided.filter(
    ({ at, event }) =>
      event.type === 'pm.decided' &&
      event.action === 'RESTART' &&
      event.target === component &&
      Date.parse(at) > since,
  ).length
}

/** It has said something since it was told to be down. */
function isWell({ lastHeartbeatAt }: AgentRow, { context }: Down): boolean {
  return lastHeartbeatAt !== null && lastHeartbeatAt !== context.last_heartbeat
}

export function hasStartedSince(row: AgentRow | null, at: Date): boolean {
  return row?.startedAt != null && Date.parse(row.startedAt) > at.getTime()
}
