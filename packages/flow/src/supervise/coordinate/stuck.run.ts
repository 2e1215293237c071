// A task that is stuck: watched, asked about, or taken from its agent. Decision and deed are one transaction.
import type { TreadleEvent } from '@treadle/contracts/event'
import { type ItemRef, itemLabel } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { alertDecision, decisionAskedAbout } from '@treadle/contracts/question'
import { withdrawQuestion } from '../../ask/settle.run.ts'
import { isHeld } from '../../flow.ts'
import type { FactJob } from '../../ports/jobs.ts'
import { decideStuck } from './decide.ts'
import type { PmWorld } from './pm-world.ts'
import { type AlertRef, recordDecision, requestDecision } from './record.run.ts'
import { isRunning } from './redistribute.ts'

type Stuck = Extract<TreadleEvent, { type: 'alert.stuck_task' }>

const OPEN_MAX = 50

export function runStuck(world: PmWorld, job: FactJob, event: Stuck): Promise<void> {
  const { store } = world
  return store.tx(async () => {
    const item = job.item === null ? null : await store.items.lock(job.item)
    // Delivered, given back or taken up anew meanwhile: nothing is stuck any more.
    if (item === null || !isSameClaim(item, event.context.fence)) return
    const agentId = item.claimedByAgentId
    if (agentId === null) return
    const task = itemLabel(item)
    const decision = decideStuck(
      { task, agentId, durationMs: event.context.duration },
      world.config().monitoring,
    )
    const about = { alert: event.alert, count: event.count }
    const isNew = await recordDecision(world, { job, about }, decision)
    if (decision.action === 'ESCALATE' && isNew)
      await requestDecision(world, { job, about }, decision, contextOf(item))
    if (decision.action === 'INTERRUPT') await interrupt(world, { item, about, reason: decision.reason })
  })
}

function isSameClaim(item: Pick<Item, 'state' | 'fence'>, fence: number): boolean {
  return isHeld(item.state) && item.fence === fence
}

/** The claim is gone, so its agent ends its turn, keeps the work and goes on with something else. */
async function interrupt(
  world: PmWorld,
  { item, about, reason }: { item: Item; about: AlertRef; reason: string },
): Promise<void> {
  const ref = refOf(item)
  await world.advance({
    item: ref,
    eventId: `pm:${about.alert}:${about.count}:interrupted`,
    fence: null,
    agentId: null,
    move: { type: 'item.escalated', why: reason },
  })
  const asked = await world.store.questions.list({ item: ref, status: 'open', limit: OPEN_MAX })
  const decision = alertDecision(about.alert, about.count)
  for (const { id } of asked.filter((each) => decisionAskedAbout(each) === decision)) {
    const kept = await world.store.questions.lock(id)
    const why = `nobody answered in time: ${reason}`
    if (kept?.record.status === 'open')
      await withdrawQuestion(world.store, kept.record, { why, now: world.now() })
  }
}

interface FollowedStuck {
  readonly ref: ItemRef
  /** The run that was stuck when somebody was asked. */
  readonly runId: string | null
  readonly decision: string
}

/** Within the transaction of the answer: what a person has decided about a task that was stuck. */
export async function followStuck(
  world: PmWorld,
  { ref, runId, decision }: FollowedStuck,
  { option, by }: { readonly option: string | null; readonly by: string },
): Promise<void> {
  const item = await world.store.items.lock(ref)
  // It was taken up anew since: nobody was asked about that claim.
  if (item === null || !isHeld(item.state) || item.runId !== runId) return
  const order = { item: ref, eventId: `decision:${decision}:followed`, fence: null }
  if (option === 'skip')
    await world.advance({ ...order, agentId: null, move: { type: 'item.withdrawn', by } })
  if (option !== 'retry') return
  const from = item.claimedByAgentId
  const others = (await world.store.agents.list()).filter((row) => row.id !== from && isRunning(row))
  // Alone, it begins anew itself; nobody else would come for it.
  const to = others.length > 0 ? null : from
  await world.advance({ ...order, agentId: from, move: { type: 'item.assigned', by, to } })
}

function contextOf({ title, phase, claimedByAgentId }: Item): string {
  const at = phase === null ? '' : `, phase ${phase}`
  return `${title}${at}. ${claimedByAgentId ?? 'An agent'} has it in hand. Without an answer it is taken from it when its time is over.`
}

export function refOf({ projectNumber, number }: ItemRef): ItemRef {
  return { projectNumber, number }
}
