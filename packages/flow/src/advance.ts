// The only function that moves an item: lock, fence, dedupe, step, save, record, enqueue; one transaction.
import type { Config } from '@treadle/contracts/config'
import { AgentMove, type ItemMove, RunNote, type RunReport } from '@treadle/contracts/event'
import type { AgentId, EventId, ItemRef, RunId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { isHeld, STATES } from './flow.ts'
import { lessonsOf } from './learn/extract.ts'
import type { Store } from './ports.ts'
import { runAfterMove, runAfterNote } from './run-fold.ts'
import { step } from './step.ts'

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
      event: withoutHistory(order.move),
    })
    await settleRun(store, { before: item, after: next.item, move: order.move, now })
    const job = STATES[next.item.state].job
    if (job !== null) await store.jobs.send(job, { item: order.item })
    return { is: 'advanced', item: next.item }
  })
}

/** The run's row follows; what the run taught is recorded with its end, once. */
async function settleRun(
  store: Store,
  { before, after, move, now }: { before: Item; after: Item; move: ItemMove; now: Date },
): Promise<void> {
  const run = after.runId === null ? null : await store.runs.find(after.runId)
  if (run === null) return
  const patch = runAfterMove(run, { before, after }, move)
  if (patch === null) return
  await store.runs.patch(run.id, patch)
  if (patch.endedAt === undefined) return
  for (const lesson of lessonsOf({ before, after }, { ...run, ...patch }, move))
    await store.lessons.record(lesson, now)
}

/** History is kept once, in the run; the log says that it happened. */
function withoutHistory<E extends ItemMove | RunNote>(event: E): E {
  if (event.type === 'run.phase') return { ...event, record: { ...event.record, diff: '', fixes: [] } }
  if (!('records' in event)) return event
  const { records: _, ...rest } = event
  return rest as E
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
      event: withoutHistory(note.data),
    })
    const patch = runAfterNote(run, note.data)
    if (patch !== null) await store.runs.patch(runId, patch)
    return { is: 'recorded' }
  })
}
