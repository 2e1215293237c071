// What the end of a thought needs of the daemon.
import { endThought, lockSubject } from '@treadle/flow/supervise/thought-ends.run'
import type { ThoughtWorld } from '@treadle/flow/work/thought.run'
import type { World } from '../world.ts'
import { ideaWorld } from './ideas.ts'

/** The world of whoever ends thoughts. */
export function thinking(world: World): World & ThoughtWorld {
  const ideas = ideaWorld(world)
  return {
    ...world,
    lockSubject: (thought) => lockSubject(ideas, thought),
    endThought: async (thought) => {
      const after = await endThought(ideas, thought)
      return async () => {
        await after?.()
        world.repliesList.call()
      }
    },
  }
}
