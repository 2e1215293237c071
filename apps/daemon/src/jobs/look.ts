// Looks for improvements: as a part of every sweep, and before an agent takes one of the last items.
import type { AgentId } from '@treadle/contracts/ids'
import { runLook, runLookFirst } from '@treadle/flow/idea/category/look.run'
import { runTakeInLeft } from '@treadle/flow/idea/category/take-in.run'
import type { World } from '../world.ts'
import { lookWorld } from './categories.ts'
import { thinking } from './thinking.ts'

export async function sweepCategories(world: World): Promise<void> {
  if (world.config().flags.enable_ideation === true) world.categoryPrompts.install()
  await runTakeInLeft(lookWorld(world))
  await runLook({ ...thinking(world), ...lookWorld(world) })
}

/** True: the agent that asks for work is to look first, and a thought waits for it. */
export function lookFirst(world: World, id: AgentId): Promise<boolean> {
  return runLookFirst({ ...thinking(world), ...lookWorld(world) }, id)
}
