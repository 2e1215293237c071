// What an agent says of its run: a move goes through advance(), a note is recorded under the same fence.
import { AgentMove, RunNote, type RunReport } from '@treadle/contracts/event'
import type { EventId, RunId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { runGiveBack } from './claim/given-back.run.ts'
import { isHeld } from './flow.ts'
import type { Advanced, AdvanceRequest, MovingWorld } from './ports/moving.ts'
import type { Store } from './ports/store.ts'
import { isOnlyRecorded, runAfterNote } from './work/run-fold.ts'
import { withoutHistory } from './work/without-history.ts'

export interface ReportWorld extends MovingWorld {
  readonly store: Pick<Store, 'tx' | 'items' | 'runs' | 'events'>
}

export interface Report {
  readonly runId: RunId
  readonly eventId: EventId
  readonly fence: number
  readonly event: RunReport
}
export type Reported = Advanced | { readonly is: 'recorded' }

export async function report(world: ReportWorld, said: Report): Promise<Reported> {
  const note = RunNote.safeParse(said.event)
  if (note.success && isOnlyRecorded(note.data)) {
    const { runId, eventId: id, fence } = said
    const recorded = await world.store.events.note({ id, at: world.now(), runId, fence, event: note.data })
    if (recorded) return { is: 'recorded' }
  }
  return reportHeld(world, said)
}

function reportHeld(world: ReportWorld, { runId, eventId, fence, event }: Report): Promise<Reported> {
  const { store } = world
  return store.tx(async (): Promise<Reported> => {
    const run = await store.runs.find(runId)
    if (run === null) return { is: 'missing' }
    const request = { item: run.item, eventId, fence, agentId: run.agentId }
    // A token belongs to one run: an old run does not borrow the new one's.
    const fenced = fence !== run.fence
    const note = RunNote.safeParse(event)
    if (!note.success && !fenced) {
      const move = await runGiveBack(world, { item: run.item, runId, move: AgentMove.parse(event) })
      return world.advance({ ...request, move })
    }
    const item = await store.items.lock(run.item)
    if (item === null) return { is: 'missing' }
    if (await store.events.seen(eventId)) return { is: 'duplicate', item }
    if (fenced || !note.success || fence !== item.fence || comesTooLate(note.data, item))
      return { is: 'fenced', item }
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
    await extendOver(world, request, note.data)
    return { is: 'recorded' }
  })
}

/** What was delivered is held against what was red before it: that is settled with the delivery. */
function comesTooLate({ type }: RunNote, { state }: Item): boolean {
  return type === 'run.baseline' && !isHeld(state)
}

/** A pause that a limit of use has forced counts for no deadline. */
async function extendOver(
  world: ReportWorld,
  { item, eventId, agentId }: Pick<AdvanceRequest, 'item' | 'eventId' | 'agentId'>,
  note: RunNote,
): Promise<void> {
  if (note.type !== 'run.paused') return
  const byMs = Date.parse(note.until) - world.now().getTime()
  if (byMs < 1) return
  const move = { type: 'claim.extended', byMs, why: note.why } as const
  await world.advance({ item, eventId: `${eventId}:pause`, fence: null, agentId, move })
}
