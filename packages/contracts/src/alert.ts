// What the monitor tells, and what is decided about it.
import { z } from 'zod'
import { Instant } from './ids.ts'

const shortWords = z.string().min(1).max(200)

/** A task that somebody has been at work on for too long. */
export const StuckContext = z.strictObject({
  /** As `1/7`. */
  task_id: shortWords,
  /** How long it has been at work, in milliseconds. */
  duration: z.int().min(0),
  phase: z.string().max(60).nullable(),
  /** The claim that it is at work under. */
  fence: z.int(),
})
export type StuckContext = z.infer<typeof StuckContext>

/** Who waits for whom in a circle; the last waits for the first. */
export const DeadlockContext = z.strictObject({ cycle: z.array(shortWords).min(1).max(1_000) })
export type DeadlockContext = z.infer<typeof DeadlockContext>

/** A part of the system that should be there and has given no sign of life. */
export const ComponentContext = z.strictObject({
  component: shortWords,
  last_heartbeat: Instant.nullable(),
})
export type ComponentContext = z.infer<typeof ComponentContext>

export const BuildFailedContext = z.strictObject({ build: shortWords, why: z.string().max(4_000) })
export type BuildFailedContext = z.infer<typeof BuildFailedContext>

export const AlertContext = z.union([StuckContext, DeadlockContext, ComponentContext, BuildFailedContext])
export type AlertContext = z.infer<typeof AlertContext>

/** The decisions of the PM agent. LEAVE: nothing is to be done, and why. */
export const PmAction = z.enum([
  'WATCH',
  'ESCALATE',
  'INTERRUPT',
  'REASSIGN',
  'BREAK',
  'RESTART',
  'GRANT',
  'PREEMPT',
  'DENY',
  'LEAVE',
])
export type PmAction = z.infer<typeof PmAction>

/** What was decided about an alert last. */
export const AlertDecision = z.strictObject({
  action: PmAction,
  /** An agent, a task, or `human`. */
  target: shortWords.nullable(),
  reason: z.string().min(1).max(1_000),
  at: Instant,
  /** When it is looked at again if it lasts; null: not by itself. */
  checkAgainAt: Instant.nullable(),
})
export type AlertDecision = z.infer<typeof AlertDecision>
