// Looks up what the monitor judges: tasks in hand with the time that counts, components, and circles of waiting.

import type { HealthReport } from '@treadle/contracts/health'
import type { AgentId } from '@treadle/contracts/ids'
import { type Item, ItemState } from '@treadle/contracts/item'
import { agentSubject, type Notification, type NotificationType } from '@treadle/contracts/notification'
import { isWaiting, WAIT_EVENTS } from '../../ask/waiting.ts'
import { isHeld, isQueued } from '../../flow.ts'
import type { AgentRow } from '../../ports/agents.ts'
import { loadOf } from '../agent-load.ts'
import { itemSubject } from '../notify/words.ts'
import { findWaitCycles } from '../wait-cycles.ts'
import type { HealthWorld } from './health-world.ts'
import type { Finding } from './judge.ts'
import {
  isTask,
  judgeBuilds,
  judgeComponents,
  judgeDeadlocks,
  judgeTasks,
  type WatchedComponent,
  type WatchedTask,
} from './monitor.ts'

const HELD = ItemState.options.filter(isHeld)
const OPEN_STATES = ItemState.options.filter((state) => isHeld(state) || isQueued(state))
/** More than a crew can have in hand. */
const HELD_MAX = 500
const EVENTS_MAX = 100
const CYCLES_MAX = 20

export async function lookAtTasks(world: HealthWorld, now: Date): Promise<Finding[]> {
  const { store } = world
  const held = (await store.items.inStates(HELD, HELD_MAX)).filter(isTask)
  const rows = await store.agents.list()
  const theirs = held.filter((item) => isTheirs(world, rows, item, now))
  const facts: WatchedTask[] = []
  for (const item of held) if (!theirs.includes(item)) facts.push(await taskFacts(world, item, { rows, now }))
  const elsewhere = new Set(theirs.map(itemSubject))
  const standing = await standingOf(world, 'alert.stuck_task', ({ subject }) => !elsewhere.has(subject))
  return judgeTasks({ facts, standing, now: now.getTime() }, world.config().monitoring)
}

/** Another daemon looks after whoever has it in hand, and is there itself: it alone says what is stuck, and what no more. */
function isTheirs(
  { isMine, config }: HealthWorld,
  rows: readonly AgentRow[],
  { claimedByAgentId }: Item,
  now: Date,
): boolean {
  const holder = rows.find(({ id }) => id === claimedByAgentId)
  if (holder === undefined || isMine(holder)) return false
  const heard = Date.parse(holder.lastHeartbeatAt ?? holder.startedAt ?? '1970-01-01')
  return now.getTime() - heard <= config().monitoring.componentMs
}

async function taskFacts(
  { store, awakeSince }: HealthWorld,
  item: Item,
  { rows, now }: { rows: readonly AgentRow[]; now: Date },
): Promise<WatchedTask> {
  const ref = { projectNumber: item.projectNumber, number: item.number }
  const holder = rows.find(({ id }) => id === item.claimedByAgentId)
  const told = await store.events.ofItem(ref, EVENTS_MAX, WAIT_EVENTS)
  const asked = item.runId !== null && isWaiting(told, item.runId, now)
  return {
    item,
    since: await clockOf({ store, awakeSince }, item),
    waits: asked || holder?.wanted === 'paused',
  }
}

/** From the claim on; a person who said that it may go on has started its clock anew. */
async function clockOf(
  { store, awakeSince }: Pick<HealthWorld, 'awakeSince'> & { store: Pick<HealthWorld['store'], 'events'> },
  item: Pick<Item, 'projectNumber' | 'number' | 'claimedAt' | 'createdAt'>,
): Promise<Date> {
  const ref = { projectNumber: item.projectNumber, number: item.number }
  const said = await store.events.ofItem(ref, EVENTS_MAX, ['decision.made'])
  const waits = said.flatMap(({ event, at }) =>
    event.type === 'decision.made' && event.option === 'wait' ? [Date.parse(at)] : [],
  )
  const claimed = Date.parse(item.claimedAt ?? item.createdAt)
  return new Date(Math.max(claimed, awakeSince().getTime(), ...waits))
}

export async function lookAtComponents(world: HealthWorld, now: Date): Promise<Finding[]> {
  const facts = await componentFacts(world)
  const rows = await world.store.agents.list()
  const elsewhere = new Set(rows.filter((row) => !world.isMine(row)).map(({ id }) => agentSubject(id)))
  const standing = await standingOf(world, 'alert.component_down', ({ subject }) => !elsewhere.has(subject))
  return judgeComponents({ facts, standing, now: now.getTime() }, world.config().monitoring)
}

type ComponentWorld = Pick<HealthWorld, 'awakeSince' | 'config' | 'isMine'> & {
  readonly store: Pick<HealthWorld['store'], 'agents' | 'items'>
}

async function componentFacts({
  store,
  awakeSince,
  config,
  isMine,
}: ComponentWorld): Promise<WatchedComponent[]> {
  const rows = await store.agents.list()
  return expectedOf(config().monitoring.components, rows.filter(isMine), rows).map((id) => {
    const row = rows.find((each) => each.id === id)
    const started = row?.startedAt == null ? 0 : Date.parse(row.startedAt)
    return {
      component: id,
      lastHeartbeat: row?.lastHeartbeatAt ?? null,
      since: new Date(Math.max(started, awakeSince().getTime())),
    }
  })
}

/** What the settings name, but for what another daemon looks after; else every agent that is to run. */
function expectedOf(
  named: readonly AgentId[] | null,
  mine: readonly AgentRow[],
  all: readonly AgentRow[],
): AgentId[] {
  if (named === null) return mine.filter(({ wanted }) => wanted === 'running').map(({ id }) => id)
  return named.filter((id) => mine.some((row) => row.id === id) || !all.some((row) => row.id === id))
}

/** The agents with what each has to do, and the components that are expected, as they are at the moment. */
export async function readWatched(
  world: ComponentWorld,
): Promise<Pick<HealthReport, 'loops' | 'components'>> {
  const { store, isMine } = world
  const rows = (await store.agents.list()).filter(isMine)
  const open = await store.items.inStates(OPEN_STATES, HELD_MAX)
  return {
    loops: rows.map(({ id, status }) => ({ id, name: id, status, currentLoad: loadOf(id, open) })),
    components: (await componentFacts(world)).map(({ component, lastHeartbeat }) => ({
      component,
      lastHeartbeat,
    })),
  }
}

export async function lookForDeadlocks(world: HealthWorld, now: Date): Promise<Finding[]> {
  const facts = findWaitCycles(await world.store.fileLocks.waits(now)).slice(0, CYCLES_MAX)
  return judgeDeadlocks({ facts, standing: await standingOf(world, 'alert.deadlock', () => true) })
}

const BUILDS_MAX = 100

export async function lookAtBuilds(world: HealthWorld, now: Date): Promise<Finding[]> {
  const { builds } = world.store
  const facts = await builds.inStatus(['failed'], BUILDS_MAX)
  // Each daemon knows the builds of its own workspace only, and of others it does not say that they are over.
  const isKnown = async ({ context }: Notification) =>
    context !== null && 'build' in context && (await builds.find(context.build)) !== null
  const standing = await standingOf(world, 'alert.build_failed', isKnown)
  return judgeBuilds({ facts, standing, now: now.getTime() })
}

/** Subjects of alerts that stand, and that this daemon may end. */
async function standingOf(
  { store }: HealthWorld,
  type: NotificationType,
  mayEnd: (alert: Notification) => boolean | Promise<boolean>,
): Promise<string[]> {
  const subjects: string[] = []
  for (const alert of await store.notifications.standing([type]))
    if (await mayEnd(alert)) subjects.push(alert.subject)
  return subjects
}
