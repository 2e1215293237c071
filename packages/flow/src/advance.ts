// The only function that moves an item: lock, fence, dedupe, step, save, record, enqueue; one transaction.
import type { Config } from '@treadle/contracts/config'
import { AgentMove, type ItemMove, RunNote, type RunReport } from '@treadle/contracts/event'
import type { AgentId, EventId, ItemRef, RunId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { Run } from '@treadle/contracts/run'
import { isHeld, STATES } from './flow.ts'
import type { RunPatch, Store } from './ports.ts'
import { step } from './step.ts'

/** Entries kept in a run; older ones stay in the event log. */
const HISTORY_MAX = 200

export interface AdvanceWorld {
  readonly store: Store
  readonly now: () => Date
  readonly config: () => Config
}

export interface Advance {
  readonly item: ItemRef
  readonly eventId: EventId
  /** The fencing token of the claim under which this is said; null for the daemon's own moves. */
  readonly fence: number | null
  readonly agentId: AgentId | null
  readonly move: ItemMove
}

export type Advanced =
  | { readonly is: 'advanced'; readonly item: Item }
  | { readonly is: 'duplicate'; readonly item: Item }
  | { readonly is: 'fenced'; readonly item: Item }
  | { readonly is: 'refused'; readonly item: Item; readonly why: string }
  | { readonly is: 'missing' }

export function advance(world: AdvanceWorld, order: Advance): Promise<Advanced> {
  const { store } = world
  return store.tx(async () => {
    const item = await store.items.lock(order.item)
    if (item === null) return { is: 'missing' }
    if (await store.events.seen(order.eventId)) return { is: 'duplicate', item }
    if (order.fence !== null && (order.fence !== item.fence || !isHeld(item.state)))
      return { is: 'fenced', item }
    const now = world.now()
    const next = step(item, order.move, { config: world.config(), now })
    if (next.is === 'refused') return { is: 'refused', item, why: next.why }
    await store.items.save(next.item)
    await store.events.append({
      id: order.eventId,
      at: now,
      item: order.item,
      agentId: order.agentId,
      runId: item.runId,
      state: next.item.state,
      event: order.move,
    })
    await settleRun(store, item, next.item, order.move)
    const job = STATES[next.item.state].job
    if (job !== null) await store.jobs.send(job, { item: order.item })
    return { is: 'advanced', item: next.item }
  })
}

/** The run follows the item: gates as they were found, and an end when the agent lets go. */
async function settleRun(store: Store, before: Item, after: Item, move: ItemMove): Promise<void> {
  if (after.runId === null || !isHeld(before.state)) return
  const patch: RunPatch = {
    ...('gates' in move ? { gates: move.gates } : {}),
    ...(move.type === 'build.finished' ? { iteration: after.attempts } : {}),
    ...(isHeld(after.state) ? {} : { ...endingOf(move), endedAt: after.updatedAt }),
  }
  if (Object.keys(patch).length > 0) await store.runs.patch(after.runId, patch)
}

function endingOf(move: ItemMove): RunPatch {
  switch (move.type) {
    case 'verify.passed':
      return { status: 'complete', outcome: 'success' }
    case 'claim.released':
    case 'claim.expired':
      return { status: 'error', outcome: 'released' }
    case 'item.withdrawn':
      return { status: 'error', outcome: 'withdrawn' }
    case 'deadline.passed':
      return { status: 'error', outcome: 'failed' }
    default:
      return { status: 'error', outcome: 'escalation' }
  }
}

export interface Report {
  readonly runId: RunId
  readonly eventId: EventId
  readonly fence: number
  readonly event: RunReport
}
export type Reported = Advanced | { readonly is: 'recorded' }

/** What an agent says of its run: a move goes through advance, a note is recorded under the same fence. */
export function report(world: AdvanceWorld, { runId, eventId, fence, event }: Report): Promise<Reported> {
  const { store } = world
  return store.tx(async (): Promise<Reported> => {
    const run = await store.runs.find(runId)
    if (run === null) return { is: 'missing' }
    const order = { item: run.item, eventId, fence, agentId: run.agentId }
    // A token belongs to one run: an old run does not borrow the new one's.
    const fenced = fence !== run.fence
    const note = RunNote.safeParse(event)
    if (!note.success && !fenced) return advance(world, { ...order, move: AgentMove.parse(event) })
    const item = await store.items.lock(run.item)
    if (item === null) return { is: 'missing' }
    if (await store.events.seen(eventId)) return { is: 'duplicate', item }
    if (fenced || !note.success || fence !== item.fence) return { is: 'fenced', item }
    await store.events.append({
      id: eventId,
      at: world.now(),
      item: run.item,
      agentId: run.agentId,
      runId,
      state: item.state,
      event: note.data,
    })
    const patch = noted(run, note.data)
    if (patch !== null) await store.runs.patch(runId, patch)
    return { is: 'recorded' }
  })
}

function noted(run: Run, note: RunNote): RunPatch | null {
  switch (note.type) {
    case 'run.phase':
      return { phase: note.record.phase, history: [...run.history, note.record].slice(-HISTORY_MAX) }
    case 'run.used':
      return { usage: [...run.usage, note.usage].slice(-HISTORY_MAX) }
    case 'run.baseline':
      return { base: note.base, baseline: note.gates }
    case 'run.observed':
    case 'run.resumed':
      return null
  }
}
