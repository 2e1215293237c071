// What is told of the right to work on an item.
import { z } from 'zod'
import { AgentId, Instant, RunId } from '../ids.ts'
import { Trouble } from '../readiness.ts'
import { duration } from '../words/time.ts'
import { event, line, type Sentences, why } from './shape.ts'

/** What the agent that holds an item may say of it. Each moves the item's machine. */
const agentMoves = [
  event('claim.released', {
    why,
    /** An engine that is of no use at present: nobody is let claim for it for a while. */
    engine: z.string().min(1).max(60).optional(),
    /** Its provider is in trouble and it rests until then, at least; left out: its key or its account was refused. */
    restsUntil: Instant.optional(),
    /** The run has changed files before its provider had to rest, and whoever claims the item next goes on from there. */
    hasProgress: z.literal(true).optional(),
    /** The world is not ready for it, nor for any other item; left out: it is given back for another reason. */
    trouble: Trouble.optional(),
  }),
] as const

/** What only the daemon may say of an item. */
const daemonMoves = [
  event('claim.taken', { agentId: AgentId, runId: RunId }),
  event('claim.expired', { why }),
  /** Its holder was not let work for so long; that time does not count. */
  event('claim.extended', { byMs: z.int().min(1), why }),
] as const

export const claimEvents = {
  agentMoves,
  daemonMoves,
  sentences: {
    'claim.released': ({ why }, { agent, item }) => line(`${agent} gave ${item} back`, why),
    'claim.taken': ({ agentId }, { item }) => line(`${agentId} claimed ${item}`, null, 'busy'),
    'claim.expired': ({ why }, { item }) => line(`The claim on ${item} expired`, why, 'attention'),
    'claim.extended': ({ byMs, why }, { item }) =>
      line(`The claim on ${item} stands ${duration(byMs)} longer`, why),
  } satisfies Sentences<(typeof agentMoves)[number] | (typeof daemonMoves)[number]>,
}
