// Whether a turn goes on with a conversation: of the turn before it in the same run, or of the run before it.
import type { StoredEvent } from '@treadle/contracts/event'
import type { AgentId, RunId } from '@treadle/contracts/ids'
import type { Item } from '@treadle/contracts/item'
import { isGoal } from '@treadle/contracts/paor'
import type { Run } from '@treadle/contracts/run'
import type { Engine } from '../ports/engine.ts'
import type { GoalPast } from '../ports/guidance.ts'
import type { Rework } from '../work/rework.ts'
import type { WorkWorld } from '../work/work-world.ts'
import { goalPastIn } from './goal-past.ts'

/** What the engine calls it; null: it has none yet, cannot take one up, or has no place to keep one. */
export function conversationOf(
  { conversations, engineHome }: Pick<WorkWorld, 'conversations' | 'engineHome'>,
  engine: Pick<Engine, 'id' | 'can'>,
): string | null {
  if (engineHome === undefined || engine.can?.resume !== true) return null
  return conversations?.get(engine.id) ?? null
}

/** The run of an item before the one at hand, and the conversations it has left. */
export interface EarlierRun {
  readonly id: RunId
  readonly agentId: AgentId
  readonly base: string | null
  readonly outcome: string | null
  /** The engine because of which the item was given back; null: it ended otherwise. */
  readonly givenBackBy: string | null
  /** What was done for the goal, in this run and in those that it went on from. */
  readonly past: GoalPast
  /** What each engine calls the conversation in which its model has answered, by the engine's name. */
  readonly conversations: ReadonlyMap<string, string>
}

export function earlierRun(
  { id, agentId, base, outcome }: Pick<Run, 'id' | 'agentId' | 'base' | 'outcome'>,
  events: readonly Pick<StoredEvent, 'event'>[],
): EarlierRun {
  const begun = new Map<string, string>()
  const opened = new Map<string, string>()
  let givenBackBy: string | null = null
  for (const { event } of events) {
    if (event.type === 'run.session') {
      opened.set(event.engine, event.session)
      // A conversation that a run has taken over had something in it before.
      if (event.from === undefined) begun.delete(event.engine)
      else begun.set(event.engine, event.session)
    }
    if (event.type === 'run.used' || event.type === 'run.observed')
      for (const [engine, session] of opened) begun.set(engine, session)
    if (event.type === 'claim.released') givenBackBy = event.engine ?? null
  }
  const { past } = goalPastIn(events)
  return { id, agentId, base, outcome, givenBackBy, past, conversations: begun }
}

/** Whether somebody has decided since this run was claimed that the item starts anew; of its events, oldest first. */
export function isBegunAnewSince(
  runId: RunId,
  events: readonly Pick<StoredEvent, 'runId' | 'event'>[],
): boolean {
  const claimed = events.findLastIndex(
    (stored) => stored.runId === runId && stored.event.type === 'claim.taken',
  )
  return events
    .slice(claimed + 1)
    .some(
      ({ event }) =>
        (event.type === 'item.reopened' || event.type === 'review.rejected') && event.fresh === true,
    )
}

export interface TakeOver {
  readonly item: Item
  readonly agentId: AgentId
  readonly engine: string
  readonly base: string
  readonly rework: Rework | null
  /** The files are those that an earlier claim has left unfinished. */
  readonly isTakenUp: boolean
  /** The run right before this one: later ones would have changed files or conversation. Null: nobody knows of one. */
  readonly earlier: EarlierRun | null
}

/** A conversation of the run before, for this one to go on with. */
export interface TakenOver {
  readonly session: string
  /** cut_off: the files are as the conversation left them. sent_back: they have what it delivered. */
  readonly is: 'cut_off' | 'sent_back'
}

/** Null: everything is told again. The files of a conversation are in the home of the agent that had it. */
export function takeOver(facts: TakeOver): TakenOver | null {
  const { item, earlier, agentId, engine } = facts
  // A revert is computed anew.
  if (earlier === null || earlier.agentId !== agentId || item.reverts !== null) return null
  const session = earlier.conversations.get(engine)
  const is = howLeft(facts, earlier)
  // A goal that was delivered is planned anew.
  if (is === 'sent_back' && isGoal(item)) return null
  return session === undefined || is === null ? null : { session, is }
}

/** The run whose plans go on: its goal was cut off, and the files are as it left them. Null: there is none. */
export function goalRun({ item, base, isTakenUp, earlier }: TakeOver): EarlierRun | null {
  if (earlier === null || !isGoal(item) || !isTakenUp) return null
  return earlier.givenBackBy !== null && earlier.base === base ? earlier : null
}

/** What the conversation last knew of the files, if that is what is there now. */
function howLeft({ engine, base, rework, isTakenUp }: TakeOver, earlier: EarlierRun): TakenOver['is'] | null {
  if (isTakenUp) return earlier.givenBackBy === engine && earlier.base === base ? 'cut_off' : null
  return earlier.outcome === 'success' && rework?.how === 'carried' ? 'sent_back' : null
}
