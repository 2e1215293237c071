// What a thought takes besides its prompt, by its kind: an engine, files to read, and for a judgement the delivery.
import type { ReviewMaterial } from '@treadle/contracts/routes/reviews'
import type { Thought } from '@treadle/contracts/thought'
import type { Engine } from '@treadle/flow/ports/engine'
import { exportFiles } from '@treadle/git/export'
import { briefJudge, readingOf } from '../review/judge-brief.ts'
import type { ThinkTools } from './think-tools.ts'

/** What people see of an agent that thinks. */
export type ThoughtShown = Partial<ReturnType<typeof readingOf>>

export interface Brief {
  readonly engine: Engine
  readonly attempt: number
  readonly shown: ThoughtShown
  /** Fills the folder; answers the prompt. */
  readonly fill: (folder: string) => Promise<string>
}

export async function briefOf(tools: ThinkTools, thought: Thought, signal: AbortSignal): Promise<Brief> {
  switch (thought.kind) {
    case 'review_judge':
      return judging(tools, await tools.material(thought, signal))
    case 'spec_write':
    case 'category_idea':
    case 'category_survey':
      return { ...replying(tools, thought), fill: (folder) => withTarget(tools, thought, folder) }
    case 'idea_reply':
    case 'idea_signals':
      return replying(tools, thought)
  }
}

function replying(tools: ThinkTools, thought: Thought): Brief {
  return { engine: tools.engine(thought), attempt: thought.nth, shown: {}, fill: async () => thought.prompt }
}

function judging(tools: ThinkTools, material: ReviewMaterial): Brief {
  return {
    engine: tools.judge(material.authorModels),
    attempt: material.review.cycle,
    shown: readingOf(material.review),
    fill: (folder) => briefJudge(tools, material, folder),
  }
}

/** A specification is written, and an improvement thought of, by who can read the code. */
async function withTarget({ paths, env, targetCommit }: ThinkTools, { prompt }: Thought, folder: string) {
  const commit = await targetCommit()
  if (commit !== null) await exportFiles({ repository: paths.root, env }, commit, folder)
  return prompt
}
