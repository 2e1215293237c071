// A thought from the asking to its end: claimed under a fence, told of while it runs, answered once.
import type { Config } from '@treadle/contracts/config'
import type { Fact } from '@treadle/contracts/event'
import type { AgentId, EventId } from '@treadle/contracts/ids'
import type { ThoughtEnd } from '@treadle/contracts/routes/thoughts'
import { isOpenThought, type Thought } from '@treadle/contracts/thought'
import { duration } from '@treadle/contracts/words/time'
import type { Store } from '../ports/store.ts'
import type { NewThought, ThoughtOver } from '../ports/thoughts.ts'

export interface AskWorld {
  readonly store: Pick<Store, 'tx' | 'thoughts' | 'events'>
  readonly now: () => Date
  readonly config: () => Config
}

/** Done once the transaction of the end has committed: files, say. */
export type AfterThought = () => Promise<void>

export interface ThoughtWorld extends AskWorld {
  /** Locks what it is about, before the thought itself; the list is in supervise/thought-ends.run.ts. */
  readonly lockSubject: (thought: Thought) => Promise<void>
  /** What follows an end, in the transaction of it. */
  readonly endThought: (thought: Thought) => Promise<AfterThought | null>
}

/** Asks for it, once by its id; inside the transaction of whatever wants it. */
export async function askThought(
  { store, now, config }: AskWorld,
  thought: Omit<NewThought, 'deadlineAt'>,
): Promise<void> {
  const at = now()
  const deadlineAt = new Date(at.getTime() + config().limits.thoughtMs)
  await store.tx(async () => {
    if (!(await store.thoughts.add({ ...thought, deadlineAt }, at))) return
    await tell(
      { store, now },
      {
        id: `thought-asked:${thought.id}`,
        agentId: null,
        event: { type: 'thought.asked', ...nameOf(thought), engine: thought.engine },
      },
    )
  })
}

export type ThoughtClaimed =
  | { readonly is: 'claimed'; readonly thought: Thought }
  | { readonly is: 'missing' }
  | { readonly is: 'refused'; readonly thought: Thought }

export async function runClaimThought(
  world: ThoughtWorld,
  { id, agentId }: { id: string; agentId: AgentId },
): Promise<ThoughtClaimed> {
  const { store, now, config } = world
  let after: AfterThought | null = null
  const claimed = await store.tx(async (): Promise<ThoughtClaimed> => {
    const seen = await lockThought(world, id)
    if (seen === null) return { is: 'missing' }
    const { thoughtTries } = config().limits
    // Whoever else has it is at its last try, and may have the answer soon.
    const isFree = seen.status === 'pending' || (seen.status === 'claimed' && seen.agentId === agentId)
    if (isFree && seen.fence >= thoughtTries) {
      after = await end(world, seen, { is: 'failed', why: `it was begun ${seen.fence} times without an end` })
      return { is: 'refused', thought: (await store.thoughts.find(id)) ?? seen }
    }
    const thought = await store.thoughts.claim(id, agentId, now())
    if (thought === null) return { is: 'refused', thought: seen }
    await tell(world, {
      id: `thought-claim:${id}:${thought.fence}`,
      agentId,
      event: { type: 'thought.claimed', ...nameOf(thought), fence: thought.fence },
    })
    return { is: 'claimed', thought }
  })
  await runAfter(after)
  return claimed
}

interface Held {
  readonly id: string
  readonly agentId: AgentId
  readonly fence: number
}

export type ThoughtSaid =
  | { readonly is: 'told' | 'duplicate' }
  | { readonly is: 'missing' }
  | { readonly is: 'fenced'; readonly thought: Thought }

export async function runSayThought(
  world: AskWorld,
  { id, agentId, fence, eventId, text, leftOut }: Held & { eventId: EventId; text: string; leftOut?: number },
): Promise<ThoughtSaid> {
  const thought = await world.store.thoughts.find(id)
  if (thought === null) return { is: 'missing' }
  if (thought.status !== 'claimed' || thought.fence !== fence || thought.agentId !== agentId)
    return { is: 'fenced', thought }
  const isNew = await tell(world, {
    id: eventId,
    agentId,
    event: { type: 'thought.said', ...nameOf(thought), text, ...(leftOut === undefined ? {} : { leftOut }) },
  })
  return { is: isNew ? 'told' : 'duplicate' }
}

export type ThoughtAnswered =
  | { readonly is: 'taken' | 'duplicate' | 'fenced'; readonly thought: Thought }
  | { readonly is: 'missing' }

/** An answer is taken as long as nobody has begun anew since: also of an agent whose claim has ended meanwhile. */
export async function runAnswerThought(
  world: ThoughtWorld,
  { id, agentId, fence, end: ended }: Held & { end: ThoughtEnd },
): Promise<ThoughtAnswered> {
  const { store } = world
  let after: AfterThought | null = null
  const answered = await store.tx(async (): Promise<ThoughtAnswered> => {
    const seen = await lockThought(world, id)
    if (seen === null) return { is: 'missing' }
    const isOwn = seen.fence === fence && seen.agentId === agentId
    if (!isOpenThought(seen)) return { is: isOwn && hasEnded(seen) ? 'duplicate' : 'fenced', thought: seen }
    if (!isOwn) return { is: 'fenced', thought: seen }
    after = await end(world, seen, overOf(ended))
    return { is: 'taken', thought: (await store.thoughts.find(id)) ?? seen }
  })
  await runAfter(after)
  return answered
}

function hasEnded({ status }: Thought): boolean {
  return status === 'done' || status === 'failed'
}

function overOf(ended: ThoughtEnd): ThoughtOver {
  if (ended.is === 'failed') return ended
  const { text, structured, model } = ended
  return { is: 'done', answer: { text, structured, model } }
}

/** False: it is over already, or there is none. */
export async function runWithdrawThought(world: ThoughtWorld, id: string, by: string): Promise<boolean> {
  const { store } = world
  let after: AfterThought | null = null
  const isWithdrawn = await store.tx(async () => {
    const seen = await lockThought(world, id)
    if (seen === null || !isOpenThought(seen)) return false
    after = await end(world, seen, { is: 'withdrawn', why: `${by} withdrew it` }, by)
    return true
  })
  await runAfter(after)
  return isWithdrawn
}

/** What an agent has in hand is there for others again, because it does not go on with it. */
export async function giveBackThoughts(
  world: Pick<AskWorld, 'store' | 'now'>,
  whose: { readonly agentId: AgentId; readonly id?: string },
  why: string,
): Promise<number> {
  const { store } = world
  return store.tx(async () => {
    const released = await store.thoughts.release(whose, why)
    for (const thought of released)
      await tell(world, {
        id: `thought-back:${thought.id}:${thought.fence}`,
        agentId: whose.agentId,
        event: { type: 'thought.given_back', ...nameOf(thought), why },
      })
    return released.length
  })
}

const BATCH = 100

/** Ends what nobody has answered in time. */
export async function runOverdueThoughts(world: ThoughtWorld, isFrozen: (id: AgentId) => Promise<boolean>) {
  const { store, config } = world
  let ended = 0
  for (const { id, agentId, status } of await store.thoughts.overdue(world.now(), BATCH)) {
    if (status === 'claimed' && agentId !== null && (await isFrozen(agentId))) continue
    let after: AfterThought | null = null
    await store.tx(async () => {
      const seen = await lockThought(world, id)
      if (seen === null || !isOpenThought(seen)) return
      const why = `nobody has answered within ${duration(config().limits.thoughtMs)}`
      after = await end(world, seen, { is: 'failed', why })
      ended += 1
    })
    await runAfter(after)
  }
  return ended
}

/** Inside a transaction that has locked it. */
async function end(
  world: ThoughtWorld,
  seen: Thought,
  over: ThoughtOver,
  by = 'owner',
): Promise<AfterThought | null> {
  const { store, now } = world
  if (!(await store.thoughts.end(seen.id, seen.fence, over, now()))) return null
  const ended = (await store.thoughts.find(seen.id)) ?? seen
  await tell(world, {
    id: `thought-end:${seen.id}`,
    agentId: seen.agentId,
    event: endEvent(ended, over, by),
  })
  return world.endThought(ended)
}

function endEvent(thought: Thought, over: ThoughtOver, by: string): Fact {
  const name = nameOf(thought)
  if (over.is === 'done') return { type: 'thought.answered', ...name }
  if (over.is === 'withdrawn') return { type: 'thought.withdrawn', ...name, by }
  return { type: 'thought.failed', ...name, why: over.why.slice(0, 4_000) }
}

/** Inside a transaction; null: there is none. */
async function lockThought({ store, lockSubject }: ThoughtWorld, id: string): Promise<Thought | null> {
  const seen = await store.thoughts.find(id)
  if (seen === null) return null
  await lockSubject(seen)
  return store.thoughts.lock(id)
}

async function runAfter(after: AfterThought | null): Promise<void> {
  await after?.()
}

function nameOf({ id, kind, subject }: Pick<Thought, 'id' | 'kind' | 'subject'>) {
  return { thought: id, kind, subject }
}

function tell(
  { store, now }: Pick<AskWorld, 'store' | 'now'>,
  { id, agentId, event }: { id: EventId; agentId: AgentId | null; event: Fact },
): Promise<boolean> {
  return store.events.append({ id, at: now(), item: null, agentId, runId: null, state: null, event })
}
