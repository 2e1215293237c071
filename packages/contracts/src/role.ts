// A role: one of the six agents, as what starts it, what it reacts to, what it may do and what it is told.
import { z } from 'zod'
import { Instant } from './ids.ts'

export const RoleName = z.enum([
  'ideation-agent',
  'specification-agent',
  'build-agent',
  'sia-agent',
  'monitor-agent',
  'pm-agent',
])
export type RoleName = z.infer<typeof RoleName>

/** A later part of the product, which brings what a role or a reaction still lacks. */
export const LaterPart = z.enum(['builds'])
export type LaterPart = z.infer<typeof LaterPart>

/** What begins the work of a role. */
export const RoleTrigger = z.strictObject({
  kind: z.enum(['message', 'event_or_request', 'event', 'timer']),
  words: z.string().max(100),
  /** Of a timer. */
  everyMs: z.int().positive().nullable(),
})
export type RoleTrigger = z.infer<typeof RoleTrigger>

export const Power = z.enum([
  'talk',
  'ask_people',
  'ask_model',
  'write_documents',
  'propose_documents',
  'record_lessons',
  'change_code',
  'raise_alerts',
  'assign_work',
  'restart_parts',
])
export type Power = z.infer<typeof Power>

export const RoleReaction = z.strictObject({
  /** An event, or a family of events such as alert.*. */
  event: z.string().max(100),
  /**
   * job: a job is sent in the transaction that records the event. wait: a person is told and decides. with_it: what
   * the event asks for is recorded in the same transaction. later: nothing yet.
   */
  does: z.enum(['job', 'wait', 'with_it', 'later']),
  words: z.string().max(300),
  /** The setting that turns the job on; without it the event waits for a person. */
  setting: z.string().max(100).nullable(),
  part: LaterPart.nullable(),
})
export type RoleReaction = z.infer<typeof RoleReaction>

/** How the context of a role is filled. */
export const ContextPlan = z.strictObject({
  strategy: z.enum(['LAZY', 'EAGER', 'PHASED', 'TARGETED']),
  loads: z.array(z.string().max(200)).max(20),
})
export type ContextPlan = z.infer<typeof ContextPlan>

export const RoleView = z.strictObject({
  name: RoleName,
  title: z.string().max(100),
  /** What it is for. */
  role: z.string().max(200),
  /** Where the first drafts of it stood. */
  location: z.string().max(100),
  trigger: RoleTrigger,
  reactsTo: z.array(RoleReaction).max(20),
  may: z.array(Power).max(20),
  /** The texts that its model is given. */
  prompts: z.array(z.string().max(100)).max(20),
  context: ContextPlan,
  /** The part that brings it; null: it works. */
  part: LaterPart.nullable(),
  /** The last time it reacted, and what came of it; null: never so far. */
  last: z
    .strictObject({
      at: Instant,
      /** What it reacted to, as one sentence. */
      to: z.string().nullable(),
      /** What came of it, as one sentence; null: nothing yet. */
      outcome: z.string().nullable(),
    })
    .nullable(),
})
export type RoleView = z.infer<typeof RoleView>
