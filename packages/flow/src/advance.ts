// The only function that moves an item: lock, fence, dedupe, step, save, record, enqueue; one transaction.
import type { Config } from '@treadle/contracts/config'
import { AgentMove, type ItemMove, RunNote, type RunReport } from '@treadle/contracts/event'
import { type AgentId, type EventId, type ItemRef, NO_REMOTE, type RunId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import type { Run } from '@treadle/contracts/run'
import { Fault } from './fault.ts'
import { isHeld, STATES } from './flow.ts'
import { discoveredIn } from './learn/discovered.ts'
import { lessonsOf } from './learn/extract.ts'
import { recordAfter } from './merge/conflict/record.ts'
import { conflictComment } from './merge/conflict/words.ts'
import type { ClaimFound } from './ports/claims.ts'
import type { Store } from './ports/store.ts'
import { settleReview } from './review/record.run.ts'
import { step } from './step.ts'
import { lostInClaim } from './work/claim-changes.ts'
import { isOnlyRecorded, runAfterMove, runAfterNote, runBegun } from './work/run-fold.ts'

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
    await settleConflict(store, order, { before: item, after: next.item, now })
    await settlePush(store, order, { after: next.item, now })
    await settleBreaker(store, order, { after: next.item, until: breakUntil(world, now), now })
    const { limits, review } = world.config()
    await settleReview(store, order, {
      before: item,
      after: next.item,
      now,
      cyclesMax: limits.reviewCycles,
      rejectionPercent: review.rejectionPercent,
    })
    const job = STATES[next.item.state].job
    if (job !== null) await store.jobs.send(job, { item: order.item })
    return { is: 'advanced', item: next.item }
  })
}

/** What a claim leads to; `fence` is the token under which the agent speaks from now on. */
export type ClaimStep =
  | { readonly is: 'claimed'; readonly item: Item; readonly run: Run; readonly fence: number }
  | { readonly is: 'overtaken' }

/**
 * The same for a claim, without a lock: the step is made on what was looked at, and one statement saves all of it
 * or nothing. Who is overtaken looks again.
 */
export async function advanceClaim(
  world: AdvanceWorld,
  { found, agentId, runId, requestId }: ClaimOrder,
): Promise<ClaimStep> {
  const now = world.now()
  const { projectNumber, number } = found.item
  const item = { projectNumber, number }
  const move = { type: 'claim.taken', agentId, runId } as const
  const fence = found.item.fence + 1
  const held = { ...found.item, claimedByAgentId: agentId, claimedAt: now.toISOString(), fence, runId }
  const next = step(held, move, { config: world.config(), now })
  if (next.is === 'refused') throw new Fault('claim', `#${number} was free: ${next.why}`)
  const lost = lostInClaim(found.item, next.item)
  if (lost !== null) throw new Error(`a claim does not write ${lost}, and the step has changed it`)
  const run = { id: runId, item, agentId, fence, at: now }
  const taken = await world.store.claims.take({
    changes: next.item,
    version: found.version,
    requestId,
    run,
    event: { id: `claim:${runId}`, event: move },
  })
  return taken ? { is: 'claimed', item: next.item, run: runBegun(run), fence } : { is: 'overtaken' }
}

interface ClaimOrder {
  readonly found: Extract<ClaimFound, { is: 'free' }>
  readonly agentId: AgentId
  readonly runId: RunId
  readonly requestId: EventId | null
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
  // What a failed attempt taught is worth knowing at once, and all of it when the run is over.
  if (patch.endedAt !== undefined || move.type === 'verify.failed')
    await store.jobs.send('learn', { item: run.item, runId: run.id })
  if (patch.endedAt === undefined) return
  const ended = { ...run, ...patch }
  const commit = move.type === 'verify.passed' ? move.head : null
  for (const lesson of [...lessonsOf({ before, after }, ended, move), ...discoveredIn(ended, commit)])
    await store.lessons.record(lesson, now)
}

/** The record of a conflict follows; one that waits for a person is told on the item and to the owner. */
async function settleConflict(
  { conflicts, events }: Store,
  { item, eventId, move }: Advance,
  { before, after, now }: { before: Item; after: Item; now: Date },
): Promise<void> {
  const change = recordAfter(before, move)
  if (change === null) return
  if (change.is === 'close') return conflicts.close(item, change.how, now)
  if (change.is === 'resolving') return conflicts.resolving(item)
  const { branch, headCommit: head, runId, state } = after
  if (branch === null || head === null) return
  await conflicts.open({ item, branch, head, files: change.files, why: change.why }, now)
  const told = { at: now, item, agentId: null, runId, state }
  const text = conflictComment({ branch, files: change.files, why: change.why })
  await events.append({
    ...told,
    id: `${eventId}:comment`,
    event: { type: 'item.commented', by: 'treadle', text: text.slice(0, 16_384) },
  })
  await events.append({
    ...told,
    id: `${eventId}:notice`,
    event: { type: 'owner.notified', about: 'conflict', text: `${branch} cannot be merged: ${change.why}` },
  })
}

/** A delivery that is not at origin, although there is one, is the owner's to know. */
async function settlePush(
  { events }: Store,
  { item, agentId, move }: Advance,
  { after, now }: { after: Item; now: Date },
): Promise<void> {
  if (move.type !== 'verify.passed' || move.pushNote === null || move.pushNote === NO_REMOTE) return
  const { runId, state } = after
  await events.append({
    id: `push:${runId}:${move.head.slice(0, 12)}`,
    at: now,
    item,
    agentId,
    runId,
    state,
    event: { type: 'owner.notified', about: 'push', text: `${move.branch}: ${move.pushNote}` },
  })
}

function breakUntil({ config }: AdvanceWorld, now: Date): string {
  return new Date(now.getTime() + config().limits.engineBreakMs).toISOString()
}

/** An engine whose key was refused refuses the next item too: nobody is let claim for it for a while. */
async function settleBreaker(
  { events }: Store,
  { item, agentId, eventId, move }: Advance,
  { after, until, now }: { after: Item; until: string; now: Date },
): Promise<void> {
  if (move.type !== 'claim.released' || move.engine === undefined) return
  const { runId, state } = after
  await events.append({
    id: `${eventId}:rest`,
    at: now,
    item,
    agentId,
    runId,
    state,
    event: { type: 'engine.suspended', engine: move.engine, why: move.why, until },
  })
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
export async function report(world: AdvanceWorld, said: Report): Promise<Reported> {
  const note = RunNote.safeParse(said.event)
  if (note.success && isOnlyRecorded(note.data)) {
    const { runId, eventId: id, fence } = said
    const recorded = await world.store.events.note({ id, at: world.now(), runId, fence, event: note.data })
    if (recorded) return { is: 'recorded' }
  }
  return reportHeld(world, said)
}

function reportHeld(world: AdvanceWorld, { runId, eventId, fence, event }: Report): Promise<Reported> {
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
    await extendOver(world, order, note.data)
    return { is: 'recorded' }
  })
}

/** A pause that a limit of use has forced counts for no deadline. */
async function extendOver(
  world: AdvanceWorld,
  { item, eventId, agentId }: Pick<Advance, 'item' | 'eventId' | 'agentId'>,
  note: RunNote,
): Promise<void> {
  if (note.type !== 'run.paused') return
  const byMs = Date.parse(note.until) - world.now().getTime()
  if (byMs < 1) return
  const move = { type: 'claim.extended', byMs, why: note.why } as const
  await advance(world, { item, eventId: `${eventId}:pause`, fence: null, agentId, move })
}
