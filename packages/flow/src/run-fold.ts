// How a run's row follows what is said of it. Pure; the daemon writes it to the store, `treadle fix` to a file.
import { type ItemMove, type RunNote, recordsIn } from '@treadle/contracts/event'
import type { Item } from '@treadle/contracts/item'
import type { Run } from '@treadle/contracts/run'
import { isHeld } from './flow.ts'
import type { RunPatch } from './ports.ts'

/** Entries kept in a run; older ones stay in the event log. */
const HISTORY_MAX = 200

export function runAfterNote(run: Run, note: RunNote): RunPatch | null {
  switch (note.type) {
    case 'run.phase':
      return { phase: note.record.phase, history: [...run.history, note.record].slice(-HISTORY_MAX) }
    case 'run.used':
      return { usage: [...run.usage, note.usage].slice(-HISTORY_MAX) }
    case 'run.baseline':
      return { base: note.base, baseline: note.gates }
    case 'run.observed':
    case 'run.resumed':
      return null
  }
}

/** The run follows the item: gates as they were found, and an end when the agent lets go. */
export function runAfterMove(
  run: Pick<Run, 'history'>,
  { before, after }: { before: Item; after: Item },
  move: ItemMove,
): RunPatch | null {
  if (after.runId === null || !isHeld(before.state)) return null
  const ended = recordsIn(move)
  const last = ended.at(-1)
  const patch: RunPatch = {
    ...('gates' in move ? { gates: move.gates } : {}),
    ...(last === undefined
      ? {}
      : { phase: last.phase, history: [...run.history, ...ended].slice(-HISTORY_MAX) }),
    // The first attempt is the build; what is counted are the improvements.
    ...(move.type === 'build.finished' ? { iteration: after.attempts - 1 } : {}),
    ...(isHeld(after.state) ? {} : { ...endingOf(move), endedAt: after.updatedAt }),
  }
  return Object.keys(patch).length === 0 ? null : patch
}

function endingOf(move: ItemMove): RunPatch {
  switch (move.type) {
    case 'verify.passed':
      return { status: 'complete', outcome: 'success' }
    case 'claim.released':
    case 'claim.expired':
      return { status: 'error', outcome: 'released' }
    case 'item.withdrawn':
      return { status: 'error', outcome: 'withdrawn' }
    case 'deadline.passed':
      return { status: 'error', outcome: 'failed' }
    default:
      return { status: 'error', outcome: 'escalation' }
  }
}
