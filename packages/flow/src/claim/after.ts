// An engine whose key was refused refuses the next item too, and one whose provider is in trouble fails it too: nobody
// claims for it for a while.

import type { ItemRef } from '@treadle/contracts/ids'
import { isHeld } from '../flow.ts'
import { type Consequence, type Effect, effect, type Moved } from '../work/consequence.ts'
import { restEnd } from './cooldown.ts'
import { filesUntil, keepsFiles } from './file-locks.ts'

/** The files of an item go with its claim: they are kept until it has landed, and free with any other end. */
export const afterFiles: Consequence = {
  after({ item, move, before, after, config }) {
    if (before.build === null) return []
    if (!keepsFiles(before.state))
      return move.type === 'item.withdrawn' ? [effect('fileLocks', 'stopWaiting', item)] : []
    // Only who is at work waits for a further file; whoever has delivered, or given up, has gone on without it.
    const waits = isHeld(before.state) && !isHeld(after.state)
    return [
      ...(waits ? [effect('fileLocks', 'stopWaiting', item)] : []),
      ...kept(item, { move, before, after, config }),
    ]
  },
}

function kept(
  item: ItemRef,
  { move, before, after, config }: Pick<Moved, 'move' | 'before' | 'after' | 'config'>,
): Effect[] {
  const until = filesUntil(after, config.limits)
  if (until === null) return [effect('fileLocks', 'release', item)]
  const isLater = before.state !== after.state || before.deadlineAt !== after.deadlineAt
  const isNew = isLater && !isHeld(after.state)
  return isNew || move.type === 'claim.extended' ? [effect('fileLocks', 'keep', item, until)] : []
}

export const afterRelease: Consequence = {
  after({ item, agentId, eventId, move, after, now, config }) {
    if (move.type !== 'claim.released' || move.engine === undefined) return []
    const { runId, state } = after
    const until = restEnd(move, now, config.limits)
    const type = move.restsUntil === undefined ? 'engine.suspended' : 'engine.rested'
    return [
      effect('events', 'append', {
        id: `${eventId}:rest`,
        at: now,
        item,
        agentId,
        runId,
        state,
        event: { type, engine: move.engine, why: move.why, until },
      }),
    ]
  },
}
