// A delivery that is not at origin, although there is one, is told to the owner.
import { NO_REMOTE } from '@treadle/contracts/ids'
import { type Consequence, effect } from '../work/consequence.ts'

export const afterPush: Consequence = {
  after({ item, agentId, move, after, now }) {
    if (move.type !== 'verify.passed' || move.pushNote === null || move.pushNote === NO_REMOTE) return []
    const { runId, state } = after
    return [
      effect('events', 'append', {
        id: `push:${runId}:${move.head.slice(0, 12)}`,
        at: now,
        item,
        agentId,
        runId,
        state,
        event: { type: 'owner.notified', about: 'push', text: `${move.branch}: ${move.pushNote}` },
      }),
    ]
  },
}
