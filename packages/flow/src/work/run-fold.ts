// How a run's row follows what is said of it. Pure; the daemon writes it to the store, `treadle fix` to a file.
import { type ItemMove, type RunNote, recordsIn } from '@treadle/contracts/event'
import type { Item } from '@treadle/contracts/item'
import type { Run } from '@treadle/contracts/run'
import { isHeld } from '../flow.ts'
import type { NewRun, RunPatch } from '../ports/runs.ts'
import { type RunSign, stepRun } from './run.machine.ts'

/** Entries kept in a run; older ones stay in the event log. */
const HISTORY_MAX = 200

/** A run of which nothing has been said yet. */
export function runBegun({ id, item, agentId, fence, at }: NewRun): Run {
  return {
    id,
    parentRunId: null,
    kind: 'item',
    item,
    agentId,
    fence,
    status: 'loading',
    phase: null,
    iteration: 0,
    outcome: null,
    base: null,
    baseline: [],
    history: [],
    gates: [],
    usage: [],
    startedAt: at.toISOString(),
    endedAt: null,
  }
}

/** These change no row: they are recorded, and that is all. */
const RECORDED: readonly RunNote['type'][] = [
  'run.said',
  'run.began',
  'run.observed',
  'run.preparing',
  'run.moved',
  'run.planned',
  'run.reflected',
]

export function isOnlyRecorded({ type }: RunNote): boolean {
  return RECORDED.includes(type)
}

export function runAfterNote(run: Run, note: RunNote): RunPatch | null {
  switch (note.type) {
    case 'run.phase':
      return { phase: note.record.phase, history: [...run.history, note.record].slice(-HISTORY_MAX) }
    case 'run.used':
      return { usage: [...run.usage, note.usage].slice(-HISTORY_MAX) }
    case 'run.baseline':
      return { base: note.base, baseline: note.gates, ...statusAfter(run, 'begin') }
    case 'run.said':
    case 'run.began':
    case 'run.observed':
    case 'run.preparing':
    case 'run.resumed':
    case 'run.moved':
    case 'run.planned':
    case 'run.reflected':
    case 'run.asked':
    case 'run.heard':
    case 'run.concluded':
    case 'run.paused':
    case 'run.retrying':
    case 'run.noted':
    case 'run.session':
      return null
  }
}

/** The run follows the item: gates as they were found, and an end when the agent lets go. */
export function runAfterMove(
  run: Pick<Run, 'history' | 'status'>,
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
    ...(move.type === 'build.finished'
      ? { iteration: after.attempts - 1, ...statusAfter(run, 'begin') }
      : {}),
    ...(isHeld(after.state) ? {} : { ...endingOf(run, move), endedAt: after.updatedAt }),
  }
  return Object.keys(patch).length === 0 ? null : patch
}

/** What the machine does not know changes nothing. */
function statusAfter(run: Pick<Run, 'status'>, type: RunSign['type']): RunPatch {
  const status = stepRun(run.status, { type })
  return status === null ? {} : { status }
}

function endingOf(run: Pick<Run, 'status'>, move: ItemMove): RunPatch {
  const outcome = outcomeOf(move)
  return { ...statusAfter(run, outcome === 'success' ? 'complete' : 'fail'), outcome }
}

function outcomeOf(move: ItemMove): string {
  switch (move.type) {
    case 'verify.passed':
      return 'success'
    case 'claim.released':
    case 'claim.expired':
    case 'item.assigned':
      return 'released'
    case 'item.withdrawn':
      return 'withdrawn'
    case 'deadline.passed':
      return 'failed'
    default:
      return 'escalation'
  }
}
