// What is told of an item itself.
import { z } from 'zod'
import { AgentId } from '../ids.ts'
import { ItemChanges } from '../item.ts'
import { Actor, PurgedItem } from '../order.ts'
import { planWords } from '../words/plan.ts'
import { event, line, type Sentences, why } from './shape.ts'

/** What the agent that holds an item may say of it. Each moves the item's machine. */
const agentMoves = [event('item.escalated', { why })] as const

/** What only the daemon may say of an item. */
const daemonMoves = [
  event('item.withdrawn', { by: z.string().min(1) }),
  event('item.reopened', {
    by: z.string().min(1),
    /** By the undo of a purge: as it was before, and why it stood there. */
    as: PurgedItem.shape.state.optional(),
    reason: PurgedItem.shape.reason.optional(),
    /** The next claim starts from the target, and not from what was delivered. */
    fresh: z.literal(true).optional(),
    /** What whoever takes it up is told. */
    words: z.string().min(1).max(4_000).optional(),
  }),
  /** Taken from whoever holds it, and kept for one agent, or for nobody in particular. */
  event('item.assigned', { by: z.string().min(1), to: AgentId.nullable() }),
] as const

/** Facts that move no item. */
const facts = [
  event('item.added', {
    title: z.string(),
    /** Absent in what older versions recorded. */
    by: Actor.optional(),
  }),
  /** What it has to do with others, or its place in the queue, is another now. */
  event('item.edited', {
    by: z.string().min(1).max(200),
    changes: ItemChanges,
  }),
  event('item.commented', { by: z.string().min(1).max(200), text: z.string().min(1).max(16_384) }),
] as const

export const itemEvents = {
  agentMoves,
  daemonMoves,
  facts,
  sentences: {
    'item.escalated': ({ why }, { item }) => line(`${item} needs you`, why, 'attention'),
    'item.withdrawn': ({ by }, { item }) => line(`${by} withdrew ${item}`),
    'item.reopened': ({ by, fresh, words }, { item }) =>
      line(`${by} put ${item} back in the queue`, fresh === true ? 'to be started over' : words),
    'item.assigned': ({ by, to }, { item }) =>
      line(to === null ? `${by} put ${item} back in the queue` : `${by} gave ${item} to ${to}`),
    'item.added': ({ title }, { item }) => line(`${item} was added`, title),
    'item.edited': ({ by, changes }, { item }) => line(`${by} edited ${item}`, planWords(changes)),
    'item.commented': ({ by, text }, { item }) => line(`${by} commented on ${item}`, text),
  } satisfies Sentences<(typeof agentMoves)[number] | (typeof daemonMoves)[number] | (typeof facts)[number]>,
}
