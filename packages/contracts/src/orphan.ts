// What an earlier daemon has left of an agent that nobody wants to run now.
import { z } from 'zod'
import { AgentId, ItemRef } from './ids.ts'
import { SessionFile } from './session-file.ts'

export const Orphan = z.strictObject({
  agentId: AgentId,
  /** A process that no daemon looks after. */
  process: z.strictObject({ pid: z.int(), started: z.string() }).nullable(),
  /** What the agent has last said of itself, if that can be read. */
  session: SessionFile.nullable(),
  /** What is wrong with the session file. */
  problem: z.string().nullable(),
  /** What it still holds. */
  item: ItemRef.nullable(),
})
export type Orphan = z.infer<typeof Orphan>
