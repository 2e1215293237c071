// Ends the whole crew at once. Nothing it needs to do waits for something that may be broken, and each part is
// done even if another one fails.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fact } from '@treadle/contracts/event'
import type { AgentId, ItemRef } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { Actor } from '@treadle/contracts/order'
import { messageOf } from '@treadle/flow/fault'
import { checkpointRef } from '@treadle/flow/work/work-world'
import { noteInSession } from '../crew/session-note.ts'
import { workspaceOf } from '../crew/workspace-identity.ts'
import type { World } from '../world.ts'
import { recordOrder, unfinished } from './audit.ts'
import { heldHere } from './facts.ts'

export interface StopOrder {
  /** A person's name, or who in the system: `system:budget`. */
  readonly by: Actor
  readonly why: string
  /** What was shown to whoever confirmed it. */
  readonly impact?: string
  /** Of an order that another daemon of this workspace began and did not end. */
  readonly id?: string
}
export interface EmergencyStopped {
  readonly id: string
  readonly stopped: readonly AgentId[]
  readonly released: readonly ItemRef[]
  readonly outcome: string
  /** What did not work; the rest was done all the same. */
  readonly failed: readonly string[]
}

const AT_REST = {
  status: 'stopped',
  currentProjectNumber: null,
  currentPhase: null,
  branchName: null,
  currentTaskDescription: null,
} as const
/** How long the stop waits for its line in the audit log; a database that does not answer holds it up no longer. */
const WRITE_FIRST_MS = 500
/** How long the answer waits until the work in hand is under a reference; it gets there in any case. */
const KEEP_WAIT_MS = 2_000

export async function emergencyStop(world: World, order: StopOrder): Promise<EmergencyStopped> {
  const id = order.id ?? world.uuid()
  const given = { id, order: 'emergency_stop', by: order.by, target: null } as const
  const impact = order.impact ?? order.why
  const failed: string[] = []
  const attempt = async <T>(what: string, act: () => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await act()
    } catch (error) {
      world.log.error({ err: error }, `emergency stop: ${what}`)
      failed.push(`${what}: ${messageOf(error)}`)
      return otherwise
    }
  }
  // Known before anything happens: whoever comes after a daemon that dies over this knows what was meant, and ends it.
  const noted = attempt(
    'note',
    () => recordOrder(world, { ...given, impact, begun: world.workspace.id, outcome: 'begun' }),
    undefined,
  )
  await Promise.race([noted, sleep(WRITE_FIRST_MS, undefined, { ref: false })])
  // The processes first: everything else needs a database, which may be what is broken.
  await attempt('kill', () => world.crew.killAll(), undefined)
  const stopped = await attempt('stop', () => wantAllStopped(world), [])
  // Whoever was just being started while the others were killed.
  await attempt('kill again', () => world.crew.killAll(), undefined)
  const released = await attempt('release', () => releaseAll(world, order, { id, attempt }), [])
  const keeping = attempt('keep', () => keepWork(world, released, attempt), undefined)
  await Promise.race([keeping, sleep(KEEP_WAIT_MS, undefined, { ref: false })])
  const refs = released.map(({ projectNumber, number }) => ({ projectNumber, number }))
  const outcome = outcomeWords(stopped, refs, failed)
  await attempt('record', () => recordOrder(world, { ...given, impact, outcome }), undefined)
  return { id, stopped, released: refs, outcome, failed }
}

const ORDERS_MAX = 100

/** Ends the stops that a daemon of this workspace began and was killed over. */
export async function finishStops(world: World): Promise<void> {
  const newest = await world.store.events.newest({ type: 'order.given', limit: ORDERS_MAX })
  for (const stored of newest.reverse()) {
    const open = await unfinished(world, stored)
    if (open?.order !== 'emergency_stop' || (world.workspace.shared && open.begun !== world.workspace.id))
      continue
    world.log.warn({ by: open.by, at: stored.at }, 'an emergency stop was not ended; it is now')
    const { id, by, impact } = open
    await emergencyStop(world, { id, by, impact, why: 'begun by a daemon that was killed over it' })
  }
}

type Attempt = <T>(what: string, act: () => Promise<T>, otherwise: T) => Promise<T>

/** So that no supervisor, of whichever daemon, starts one of them again. */
async function wantAllStopped(world: World): Promise<AgentId[]> {
  const { store, paths, now, clock, uuid, log, crew, workspace } = world
  const rows = (await store.agents.list()).filter((row) => !crew.isElsewhere(row))
  const were = rows.filter(({ wanted, pid }) => wanted !== 'stopped' || pid !== null)
  // The names stay ours: the crew is to be there again when this is over.
  const nobody = { pid: null, pidStarted: null, workspace: workspaceOf(workspace), frozenAt: null }
  for (const { id, status } of were) {
    await store.agents.patch(id, { wanted: 'stopped', status: 'stopped', ...nobody })
    const facts: Fact[] = [
      { type: 'agent.stopped', why: 'emergency stop' },
      ...(status === 'stopped'
        ? []
        : [{ type: 'agent.status_changed', from: status, to: 'stopped' } as const]),
    ]
    for (const event of facts)
      await store.events.append({
        id: uuid(),
        at: now(),
        item: null,
        agentId: id,
        runId: null,
        state: null,
        event,
      })
    noteInSession({ sessions: paths.sessions, clock, log }, id, AT_REST, () => false)
  }
  return were.map(({ id }) => id)
}

async function releaseAll(
  world: World,
  { by, why }: StopOrder,
  { id, attempt }: { id: string; attempt: Attempt },
): Promise<Item[]> {
  const held = await heldHere(world)
  const released: Item[] = []
  for (const item of held) {
    const ref = { projectNumber: item.projectNumber, number: item.number }
    await attempt(
      `release #${item.number}`,
      async () => {
        const moved = await world.advance({
          item: ref,
          eventId: `emergency:${id}:${item.projectNumber}.${item.number}`,
          fence: null,
          agentId: item.claimedByAgentId,
          move: { type: 'claim.released', why: `emergency stop by ${by}: ${why}`.slice(0, 4_000) },
        })
        if (moved.is === 'advanced') released.push(item)
      },
      undefined,
    )
  }
  return released
}

/** What the killed agents had in their worktrees goes under a reference; a worktree that cannot is left alone. */
async function keepWork(world: World, released: readonly Item[], attempt: Attempt): Promise<void> {
  for (const { claimedByAgentId, projectNumber, number, runId } of released) {
    if (claimedByAgentId === null || runId === null) continue
    const worktree = `${world.paths.worktrees}/${claimedByAgentId}-${projectNumber}-${number}`
    await attempt(
      `keep the work on #${number}`,
      () => world.kept.keepWorktree(worktree, checkpointRef(runId, 'last')),
      undefined,
    )
  }
}

function outcomeWords(
  stopped: readonly AgentId[],
  released: readonly ItemRef[],
  failed: readonly string[],
): string {
  const items = released.map(({ number }) => `#${number}`)
  return [
    stopped.length === 0 ? 'no agent was running' : `stopped ${stopped.join(', ')}`,
    items.length === 0 ? 'no claim was held' : `released ${items.join(', ')}`,
    ...(failed.length === 0 ? [] : [`failed: ${failed.join('; ')}`]),
  ].join('; ')
}
