// What is told of a build.
import { z } from 'zod'
import { CommitId } from '../ids.ts'
import { Confidence, EngineOutcome } from '../run.ts'
import { event, line, records, type Sentences, why } from './shape.ts'

const OUTCOME_WORDS: Record<EngineOutcome, string> = {
  done: 'the engine said it was done',
  max_turns: 'the engine ran out of turns',
  budget: 'the budget was used up',
  interrupted: 'it was interrupted',
  refused: 'the engine refused',
  rate_limited: 'the engine was rate limited',
  overloaded: 'the engine was overloaded',
  network: 'the network failed',
  auth: 'the engine did not accept the key',
  billing: 'the engine wants to be paid',
  invalid: 'the engine answered nonsense',
  crashed: 'the engine crashed',
  stalled: 'the engine went silent',
}

/** What the agent that holds an item may say of it. Each moves the item's machine. */
const agentMoves = [
  event('build.started', {
    branch: z.string().min(1).max(300),
    base: CommitId,
    /** Which line of the target the base is the newest of: here, at origin, and why. */
    from: z.string().max(300).optional(),
  }),
  event('build.finished', {
    summary: z.string().max(4_000),
    checkpoint: CommitId,
    confidence: Confidence.nullable().optional(),
    records,
  }),
  event('build.failed', { outcome: EngineOutcome, why, records }),
] as const

export const buildEvents = {
  agentMoves,
  sentences: {
    'build.started': ({ branch, from }, { agent, item }) =>
      line(
        `${agent} started building ${item}`,
        `on ${branch}${from === undefined ? '' : ` from ${from}`}`,
        'busy',
      ),
    'build.finished': ({ summary }, { agent, item }) =>
      line(`${agent} finished building ${item}`, summary, 'busy'),
    'build.failed': ({ outcome, why }, { item }) =>
      line(`Building ${item} failed: ${OUTCOME_WORDS[outcome]}`, why, 'bad'),
  } satisfies Sentences<(typeof agentMoves)[number]>,
}
