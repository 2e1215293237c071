// What follows a move, as tables: no database, only facts in and effects out.
import { NO_REMOTE } from '@treadle/contracts/ids'
import { expect, test } from 'vitest'
import { afterRelease } from '../claim/after.ts'
import { afterRun } from '../learn/after.ts'
import { afterConflict } from '../merge/after.ts'
import { afterDelivery } from '../review/after.ts'
import { afterPush } from '../verify/after.ts'
import { afterMove } from './after.ts'
import type { Moved } from './consequence.ts'
import { runBegun } from './run-fold.ts'
import { green, NOW, RUN, red, sampleConfig, sampleItem } from './testing/sample.ts'

const item = { projectNumber: 1, number: 7 }
const run = runBegun({ id: RUN, item, agentId: 'agent-1', fence: 3, at: NOW })

function moved(move: Moved['move'], { before, after }: { before: object; after: object }): Moved {
  return {
    item,
    eventId: 'event-1',
    agentId: 'agent-1',
    move,
    before: sampleItem({ runId: RUN, ...before }),
    after: sampleItem({ runId: RUN, branch: 'b', headCommit: 'a'.repeat(40), ...after }),
    run,
    now: NOW,
    config: sampleConfig(),
  }
}
const names = (effects: readonly { noun: string; verb: string }[]) =>
  effects.map(({ noun, verb }) => `${noun}.${verb}`)

const passed = (pushNote: string | null): Moved['move'] => ({
  type: 'verify.passed',
  branch: 'b',
  head: 'a'.repeat(40),
  gates: [green()],
  pushed: false,
  pushNote,
})
const delivery = { before: { state: 'verifying' }, after: { state: 'in_review' } }

test('a delivery ends its run, sends the job `learn` and makes a review', () => {
  const move = moved(passed(null), delivery)
  expect(names(afterMove.after(move, undefined))).toEqual(['runs.patch'])
  expect(names(afterRun.after(move, undefined))).toEqual(['jobs.send'])
  expect(names(afterDelivery.after(move, NONE))).toEqual(['reviews.enqueue'])
})
const NONE = { latest: null, decided: [], refused: [], runs: [] }

test.each([
  [null, []],
  [NO_REMOTE, []],
  ['origin did not answer', ['events.append']],
])('a push note of %j is told to the owner: %j', (note, effects) => {
  expect(names(afterPush.after(moved(passed(note), delivery), undefined))).toEqual(effects)
})

test('a failed attempt goes on and is learned from at once', () => {
  const failed: Moved['move'] = { type: 'verify.failed', gates: [red()], why: 'red', records: [] }
  const move = moved(failed, { before: { state: 'verifying' }, after: { state: 'improving' } })
  expect(names(afterRun.after(move, undefined))).toEqual(['jobs.send'])
})

test('a conflict is opened and told; a merge closes it', () => {
  const conflicted: Moved['move'] = { type: 'merge.conflicted', files: ['a.ts'], why: 'both changed it' }
  const open = moved(conflicted, { before: { state: 'merging' }, after: { state: 'conflicted' } })
  expect(names(afterConflict.after(open, undefined))).toEqual([
    'conflicts.open',
    'events.append',
    'events.append',
  ])
  const landed = { type: 'merge.landed', commit: 'c'.repeat(40), target: 'main', note: null } as const
  const close = moved(landed, { before: { state: 'merging' }, after: { state: 'done' } })
  expect(names(afterConflict.after(close, undefined))).toEqual(['conflicts.close'])
})

test('an engine whose key was refused is suspended until its break is over', () => {
  const released = { type: 'claim.released', why: 'the key was refused', engine: 'native' } as const
  const move = moved(released, { before: { state: 'building' }, after: { state: 'todo' } })
  const [suspended] = afterRelease.after(move, undefined)
  const until = new Date(NOW.getTime() + move.config.limits.engineBreakMs).toISOString()
  expect(suspended?.args[0]).toMatchObject({ event: { type: 'engine.suspended', engine: 'native', until } })
  const { engine: _, ...plain } = released
  expect(afterRelease.after({ ...move, move: plain }, undefined)).toEqual([])
})

test('the third rejection leaves both views on the item and tells the owner', () => {
  const rejected = { type: 'review.rejected', by: 'reviewer', feedback: 'no' } as const
  const move = moved(rejected, {
    before: { state: 'in_review' },
    after: { state: 'escalated', reviewCycles: 3 },
  })
  expect(names(afterDelivery.after(move, NONE))).toEqual(['events.append', 'events.append', 'events.append'])
})
