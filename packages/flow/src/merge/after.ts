// The record of a conflict follows the moves of its item; one that waits for a person is told on the item and to the owner.
import { type Consequence, type Effect, effect, type Moved } from '../work/consequence.ts'
import { recordAfter } from './conflict/record.ts'
import { conflictComment } from './conflict/words.ts'

const COMMENT_MAX = 16_384

export const afterConflict: Consequence = {
  after(moved) {
    const { item, before, move, now } = moved
    const change = recordAfter(before, move)
    switch (change?.is) {
      case undefined:
        return []
      case 'close':
        return [effect('conflicts', 'close', item, change.how, now)]
      case 'resolving':
        return [effect('conflicts', 'resolving', item)]
      case 'open':
        return opened(moved, change)
    }
  },
}

function opened(
  { item, eventId, after, now }: Moved,
  { files, why }: { files: readonly string[]; why: string },
): Effect[] {
  const { branch, headCommit: head, runId, state } = after
  if (branch === null || head === null) return []
  const told = { at: now, item, agentId: null, runId, state }
  const text = conflictComment({ branch, files, why }).slice(0, COMMENT_MAX)
  return [
    effect('conflicts', 'open', { item, branch, head, files, why }, now),
    effect('events', 'append', {
      ...told,
      id: `${eventId}:comment`,
      event: { type: 'item.commented', by: 'treadle', text },
    }),
    effect('events', 'append', {
      ...told,
      id: `${eventId}:notice`,
      event: { type: 'owner.notified', about: 'conflict', text: `${branch} cannot be merged: ${why}` },
    }),
  ]
}
