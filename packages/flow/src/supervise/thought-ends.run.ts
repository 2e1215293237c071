// What follows the end of a thought, by its kind: one line for each.
import type { Thought, ThoughtKind } from '@treadle/contracts/thought'
import { type ReplyWorld, runReplied, runSignalsRead } from '../idea/replied.run.ts'
import type { AfterThought } from '../work/thought.run.ts'

export type ThoughtEndWorld = ReplyWorld

interface Ending {
  /** Locks what the thought is about, before the thought itself: in the order of everybody else. */
  readonly lock: (world: ThoughtEndWorld, thought: Thought) => Promise<unknown>
  readonly end: (world: ThoughtEndWorld, thought: Thought) => Promise<AfterThought | null>
}

const lockIdea: Ending['lock'] = ({ store }, { subject }) => store.ideas.lock(subject)

const ENDINGS: Readonly<Record<ThoughtKind, Ending>> = {
  idea_reply: { lock: lockIdea, end: runReplied },
  idea_signals: { lock: lockIdea, end: runSignalsRead },
  spec_write: { lock: lockIdea, end: async () => null },
}

export function endThought(world: ThoughtEndWorld, thought: Thought): Promise<AfterThought | null> {
  return ENDINGS[thought.kind].end(world, thought)
}

export async function lockSubject(world: ThoughtEndWorld, thought: Thought): Promise<void> {
  await ENDINGS[thought.kind].lock(world, thought)
}
