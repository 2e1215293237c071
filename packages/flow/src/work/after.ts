// A run's row follows the moves of its item.
import { type Consequence, effect } from './consequence.ts'
import { runAfterMove } from './run-fold.ts'

export const afterMove: Consequence = {
  after({ run, before, after, move }) {
    const patch = run === null ? null : runAfterMove(run, { before, after }, move)
    return run === null || patch === null ? [] : [effect('runs', 'patch', run.id, patch)]
  },
}
