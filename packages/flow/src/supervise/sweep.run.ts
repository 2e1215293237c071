// One sweep of the only recovery authority: deadlines, leases, and jobs that got lost. Every act has a fingerprint.
import type { AgentHealth } from '@treadle/contracts/agent'
import type { AgentId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { isWaiting, WAIT_EVENTS } from '../ask/waiting.ts'
import { decideLease } from '../claim/lease.ts'
import { isHeld, STATES } from '../flow.ts'
import type { MovingWorld } from '../ports/moving.ts'
import type { Store } from '../ports/store.ts'
import { needsReviewJob } from '../review/facts.ts'
import { runOverdue } from '../review/overdue.run.ts'

export interface SweepWorld extends MovingWorld {
  readonly store: Pick<Store, 'tx' | 'items' | 'events' | 'jobs' | 'reviews'>
  readonly healthOf: (id: AgentId) => Promise<AgentHealth | null>
  /** Halted by a pause: its clocks stand still until it goes on. */
  readonly isFrozen?: (id: AgentId) => Promise<boolean>
}
export interface Swept {
  readonly deadlines: number
  readonly leases: number
  readonly jobs: number
}

const BATCH = 100
/** Far enough back to find a question that is still open. */
const WAITS_MAX = 100
/** A job that was sent in the same transaction needs no second one; only an item that stayed does. */
const JOB_LOST_MS = 15_000

export async function runSweep(world: SweepWorld): Promise<Swept> {
  const now = world.now()
  const leases = await sweepLeases(world, now)
  const deadlines = await sweepDeadlines(world, now)
  const jobs = await sweepJobs(world, now)
  await runOverdue(world)
  return { deadlines, leases, jobs }
}

async function sweepLeases(world: SweepWorld, now: Date): Promise<number> {
  let released = 0
  for (const item of await world.store.items.inStates(statesWhere(isHeld), BATCH)) {
    if (item.claimedByAgentId === null || item.claimedAt === null) continue
    const choice = decideLease({
      now: now.getTime(),
      claimedAt: Date.parse(item.claimedAt),
      holder: await world.healthOf(item.claimedByAgentId),
      claimMs: world.config().limits.claimMs,
    })
    if (choice.is === 'keep') continue
    const why = `claim of ${item.claimedByAgentId} expired: ${choice.because}`
    const moved = await world.advance({
      item: refOf(item),
      eventId: `lease:${item.projectNumber}.${item.number}:${item.fence}`,
      fence: null,
      agentId: null,
      move: { type: 'claim.expired', why },
    })
    if (moved.is === 'advanced') released += 1
  }
  return released
}

async function sweepDeadlines(world: SweepWorld, now: Date): Promise<number> {
  let passed = 0
  for (const item of await world.store.items.due(now, BATCH)) {
    const holder = item.claimedByAgentId
    if (holder !== null && ((await world.isFrozen?.(holder)) ?? false)) continue
    // The answer, when it comes, gives back the time that was waited for it.
    if (holder !== null && (await waits(world, item, now))) continue
    const moved = await world.advance({
      item: refOf(item),
      eventId: `deadline:${item.projectNumber}.${item.number}:${item.deadlineAt}`,
      fence: null,
      agentId: null,
      move: { type: 'deadline.passed', state: item.state },
    })
    if (moved.is === 'advanced') passed += 1
  }
  return passed
}

async function waits({ store }: SweepWorld, item: Item, now: Date): Promise<boolean> {
  if (item.runId === null) return false
  return isWaiting(await store.events.ofItem(refOf(item), WAITS_MAX, WAIT_EVENTS), item.runId, now)
}

async function sweepJobs(world: SweepWorld, now: Date): Promise<number> {
  let sent = 0
  for (const item of await world.store.items.inStates(
    statesWhere((state) => STATES[state].job !== null),
    BATCH,
  )) {
    const job = STATES[item.state].job
    if (
      job === null ||
      now.getTime() - Date.parse(item.updatedAt) < JOB_LOST_MS ||
      (await isReviewed(world, item))
    )
      continue
    await world.store.jobs.sendIfLost(job, { item: refOf(item) })
    sent += 1
  }
  return sent
}

/** Checked, and now somebody else's turn. */
async function isReviewed(world: SweepWorld, item: Item): Promise<boolean> {
  if (item.state !== 'in_review') return false
  return !needsReviewJob(item, await world.store.reviews.latest(refOf(item)), world.config())
}

function statesWhere(test: (state: Item['state']) => boolean): Item['state'][] {
  return (Object.keys(STATES) as Item['state'][]).filter(test)
}

function refOf(item: Item): { projectNumber: number; number: number } {
  return { projectNumber: item.projectNumber, number: item.number }
}
