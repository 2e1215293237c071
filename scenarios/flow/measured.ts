// An agent's life as the tables hold it, made event by event at moments that a test chooses.
import { randomUUID } from 'node:crypto'
import type { TreadleEvent } from '@treadle/contracts/event'
import type { AgentId, ItemRef } from '@treadle/contracts/ids'
import { REVIEW_AGENT } from '@treadle/contracts/review'
import { crewMetrics } from '@treadle/flow/supervise/metrics/rates'
import type { OpenStore } from '@treadle/store/connect'
import { newItem, newProject } from '@treadle/store/testing/both-drivers'
import { claimFor } from '@treadle/store/testing/claim'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

/** A year of its own for each test that shares the store: nothing of the others is in its window. */
let lastYear = 2_000
function newEra() {
  lastYear += 1
  const now = new Date(Date.UTC(lastYear, 5, 30, 12))
  const ago = (ms: number) => new Date(now.getTime() - ms)
  return { now, ago }
}

let lastAgent = 0
export function newAgent(): AgentId {
  lastAgent += 1
  return `agent-${lastAgent}`
}

interface Happened {
  readonly at: Date
  readonly event: TreadleEvent
  readonly item?: ItemRef
  readonly agentId?: AgentId
  readonly runId?: string
  readonly state?: string
}

export function happen(
  store: OpenStore,
  { at, event, item, agentId, runId, state }: Happened,
): Promise<boolean> {
  const id = randomUUID()
  const subject = { item: item ?? null, agentId: agentId ?? null, runId: runId ?? null, state: state ?? null }
  return store.events.append({ id, at, ...subject, event })
}

export const become = (
  store: OpenStore,
  agentId: AgentId,
  to: 'idle' | 'working' | 'reviewing' | 'ideating',
  at: Date,
) => happen(store, { at, agentId, event: { type: 'agent.status_changed', from: null, to } })

export async function addItem(store: OpenStore, labels: string[] = []): Promise<ItemRef> {
  const { projectNumber, number } = await store.items.add(
    newItem({ projectNumber: newProject(), labels }),
    new Date(0),
  )
  return { projectNumber, number }
}

/** Nothing waits in the queue because of what was done; the state is the flow's, and the tables are what is counted. */
export async function work(
  store: OpenStore,
  given: { item: ItemRef; agentId: AgentId; from: Date; to: Date; outcome?: string },
) {
  const { item, agentId, from, to, outcome = 'success' } = given
  const runId = randomUUID()
  const claimed = await claimFor(store, { ref: item, agentId, at: from, runId })
  if (claimed.is !== 'taken') throw new Error(`not claimed: ${claimed.is}`)
  await store.runs.patch(runId, { outcome, endedAt: to.toISOString() })
  const found = await store.items.find(item)
  if (found !== null) await store.items.save({ ...found, claimedByAgentId: null, claimedAt: null })
  return runId
}

const HEAD = 'a'.repeat(40)
export async function review(
  store: OpenStore,
  given: {
    item: ItemRef
    runId: string
    agentId: AgentId
    cycle: number
    status: 'approved' | 'rejected'
    by: string
    at: Date
  },
) {
  const { item, runId, agentId, cycle, status, by, at } = given
  const made = await store.reviews.enqueue(
    { item, runId, agentId, cycle, branch: 'b', head: HEAD, criteria: [] },
    new Date(at.getTime() - HOUR),
  )
  await happen(store, {
    at: new Date(at.getTime() - HOUR / 2),
    item,
    agentId: by,
    event: { type: 'review.claimed', reviewId: made.id, cycle },
  })
  await store.reviews.patch(made.id, { status, decidedBy: by, decidedAt: at })
}

export const landed: TreadleEvent = { type: 'merge.landed', commit: HEAD, target: 'main', note: null }
export const failedMerge: TreadleEvent = { type: 'merge.failed', gates: [], why: 'red' }

export async function spend(
  store: OpenStore,
  given: { item: ItemRef | null; agentId: AgentId; usd: number; at: Date },
) {
  const { item, agentId, usd, at } = given
  await store.ledger.log({
    id: randomUUID(),
    agentId,
    projectNumber: item?.projectNumber ?? 1,
    itemNumber: item?.number ?? null,
    runId: null,
    model: 'm',
    tokens: { input: 1, output: 1 },
    costUSD: usd,
    assumed: false,
    timestamp: at.toISOString(),
  })
}

const PERIODS = { '24h': DAY, '7d': 7 * DAY, '30d': 30 * DAY } as const

export async function measure(store: OpenStore, now: Date, period: keyof typeof PERIODS) {
  const tallies = await store.metrics.tally({ now, since: new Date(now.getTime() - PERIODS[period]) })
  return crewMetrics(tallies, { period, now, target: { min: 3, max: 10 } })
}

export async function measureAgent(
  store: OpenStore,
  agentId: AgentId,
  now: Date,
  period: keyof typeof PERIODS,
) {
  const found = (await measure(store, now, period)).agents.find((agent) => agent.agentId === agentId)
  if (found === undefined) throw new Error(`${agentId} is not among the agents`)
  return found
}

/** Two that build, and a reviewer, all older than any period. */
export async function newCrew(store: OpenStore) {
  const { now, ago } = newEra()
  const one = newAgent()
  const two = newAgent()
  for (const id of [one, two, REVIEW_AGENT]) await store.agents.ensure(id, ago(60 * DAY))
  return { store, now, ago, one, two }
}
