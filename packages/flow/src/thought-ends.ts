// What follows the end of a thought, by its kind: one line for each.
import type { Thought, ThoughtKind } from '@treadle/contracts/thought'
import type { AfterThought, AskWorld, ThoughtEnding } from './work/thought.run.ts'

export type ThoughtEndWorld = AskWorld

const ENDINGS: Readonly<Record<ThoughtKind, ThoughtEnding<ThoughtEndWorld>>> = {
  idea_reply: async () => null,
  spec_write: async () => null,
}

export function endThought(world: ThoughtEndWorld, thought: Thought): Promise<AfterThought | null> {
  return ENDINGS[thought.kind](world, thought)
}
