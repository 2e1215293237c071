// What the end of a thought needs of the daemon.
import {
  claimFactOf,
  endThought,
  lockSubject,
  readThought,
  type ThoughtEndWorld,
  whyNotFor,
} from '@treadle/flow/supervise/thought-ends.run'
import type { AfterThought, ThoughtWorld } from '@treadle/flow/work/thought.run'
import type { World } from '../world.ts'
import { takeInIdeation } from './categories.ts'
import { ideaWorld } from './ideas.ts'
import { takeInSpecification } from './specifications.ts'

/** The world of whoever ends thoughts. */
export function thinking(world: World): World & ThoughtWorld {
  const ends: ThoughtEndWorld = {
    ...ideaWorld(world),
    ...world,
    takeInSpecification: (slug) => takeInSpecification(world, slug),
    takeInIdeation: (thought) => takeInIdeation(world, thought),
  }
  const thenCall = (after: AfterThought | null) => async () => {
    await after?.()
    world.repliesList.call()
  }
  return {
    ...world,
    lockSubject: (thought) => lockSubject(ends, thought),
    whyNot: (thought, agentId) => whyNotFor(ends, thought, agentId),
    claimFact: (thought) => claimFactOf(ends, thought),
    readAnswer: async (thought, end) => {
      const followUp = await readThought(ends, thought, end)
      return followUp === null ? null : async (ended) => thenCall(await followUp(ended))
    },
    endThought: async (thought, ending) => thenCall(await endThought(ends, thought, ending)),
  }
}
