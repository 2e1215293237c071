// What follows a move, stage by stage, in the order in which it is written. A new stage adds its line here.
import { afterBuildItem } from './build/builds/after.ts'
import { afterFiles, afterRelease } from './claim/after.ts'
import { afterRun } from './learn/after.ts'
import { afterConflict } from './merge/after.ts'
import { afterDelivery } from './review/after.ts'
import { readReviewFacts } from './review/after-facts.run.ts'
import { afterPush } from './verify/after.ts'
import { afterMove } from './work/after.ts'
import type { AnyConsequence } from './work/consequence.ts'

export const CONSEQUENCES: readonly AnyConsequence[] = [
  afterMove,
  afterRun,
  afterConflict,
  afterPush,
  afterRelease,
  afterBuildItem,
  afterFiles,
  { read: readReviewFacts, after: afterDelivery.after } as AnyConsequence,
]
