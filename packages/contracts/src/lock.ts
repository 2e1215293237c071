// Files that agents have for tasks of a build, who waits for whom, and whether a task can be begun.
import { z } from 'zod'
import { AgentId, Instant, ItemRef, Positive } from './ids.ts'

/** A path, or a glob, relative to the repository. */
const File = z.string().min(1).max(500)

/** A file that belongs to one item of a build for as long as the lease of its claim lasts. */
export const FileLock = z.strictObject({
  build: z.uuid(),
  file: File,
  item: ItemRef,
  lockedBy: AgentId,
  lockedAt: Instant,
  /** From then on nobody minds it: its holder has gone silent. */
  expiresAt: Instant,
})
export type FileLock = z.infer<typeof FileLock>

/** An item waits for a file that another one has; both as `project/number`. */
export const LockWait = z.strictObject({
  waiter: z.string().max(40),
  waitingFor: z.string().max(40),
  file: File,
  since: Instant,
})
export type LockWait = z.infer<typeof LockWait>

/** Whether an item of the queue can be begun, and what keeps it. */
export const Clearance = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('ready') }),
  /** These are to be done first. */
  z.strictObject({ is: z.literal('blocked'), by: z.array(Positive) }),
  /** One of its files belongs to somebody else, and nobody has spoken with them. */
  z.strictObject({ is: z.literal('owned'), by: z.string().max(200) }),
  /** Another agent has one of its files, for another item of the same build. */
  z.strictObject({ is: z.literal('locked'), by: AgentId, item: ItemRef, file: File }),
])
export type Clearance = z.infer<typeof Clearance>

/** An item that wants a file, or has it. */
export const ConflictParty = z.strictObject({
  item: ItemRef,
  /** Null: it waits in the queue. */
  agentId: AgentId.nullable(),
  priority: z.int().nullable(),
})
export type ConflictParty = z.infer<typeof ConflictParty>

/** What becomes of a conflict over a file; a label such as #7 is whom it concerns. */
export const ConflictDecision = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('GRANT'), target: z.string().max(40), reason: z.string().max(700) }),
  z.strictObject({
    action: z.literal('PREEMPT'),
    target: z.string().max(40),
    message: z.string().max(700),
    followUp: z.literal('PAUSE_AND_YIELD'),
  }),
  z.strictObject({
    action: z.literal('DENY'),
    target: z.string().max(40),
    reason: z.string().max(700),
    suggestion: z.literal('Wait or request change'),
  }),
])
export type ConflictDecision = z.infer<typeof ConflictDecision>
