// An engine whose key was refused refuses the next item too: nobody claims for it for a while.
import { type Consequence, effect } from '../work/consequence.ts'

export const afterRelease: Consequence = {
  after({ item, agentId, eventId, move, after, now, config }) {
    if (move.type !== 'claim.released' || move.engine === undefined) return []
    const { runId, state } = after
    const until = new Date(now.getTime() + config.limits.engineBreakMs).toISOString()
    return [
      effect('events', 'append', {
        id: `${eventId}:rest`,
        at: now,
        item,
        agentId,
        runId,
        state,
        event: { type: 'engine.suspended', engine: move.engine, why: move.why, until },
      }),
    ]
  },
}
