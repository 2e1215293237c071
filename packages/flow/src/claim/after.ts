// An engine whose key was refused refuses the next item too, and one whose provider is in trouble fails it too: nobody
// claims for it for a while.

import { type Consequence, effect } from '../work/consequence.ts'
import { restEnd } from './cooldown.ts'

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
