// The checks of a review on this machine: one item at a time for each item, in a checkout of its own.
import type { ReviewChecks } from '@treadle/flow/ports/review-checks'
import {
  type Examined,
  type ExaminedItem,
  type ExamineWorld,
  runExamine,
} from '@treadle/flow/review/examine.run'
import type { World } from '../world.ts'

export interface Examining {
  readonly checks: ReviewChecks | null
  readonly suites: ExamineWorld['suites']
  readonly signal: AbortSignal
}

export function examineFor(world: World, { checks, suites, signal }: Examining) {
  return (delivered: ExaminedItem): Promise<Examined> =>
    runExamine(
      {
        git: world.git,
        source: world.source,
        gates: world.gates,
        checks,
        target: world.target,
        testCommand: world.testCommand,
        config: world.config,
        scratch: (name) => `${world.paths.worktrees}/${name}`,
        now: world.now,
        suites,
        signal: AbortSignal.any([signal, world.stopping]),
      },
      delivered,
    )
}
