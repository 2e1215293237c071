// What is told of an order.
import { z } from 'zod'
import { RestsOn } from '../item.ts'
import { Actor, OrderName, PurgedItem } from '../order.ts'
import { event, line, type Sentences, spaced } from './shape.ts'

/** Facts that move no item. */
const facts = [
  event('order.given', {
    order: OrderName,
    by: Actor,
    target: z.string().max(200).nullable(),
    impact: z.string().max(4_000),
    outcome: z.string().max(4_000),
    /** Written before it is carried out, by the daemon of this place; what came of it follows under an id of its own. */
    begun: z.string().min(1).max(100).optional(),
    /** Set for a decision: what kept anybody else from making it. */
    restsOn: RestsOn.optional(),
    /** Set if the order was refused or did not work. */
    failed: z.literal(true).optional(),
    /** What a purge took out of the queue. */
    items: z.array(PurgedItem).max(10_000).optional(),
  }),
] as const

export const orderEvents = {
  facts,
  sentences: {
    'order.given': ({ order, by, target, outcome, begun }) =>
      line(
        `${by} ${begun ? 'gives the order' : 'ordered'}: ${spaced(order)}${target === null ? '' : ` ${target}`}`,
        outcome,
        'attention',
      ),
  } satisfies Sentences<(typeof facts)[number]>,
}
