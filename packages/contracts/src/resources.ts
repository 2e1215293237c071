// What the machine has for the crew: processors, memory, load, and calls of models under way at once.
import { z } from 'zod'
import { AgentId, Instant } from './ids.ts'

const Count = z.int().min(0)

export const Resources = z.strictObject({
  cores: z.strictObject({
    count: Count,
    /** The processors that an agent is kept to, such as 0-1. */
    agents: z.record(AgentId, z.string().max(200)),
    /** Why agents are not kept to processors of their own; null: they are. */
    why: z.string().max(500).nullable(),
  }),
  /** What can be had without anything being swapped out. */
  memoryFreeMb: z.number().min(0),
  /** Programs that ran or waited to run, on average over the last minute. */
  load: z.number().min(0),
  /** What is short, one sentence for each; none: there is enough. */
  pressure: z.array(z.string().max(500)),
  /** Since when something is short; null: nothing is. */
  since: Instant.nullable(),
  calls: z.strictObject({
    /** The most calls of models under way at once. */
    atOnce: Count,
    underWay: Count,
    waiting: Count,
  }),
})
export type Resources = z.infer<typeof Resources>
