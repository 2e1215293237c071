// A thought from the asking to its end: claimed under a fence, told of while it runs, answered once.
import { createHash } from 'node:crypto'
import type { Config } from '@treadle/contracts/config'
import type { Fact } from '@treadle/contracts/event'
import type { AgentId, EventId } from '@treadle/contracts/ids'
import type { ThoughtEnd } from '@treadle/contracts/routes/thoughts'
import { isOpenThought, type Thought } from '@treadle/contracts/thought'
import { duration } from '@treadle/contracts/words/time'
import type { Store } from '../ports/store.ts'
import type { NewThought, ThoughtOver } from '../ports/thoughts.ts'
import { deadlineFrom, timeFor } from './thought-terms.ts'

export interface AskWorld {
  readonly store: Pick<Store, 'tx' | 'thoughts' | 'events'>
  readonly now: () => Date
  readonly config: () => Config
}

/** Done once the transaction of the end has committed: files, say. */
export type AfterThought = () => Promise<void>

/** Why a thought is over. */
export type ThoughtEnding = 'answered' | 'not_answered' | 'too_many_tries' | 'too_late' | 'withdrawn'

/** What follows an answer, once what takes files or histories is read: inside the transaction. */
export type AnswerFollowUp = (ended: Thought) => Promise<AfterThought | null>

export interface ThoughtWorld extends AskWorld {
  /** Locks what it is about, before the thought itself; the list is in supervise/thought-ends.run.ts. */
  readonly lockSubject: (thought: Thought) => Promise<void>
  /** What follows an end, in the transaction of it. */
  readonly endThought: (thought: Thought, ending: ThoughtEnding) => Promise<AfterThought | null>
  /** Reads an answer before the transaction; null: endThought says what follows. */
  readonly readAnswer?: (thought: Thought, end: ThoughtEnd) => Promise<AnswerFollowUp | null>
  /** Why this agent may not have it; null: it may. */
  readonly whyNot?: (thought: Thought, agentId: AgentId) => Promise<string | null>
  /** How a claim is told; null: as that of any thought. */
  readonly claimFact?: (thought: Thought) => Promise<Fact | null>
}

/** Asks for it, once by its id; inside the transaction of whatever wants it. */
export async function askThought(
  { store, now, config }: AskWorld,
  thought: Omit<NewThought, 'deadlineAt'>,
): Promise<void> {
  const at = now()
  const deadlineAt = deadlineFrom('asking', thought.kind, { at, limits: config().limits })
  await store.tx(async () => {
    if (!(await store.thoughts.add({ ...thought, deadlineAt }, at))) return
    await tell(
      { store, now },
      {
        id: askedEvent(thought.id),
        agentId: null,
        work: thought.work ?? null,
        event: { type: 'thought.asked', ...nameOf(thought), engine: thought.engine },
      },
    )
  })
}

/** The id of the first event about a thought. */
export function askedEvent(id: string): EventId {
  return `thought-asked:${id}`
}

export type ThoughtClaimed =
  | { readonly is: 'claimed'; readonly thought: Thought }
  | { readonly is: 'missing' }
  | { readonly is: 'refused'; readonly thought: Thought; readonly why?: string }

export async function runClaimThought(
  world: ThoughtWorld,
  { id, agentId, claimKey }: { id: string; agentId: AgentId; claimKey?: string | undefined },
): Promise<ThoughtClaimed> {
  const { store, now, config } = world
  let after: AfterThought | null = null
  const claimed = await store.tx(async (): Promise<ThoughtClaimed> => {
    const seen = await lockThought(world, id)
    if (seen === null) return { is: 'missing' }
    const why = (await world.whyNot?.(seen, agentId)) ?? null
    if (why !== null) return { is: 'refused', thought: seen, why }
    const { limits } = config()
    const { thoughtTries } = limits
    // Whoever else has it is at its last try, and may have the answer soon.
    const isFree = seen.status === 'pending' || (seen.status === 'claimed' && seen.agentId === agentId)
    if (isFree && seen.fence >= thoughtTries) {
      const over = { is: 'failed', why: `it was begun ${seen.fence} times without an end` } as const
      after = await end(world, seen, over, { ending: 'too_many_tries' })
      return { is: 'refused', thought: (await store.thoughts.find(id)) ?? seen }
    }
    const at = now()
    const deadlineAt = deadlineFrom('claim', seen.kind, { at, limits })
    const thought = await store.thoughts.claim(id, { agentId, at, deadlineAt, keyHash: hashOf(claimKey) })
    if (thought === null) return { is: 'refused', thought: seen }
    await tell(world, {
      id: `thought-claim:${id}:${thought.fence}`,
      agentId,
      work: thought.work,
      event: (await world.claimFact?.(thought)) ?? {
        type: 'thought.claimed',
        ...nameOf(thought),
        fence: thought.fence,
      },
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
  /** What it was claimed with. */
  readonly claimKey?: string | undefined
}

/** A key that was written down somewhere would be read there by others. */
function hashOf(claimKey: string | undefined): string | null {
  return claimKey === undefined ? null : createHash('sha256').update(claimKey).digest('hex')
}

/** Whoever knows a fence, which all can read, is not the claimer yet. */
async function isHolder(
  { store }: Pick<AskWorld, 'store'>,
  { id, agentId, fence }: Thought,
  held: Held,
): Promise<boolean> {
  if (fence !== held.fence || agentId !== held.agentId) return false
  const keyHash = await store.thoughts.keyHash(id)
  return keyHash === null || keyHash === hashOf(held.claimKey)
}

export type ThoughtSaid =
  | { readonly is: 'told' | 'duplicate' }
  | { readonly is: 'missing' }
  | { readonly is: 'fenced'; readonly thought: Thought }

export async function runSayThought(
  world: AskWorld,
  said: Held & { eventId: EventId; text: string; leftOut?: number },
): Promise<ThoughtSaid> {
  const { eventId, text, leftOut, agentId } = said
  const thought = await world.store.thoughts.find(said.id)
  if (thought === null) return { is: 'missing' }
  if (thought.status !== 'claimed' || !(await isHolder(world, thought, said)))
    return { is: 'fenced', thought }
  const isNew = await tell(world, {
    id: eventId,
    agentId,
    work: thought.work,
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
  answer: Held & { end: ThoughtEnd },
): Promise<ThoughtAnswered> {
  const { store } = world
  const { id, end: ended } = answer
  let after: AfterThought | null = null
  const followUp = await readFirst(world, answer)
  const answered = await store.tx(async (): Promise<ThoughtAnswered> => {
    const seen = await lockThought(world, id)
    if (seen === null) return { is: 'missing' }
    const isOwn = await isHolder(world, seen, answer)
    if (!isOpenThought(seen))
      return { is: isOwn && hasEnded(seen, ended) ? 'duplicate' : 'fenced', thought: seen }
    if (!isOwn) return { is: 'fenced', thought: seen }
    const ending = ended.is === 'answered' ? 'answered' : 'not_answered'
    after = await end(world, seen, overOf(ended), { ending, followUp })
    return { is: 'taken', thought: (await store.thoughts.find(id)) ?? seen }
  })
  await runAfter(after)
  return answered
}

/** Of an answer that will be taken, what its reading takes of files and histories. */
async function readFirst(
  world: ThoughtWorld,
  answer: Held & { end: ThoughtEnd },
): Promise<AnswerFollowUp | null> {
  const thought = await world.store.thoughts.find(answer.id)
  if (thought === null || !isOpenThought(thought) || !(await isHolder(world, thought, answer))) return null
  return (await world.readAnswer?.(thought, answer.end)) ?? null
}

/** The same said again. One that was given up is not over by this answer. */
function hasEnded({ status }: Thought, ended: ThoughtEnd): boolean {
  return status === (ended.is === 'answered' ? 'done' : 'failed')
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
    const over = { is: 'withdrawn', why: `${by} withdrew it` } as const
    after = await end(world, seen, over, { ending: 'withdrawn', by })
    return true
  })
  await runAfter(after)
  return isWithdrawn
}

/** Ends it without an answer; false: it is over already, or there is none. */
export async function runGiveUpThought(
  world: ThoughtWorld,
  id: string,
  whyOf: (thought: Thought) => string,
): Promise<boolean> {
  let after: AfterThought | null = null
  const isEnded = await world.store.tx(async () => {
    const seen = await lockThought(world, id)
    if (seen === null || !isOpenThought(seen)) return false
    after = await end(world, seen, { is: 'failed', why: whyOf(seen) }, { ending: 'too_late' })
    return true
  })
  await runAfter(after)
  return isEnded
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
        work: thought.work,
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
    const whyOf = ({ kind }: Thought) =>
      `nobody has answered within ${duration(timeFor(kind, config().limits))}`
    if (await runGiveUpThought(world, id, whyOf)) ended += 1
  }
  return ended
}

interface HowEnded {
  readonly ending: ThoughtEnding
  readonly by?: string
  readonly followUp?: AnswerFollowUp | null
}

/** Inside a transaction that has locked it. */
async function end(
  world: ThoughtWorld,
  seen: Thought,
  over: ThoughtOver,
  { ending, by = 'owner', followUp = null }: HowEnded,
): Promise<AfterThought | null> {
  const { store, now } = world
  if (!(await store.thoughts.end(seen.id, seen.fence, over, now()))) return null
  const ended = (await store.thoughts.find(seen.id)) ?? seen
  await tell(world, {
    id: `thought-end:${seen.id}`,
    agentId: seen.agentId,
    work: seen.work,
    event: endEvent(ended, over, by),
  })
  return followUp === null ? world.endThought(ended, ending) : followUp(ended)
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

interface Told {
  readonly id: EventId
  readonly agentId: AgentId | null
  readonly work: Thought['work']
  readonly event: Fact
}

function tell(
  { store, now }: Pick<AskWorld, 'store' | 'now'>,
  { id, agentId, work, event }: Told,
): Promise<boolean> {
  const { item = null, runId = null } = work ?? {}
  return store.events.append({ id, at: now(), item, agentId, runId, state: null, event })
}
