// What is told of a build.
import { z } from 'zod'
import { CommitId } from '../ids.ts'
import { Confidence, EngineOutcome } from '../run.ts'
import { OUTCOME_WORDS } from '../words/outcome.ts'
import { event, line, records, type Sentences, why } from './shape.ts'

/** What the agent that holds an item may say of it. Each moves the item's machine. */
const agentMoves = [
  event('build.started', {
    branch: z.string().min(1).max(300),
    base: CommitId,
    /** Which line of the target the base is the newest of: here, at origin, and why. */
    from: z.string().max(300).optional(),
    /** What was delivered before, and whether the work begins with it, cannot, or is not to. */
    delivery: z.strictObject({ head: CommitId, how: z.enum(['carried', 'conflicted', 'anew']) }).optional(),
  }),
  event('build.finished', {
    summary: z.string().max(4_000),
    checkpoint: CommitId,
    confidence: Confidence.nullable().optional(),
    records,
  }),
  event('build.failed', { outcome: EngineOutcome, why, records }),
] as const

type Delivery = z.infer<(typeof agentMoves)[0]>['delivery']

const DELIVERY_WORDS: { readonly [How in NonNullable<Delivery>['how']]: (name: string) => string } = {
  carried: (name) => `, with the delivered change ${name} in it`,
  conflicted: (name) => `; the delivered change ${name} conflicts with it, and is in the prompt`,
  anew: (name) => `; starts over, without the delivered change ${name}`,
}

function deliveryWords(delivery: Delivery): string {
  return delivery === undefined ? '' : DELIVERY_WORDS[delivery.how](delivery.head.slice(0, 8))
}

export const buildEvents = {
  agentMoves,
  sentences: {
    'build.started': ({ branch, from, delivery }, { agent, item }) =>
      line(
        `${agent} started building ${item}`,
        `on ${branch}${from === undefined ? '' : ` from ${from}`}${deliveryWords(delivery)}`,
        'busy',
      ),
    'build.finished': ({ summary }, { agent, item }) =>
      line(`${agent} finished building ${item}`, summary, 'busy'),
    'build.failed': ({ outcome, why }, { item }) =>
      line(`Building ${item} failed: ${OUTCOME_WORDS[outcome]}`, why, 'bad'),
  } satisfies Sentences<(typeof agentMoves)[number]>,
}
