// What follows the end of a thought, by its kind: one line for each.
import type { Fact } from '@treadle/contracts/event'
import type { AgentId } from '@treadle/contracts/ids'
import type { ThoughtEnd } from '@treadle/contracts/routes/thoughts'
import type { Thought, ThoughtKind } from '@treadle/contracts/thought'
import { type ReplyWorld, runReplied, runSignalsRead } from '../idea/replied.run.ts'
import type { Store } from '../ports/store.ts'
import {
  type JudgeWorld,
  judgeClaimFact,
  lockJudged,
  readJudgement,
  runUnjudged,
  whyNotJudge,
} from '../review/judge.run.ts'
import type { AfterThought, AnswerFollowUp, ThoughtEnding } from '../work/thought.run.ts'

export type ThoughtEndWorld = ReplyWorld &
  JudgeWorld & {
    readonly store: Pick<Store, 'specWritings'>
    /** Reads what was written of a specification; files are touched, so it comes after the transaction. */
    readonly takeInSpecification: (slug: string) => Promise<void>
    /** Takes in what came of a look for an improvement; packages are read, so it comes after the transaction. */
    readonly takeInIdeation: (thought: string) => Promise<void>
  }

interface Ending {
  /** Locks what the thought is about, before the thought itself: in the order of everybody else. */
  readonly lock: (world: ThoughtEndWorld, thought: Thought) => Promise<unknown>
  readonly end: (
    world: ThoughtEndWorld,
    thought: Thought,
    ending: ThoughtEnding,
  ) => Promise<AfterThought | null>
  /** What takes files and histories, before the transaction; what it gives back follows in the place of `end`. */
  readonly read?: (
    world: ThoughtEndWorld,
    thought: Thought,
    end: ThoughtEnd,
  ) => Promise<AnswerFollowUp | null>
  /** Why an agent may not have it. */
  readonly whyNot?: (world: ThoughtEndWorld, thought: Thought, agentId: AgentId) => Promise<string | null>
  readonly claimFact?: (world: ThoughtEndWorld, thought: Thought) => Promise<Fact | null>
}

const lockIdea: Ending['lock'] = ({ store }, { subject }) => store.ideas.lock(subject)

/** What it is about is locked when the answer is taken in. */
const looking: Ending = {
  lock: async () => undefined,
  end:
    async ({ takeInIdeation }, { id }) =>
    () =>
      takeInIdeation(id),
}

const ENDINGS: Readonly<Record<ThoughtKind, Ending>> = {
  idea_reply: { lock: lockIdea, end: runReplied },
  idea_signals: { lock: lockIdea, end: runSignalsRead },
  spec_write: {
    lock: ({ store }, { subject }) => store.specWritings.lock(subject),
    end:
      async ({ takeInSpecification }, { subject }) =>
      () =>
        takeInSpecification(subject),
  },
  category_idea: looking,
  category_survey: looking,
  review_judge: {
    lock: lockJudged,
    read: readJudgement,
    end: runUnjudged,
    whyNot: whyNotJudge,
    claimFact: judgeClaimFact,
  },
}

export function endThought(
  world: ThoughtEndWorld,
  thought: Thought,
  ending: ThoughtEnding,
): Promise<AfterThought | null> {
  return ENDINGS[thought.kind].end(world, thought, ending)
}

export async function readThought(
  world: ThoughtEndWorld,
  thought: Thought,
  end: ThoughtEnd,
): Promise<AnswerFollowUp | null> {
  return (await ENDINGS[thought.kind].read?.(world, thought, end)) ?? null
}

export async function whyNotFor(
  world: ThoughtEndWorld,
  thought: Thought,
  agentId: AgentId,
): Promise<string | null> {
  return (await ENDINGS[thought.kind].whyNot?.(world, thought, agentId)) ?? null
}

export async function claimFactOf(world: ThoughtEndWorld, thought: Thought): Promise<Fact | null> {
  return (await ENDINGS[thought.kind].claimFact?.(world, thought)) ?? null
}

export async function lockSubject(world: ThoughtEndWorld, thought: Thought): Promise<void> {
  await ENDINGS[thought.kind].lock(world, thought)
}
