// The checks of a review on this machine: one item at a time for each item, in a checkout of its own.
import type { Item } from '@treadle/contracts/item'
import type { ValidationLevel } from '@treadle/contracts/validation-level'
import type { ReviewChecks } from '@treadle/flow/ports/review-checks'
import {
  type Examined,
  type ExaminedItem,
  type ExamineWorld,
  runExamine,
} from '@treadle/flow/review/examine.run'
import { namesRegistry } from '../npm-registry.ts'
import type { World } from '../world.ts'
import { buildWorld } from './builds.ts'

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
        levelOf: (item) => levelOf(world, item),
        packageJudge: () => packageJudge(world),
        scratch: (name) => `${world.paths.worktrees}/${name}`,
        now: world.now,
        suites,
        signal: AbortSignal.any([signal, world.stopping]),
      },
      delivered,
    )
}

/** By the registry of the lock file; null: none is named, so that nobody can be asked. */
async function packageJudge(world: World) {
  if (!namesRegistry(await world.tree.read('package-lock.json'))) return null
  const { judgePackage } = buildWorld(world)
  return async (name: string) => {
    const judged = await judgePackage(name)
    return judged.is === 'allowed' ? null : judged.why
  }
}

/** That of its build, else what the settings say. */
async function levelOf({ store, config }: World, { build }: Item): Promise<ValidationLevel | null> {
  const own = build === null ? null : await store.builds.find(build)
  return own?.validation ?? config().validation.level
}
