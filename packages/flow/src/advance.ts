// The only function that moves an item: lock, fence, dedupe, step, save, record, enqueue; one transaction.
import type { Config } from '@treadle/contracts/config'
import { withFiles } from './claim/take-files.run.ts'
import { Fault } from './fault.ts'
import { isHeld, STATES } from './flow.ts'
import type {
  Advance,
  AdvanceClaim,
  Advanced,
  AdvanceRequest,
  ClaimRequest,
  ClaimStep,
} from './ports/moving.ts'
import type { Store } from './ports/store.ts'
import { step } from './step.ts'
import { lostInClaim } from './work/claim-changes.ts'
import type { AnyConsequence, Effect, Moved } from './work/consequence.ts'
import { runBegun } from './work/run-fold.ts'
import { withoutHistory } from './work/without-history.ts'

export interface AdvanceWorld {
  readonly store: Store
  readonly now: () => Date
  readonly config: () => Config
  /** What follows a move; the list is in consequences.ts. */
  readonly consequences: readonly AnyConsequence[]
}

/** Binds the two ways in which items are moved; called where adapters meet the flow. */
export function bindAdvance(world: AdvanceWorld): {
  readonly advance: Advance
  readonly advanceClaim: AdvanceClaim
} {
  return {
    advance: (request) => advance(world, request),
    advanceClaim: (request) => advanceClaim(world, request),
  }
}

export function advance(world: AdvanceWorld, request: AdvanceRequest): Promise<Advanced> {
  const { store } = world
  return store.tx(async () => {
    const item = await store.items.lock(request.item)
    if (item === null) return { is: 'missing' }
    if (await store.events.seen(request.eventId)) return { is: 'duplicate', item }
    if (request.fence !== null && (request.fence !== item.fence || !isHeld(item.state)))
      return { is: 'fenced', item }
    const now = world.now()
    const config = world.config()
    const next = step(item, request.move, { config, now })
    if (next.is === 'refused') return { is: 'refused', item, why: next.why }
    await store.items.save(next.item)
    await store.events.append({
      id: request.eventId,
      at: now,
      item: request.item,
      agentId: request.agentId,
      runId: item.runId,
      state: next.item.state,
      event: withoutHistory(request.move),
    })
    await follow(world, { ...request, before: item, after: next.item, now, config })
    const job = STATES[next.item.state].job
    if (job !== null) await store.jobs.send(job, { item: request.item })
    return { is: 'advanced', item: next.item }
  })
}

/**
 * The same for a claim, without a lock: the step is made on what was looked at, and one statement saves all of it
 * or nothing. Who is overtaken looks again.
 */
async function advanceClaim(
  world: AdvanceWorld,
  { found, agentId, runId, requestId }: ClaimRequest,
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
  const take = async (): Promise<ClaimStep> => {
    const taken = await world.store.claims.take({
      changes: next.item,
      version: found.version,
      requestId,
      run,
      event: { id: `claim:${runId}`, event: move },
    })
    return taken ? { is: 'claimed', item: next.item, run: runBegun(run), fence } : { is: 'overtaken' }
  }
  const { store, config } = world
  return withFiles({ store, limits: config().limits }, { item: found.item, agentId, runId, now }, take)
}

/** Each consequence in turn: what one has written, the next may read. */
async function follow({ store, consequences }: AdvanceWorld, move: Omit<Moved, 'run'>): Promise<void> {
  const { runId } = move.after
  const moved = { ...move, run: runId === null ? null : await store.runs.find(runId) }
  for (const consequence of consequences) {
    const facts = await consequence.read?.(store, moved)
    for (const effect of consequence.after(moved, facts)) await apply(store, effect)
  }
}

/** Effects go by the store's own verbs, so that a new noun needs no line here. */
async function apply(store: Store, { noun, verb, args }: Effect): Promise<void> {
  const verbs = store[noun] as unknown as Record<string, (...args: readonly unknown[]) => Promise<unknown>>
  const write = verbs[verb]
  if (write === undefined) throw new Error(`the store has no ${noun}.${verb}`)
  await write.apply(verbs, [...args])
}
