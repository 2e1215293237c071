// What a person, or the system itself, orders the whole crew, an agent or the queue to do.
import { z } from 'zod'
import { AgentStatus } from './agent.ts'
import { AgentId, EventId, Instant, ItemRef } from './ids.ts'

/** Who gave an order. Names that begin with `system:` are the daemon's own. */
export const Actor = z.string().trim().min(1).max(200)
export type Actor = z.infer<typeof Actor>
export const OWNER: Actor = 'owner'
/** Whoever has only the crew key, whatever name it gives. */
export const CREW_CALLER: Actor = 'agent'
const SYSTEM = /^system:/i
/** As a caller may name itself. */
export const CallerName = Actor.refine(
  (name) => !SYSTEM.test(name),
  'names that begin with system: are taken',
)

/** Six digits that the daemon shows to the owner and takes once. */
export const ConfirmCode = z.string().regex(/^\d{6}$/, 'must be six digits')

/** Switches of the phases, by the number of the phase that each turns off. */
export const PHASE_FLAGS = {
  2: 'enable_multi_agent',
  3: 'enable_review_agent',
  4: 'enable_ideation',
  5: 'enable_advanced_monitoring',
} as const
export type PhaseFlag = (typeof PHASE_FLAGS)[keyof typeof PHASE_FLAGS]
export const RolloutPhase = z.union([z.literal(2), z.literal(3), z.literal(4), z.literal(5)])
export type RolloutPhase = z.infer<typeof RolloutPhase>

const plain = <T extends string>(is: T) => z.strictObject({ is: z.literal(is) })

/** The orders that go through one door, where those that destroy something ask for confirmation. */
export const Order = z.discriminatedUnion('is', [
  plain('emergency_stop'),
  plain('stop_all'),
  plain('pause_all').extend({ now: z.boolean().default(false) }),
  plain('resume_all'),
  plain('reassign').extend({ item: ItemRef, to: AgentId.nullable().default(null) }),
  plain('reset').extend({ agentId: AgentId }),
  plain('recover'),
  plain('purge'),
  /** Of the last purge, or of the one named. */
  plain('undo_purge').extend({ purge: EventId.nullable().default(null) }),
  plain('rollback').extend({ phase: RolloutPhase }),
])
export type Order = z.infer<typeof Order>

/** Every order that is written down, those about one agent or one item included. */
export const OrderName = z.enum([
  'emergency_stop',
  'stop_all',
  'pause_all',
  'resume_all',
  'reassign',
  'reset',
  'recover',
  'purge',
  'undo_purge',
  'rollback',
  'start_agents',
  'start',
  'stop',
  'pause',
  'resume',
  'restart',
  'approve',
  'reject',
  'withdraw',
  'edit',
  'reopen',
  'revert',
  'release',
  'undelete',
  'resolve_conflict',
  'abort_conflict',
  'recover_orphan',
  'delete_orphan',
  'shutdown',
])
export type OrderName = z.infer<typeof OrderName>

/** What an order will hit, in words and one by one. */
export const Impact = z.strictObject({
  text: z.string(),
  /** The same without the agents, for whoever lists them below; left out where no agent is named. */
  brief: z.string().optional(),
  agents: z.array(z.strictObject({ id: AgentId, status: AgentStatus, item: ItemRef.nullable() })),
  items: z.array(ItemRef),
})
export type Impact = z.infer<typeof Impact>

export const OrderPreview = z.strictObject({
  impact: Impact,
  /** To be sent with the order; null: the order needs none. */
  confirm: z.string().nullable(),
  expiresAt: Instant.nullable(),
})
export type OrderPreview = z.infer<typeof OrderPreview>

export const OrderGiven = z.strictObject({
  /** Of the record in the audit log; a purge is undone by it. */
  id: EventId,
  order: OrderName,
  by: Actor,
  impact: Impact,
  /** What came of it, in words. */
  outcome: z.string(),
  /** What did not work; the rest was done all the same. */
  failed: z.array(z.string()),
})
export type OrderGiven = z.infer<typeof OrderGiven>

/** An item as it was before a purge, so that the undo puts it back as it was. */
export const PurgedItem = z.strictObject({
  projectNumber: ItemRef.shape.projectNumber,
  number: ItemRef.shape.number,
  state: z.enum(['todo', 'backlog', 'rework']),
  reason: z.string().nullable(),
})
export type PurgedItem = z.infer<typeof PurgedItem>

export const AuditEntry = z.strictObject({
  id: EventId,
  cursor: z.string(),
  at: Instant,
  order: OrderName,
  by: Actor,
  target: z.string().nullable(),
  impact: z.string(),
  /** Begun: what comes of it is not known yet. */
  is: z.enum(['begun', 'done', 'failed']),
  /** What came of it, in words. */
  outcome: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** A piece of work that no branch has any more, or not yet. */
export const KeptWork = z.strictObject({
  ref: z.string(),
  commit: z.string(),
  kind: z.enum(['checkpoint', 'last', 'given_up', 'found', 'other']),
  at: Instant,
  runId: z.string().nullable(),
  item: ItemRef.nullable(),
  agentId: AgentId.nullable(),
  /** Changed against where the work began, as many as are listed. */
  files: z.array(z.string()),
  fileCount: z.int(),
})
export type KeptWork = z.infer<typeof KeptWork>
