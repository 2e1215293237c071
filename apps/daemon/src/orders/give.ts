// Does what was ordered, and says what came of it.
import { rmSync } from 'node:fs'
import type { AgentId } from '@treadle/contracts/ids'
import type { Actor, Order, PurgedItem } from '@treadle/contracts/order'
import { PHASE_FLAGS } from '@treadle/contracts/order'
import { messageOf } from '@treadle/flow/fault'
import {
  aloneWords,
  hasOthers,
  isActive,
  type OrderFacts,
  stuckOf,
} from '@treadle/flow/supervise/orders/impact'
import { sessionPath } from '../crew/session-note.ts'
import { Refusal } from '../refusal.ts'
import type { World } from '../world.ts'
import { emergencyStop } from './emergency-stop.ts'
import { findPurge, purgeQueue, undoPurge } from './purge.ts'
import { FALLBACK, turnOff } from './rollback.ts'

export interface Ordered {
  readonly by: Actor
  readonly impact: string
  readonly facts: OrderFacts
}
export interface OrderResult {
  readonly outcome: string
  readonly failed: readonly string[]
  /** What a purge took out. */
  readonly items?: PurgedItem[]
  /** Written down already, under this id. */
  readonly recordedAs?: string
}

export async function give(
  world: World,
  order: Order,
  given: Ordered & { id: string },
): Promise<OrderResult> {
  const { by, facts, id } = given
  switch (order.is) {
    case 'emergency_stop': {
      const done = await emergencyStop(world, { by, why: `ordered by ${by}`, impact: given.impact })
      return { outcome: done.outcome, failed: done.failed, recordedAs: done.id }
    }
    case 'stop_all':
      return toAll(facts, isActive, 'stopped', (agent) => world.crew.order(agent, 'stop'))
    case 'pause_all':
      return toAll(facts, isRunningOne, 'paused', (agent) =>
        world.crew.order(agent, 'pause', { now: order.now }),
      )
    case 'resume_all':
      return toAll(facts, isPaused, 'resumed', (agent) => world.crew.order(agent, 'resume'))
    case 'reassign':
      return reassign(world, order, given)
    case 'reset':
      return reset(world, order.agentId, facts)
    case 'recover':
      return recover(world, given)
    case 'purge': {
      const items = await purgeQueue(world, id, { items: facts.queued, by })
      return { ...told(items, 'withdrew', 'the queue was empty'), items }
    }
    case 'undo_purge': {
      const purge = await findPurge(world, order.purge)
      const back = purge === null ? [] : await undoPurge(world, purge, { items: facts.purged, by })
      return told(back, 'put back', 'there was nothing to put back')
    }
    case 'rollback': {
      const flag = PHASE_FLAGS[order.phase]
      const off = turnOff(world.paths, flag)
      if (off.is === 'no') throw unchangeable(off.why, flag)
      const stop = await toAll(facts, isActive, 'stopped', (agent) => world.crew.order(agent, 'stop'))
      return { ...stop, outcome: `flags.${flag} is false; ${stop.outcome}. ${FALLBACK}` }
    }
  }
}

/** Nothing was done: who gave the order decides how to go on. */
export function unchangeable(why: string, flag: string): Refusal {
  return new Refusal(
    `${why}. Nothing was changed, and no agent was stopped.`,
    `Put the file right and give the order again, or write "flags": { "${flag}": false } into it yourself. To stop the agents now: treadle stop-all --graceful`,
  )
}

type AgentFacts = OrderFacts['agents'][number]
const isRunningOne = ({ wanted }: AgentFacts) => wanted === 'running'
const isPaused = ({ wanted }: AgentFacts) => wanted === 'paused'

/** All at the same time: nobody waits for another one's end. */
async function toAll(
  facts: OrderFacts,
  concerns: (agent: AgentFacts) => boolean,
  past: string,
  act: (id: AgentId) => Promise<void>,
): Promise<OrderResult> {
  const ids = facts.agents.filter(concerns).map(({ id }) => id)
  const ends = await Promise.allSettled(ids.map(act))
  const failed = ends.flatMap((end, at) =>
    end.status === 'rejected' ? [`${ids[at]}: ${messageOf(end.reason)}`] : [],
  )
  const done = ids.filter((_, at) => ends[at]?.status === 'fulfilled')
  return { outcome: done.length === 0 ? `nobody was ${past}` : `${past} ${done.join(', ')}`, failed }
}

async function reassign(
  world: World,
  { item, to }: Extract<Order, { is: 'reassign' }>,
  { by, facts, id }: Ordered & { id: string },
): Promise<OrderResult> {
  const from = facts.item?.claimedByAgentId ?? null
  if (from !== null && from === to) return { outcome: `#${item.number} is with ${to} already`, failed: [] }
  const moved = await world.store.tx(async () => {
    const now = await world.store.items.lock(item)
    // What was confirmed was this claim; the next one is another matter.
    if (now !== null && now.fence !== facts.item?.fence) return null
    const move = { type: 'item.assigned', by, to } as const
    return world.advance({ item, eventId: `assign:${id}`, fence: null, agentId: from, move })
  })
  if (moved?.is === 'advanced')
    return {
      outcome: `${from === null ? '' : `taken from ${from}, `}${nextWords(facts, from, to)}`,
      failed: [],
    }
  const why = moved?.is === 'refused' ? moved.why : 'it has just changed hands'
  return { outcome: 'nothing was changed', failed: [`#${item.number}: ${why}`] }
}

function nextWords({ agents }: OrderFacts, from: AgentId | null, to: AgentId | null): string {
  if (to !== null) return `kept for ${to}`
  if (from === null) return 'back in the queue'
  return hasOthers(agents, from)
    ? 'back in the queue for the others'
    : `back in the queue. ${aloneWords(from)}`
}

/** The record of costs and orders stays; what is counted about the agent starts at this moment. */
async function reset(world: World, id: AgentId, facts: OrderFacts): Promise<OrderResult> {
  const { crew, store, paths, now } = world
  const before = facts.agents.find((agent) => agent.id === id)
  await crew.order(id, 'stop')
  rmSync(sessionPath(paths.sessions, id), { force: true })
  await store.agents.patch(id, {
    tasksCompleted: 0,
    errorCount: 0,
    lastError: null,
    restarts: 0,
    metricsSince: now(),
  })
  await store.agents.forgiveRestarts(id)
  if (before === undefined || !isActive(before))
    return { outcome: `${id} was reset; it is stopped`, failed: [] }
  await crew.order(id, 'start')
  return { outcome: `${id} was reset and started from idle`, failed: [] }
}

async function recover(world: World, { by, facts }: Ordered): Promise<OrderResult> {
  const released: PurgedItem[] = []
  const { store } = world
  for (const { item, because } of stuckOf(facts)) {
    const { projectNumber, number, fence } = item
    const ref = { projectNumber, number }
    const moved = await store.tx(async () => {
      if ((await store.items.lock(ref))?.fence !== fence) return null
      const reason = because === 'old' ? 'held for too long' : 'its holder is gone'
      return world.advance({
        item: ref,
        eventId: `recover:${projectNumber}.${number}:${fence}`,
        fence: null,
        agentId: item.claimedByAgentId,
        move: { type: 'claim.expired', why: `recovered by ${by}: ${reason}` },
      })
    })
    if (moved?.is === 'advanced') released.push({ ...ref, state: 'backlog', reason: null })
  }
  return told(released, 'released', 'no claim was stuck')
}

function told(items: readonly PurgedItem[], past: string, nothing: string): OrderResult {
  const labels = items.map(({ number }) => `#${number}`).join(', ')
  return { outcome: items.length === 0 ? nothing : `${past} ${labels}`, failed: [] }
}
