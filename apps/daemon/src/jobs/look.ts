// Looks for improvements, as a part of every sweep.
import { runLook } from '@treadle/flow/idea/category/look.run'
import { runTakeInLeft } from '@treadle/flow/idea/category/take-in.run'
import type { World } from '../world.ts'
import { lookWorld } from './categories.ts'
import { thinking } from './thinking.ts'

export async function sweepCategories(world: World): Promise<void> {
  if (world.config().flags.enable_ideation === true) world.categoryPrompts.install()
  await runTakeInLeft(lookWorld(world))
  await runLook({ ...thinking(world), ...lookWorld(world) })
}
