// What looks for improvements need of the daemon: where they are asked for, and what follows each answer.
import { SURVEYED } from '@treadle/contracts/categories'
import type { LookWorld } from '@treadle/flow/idea/category/look-world'
import { runTakeIn } from '@treadle/flow/idea/category/take-in.run'
import { isElsewhere } from '../crew/workspace-identity.ts'
import type { World } from '../world.ts'

export function lookWorld(world: World): LookWorld {
  const { store, now, uuid, config, budget, readiness, workspace, categoryPrompts } = world
  return {
    store,
    now,
    uuid,
    config,
    prompt: (category) => categoryPrompts.prompt(category),
    packages: () => categoryPrompts.packages(),
    changedAt: () => categoryPrompts.changedAt(),
    surveyed: SURVEYED,
    hasTests: () => world.testCommand !== null && readiness.readiness().found?.is !== 'untested',
    unready: () => readiness.hold(),
    hold: () => {
      const hold = budget.hold()
      return hold.is === 'none' ? null : hold.why
    },
    isIdle: (agent) =>
      agent.wanted === 'running' &&
      agent.status === 'idle' &&
      agent.item === null &&
      !isElsewhere(agent, workspace),
  }
}

export function takeInIdeation(world: World, thought: string): Promise<void> {
  return runTakeIn(lookWorld(world), thought)
}
