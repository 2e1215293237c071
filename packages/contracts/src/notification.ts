// What the owner is told without having to look, and how far it has come on each channel.
import { z } from 'zod'
import { AlertContext, AlertDecision } from './alert.ts'
import { AlertLevel } from './cost.ts'
import { AgentId, Instant, ItemRef, Positive } from './ids.ts'

/** Alerts of the monitor; each is an event of that name as well, which the PM agent decides about. */
export const MonitorAlert = z.enum([
  'alert.stuck_task',
  'alert.deadlock',
  'alert.component_down',
  'alert.build_failed',
])
export type MonitorAlert = z.infer<typeof MonitorAlert>

/** What the health checks tell; each lasts until a check finds that it is over. */
export const HealthAlert = z.enum([
  'health.agent_degraded',
  'health.agent_unresponsive',
  'health.agent_stuck',
  'health.errors_rising',
  'health.error_rate',
  'health.queue_low',
  'health.queue_high',
  'health.all_crashed',
  'health.crash_rate',
  'health.loop_stalled',
  'health.budget_overrun',
  'health.data_damaged',
  'health.git_changed',
  ...MonitorAlert.options,
])
export type HealthAlert = z.infer<typeof HealthAlert>

export const NotificationType = z.enum([
  'question.asked',
  'question.reminded',
  'item.escalated',
  'review.waiting',
  'review.overdue',
  'owner.notified',
  'budget.crossed',
  'engine.suspended',
  'engine.rested',
  'environment.not_ready',
  'agent.crashed',
  'daemon.crashed',
  'lesson.judged',
  'ideation.completed',
  'category.all_exhausted',
  'phase.rolled_back',
  ...HealthAlert.options,
])
export type NotificationType = z.infer<typeof NotificationType>

/** Channels that something is sent over; the terminal and the feed show what is in the table. */
export const NotificationChannel = z.enum(['desktop', 'webhook', 'telegram'])
export type NotificationChannel = z.infer<typeof NotificationChannel>

export const NextStep = z.strictObject({
  label: z.string().min(1).max(300),
  /** What to type for it, where that is all. */
  command: z.string().min(1).max(500).nullable(),
})
export type NextStep = z.infer<typeof NextStep>

export const NewNotification = z.strictObject({
  type: NotificationType,
  level: AlertLevel,
  title: z.string().min(1).max(200),
  text: z.string().max(4_000),
  nextSteps: z.array(NextStep).max(10),
  /** What it is about; the same type and subject again is the same notification for a while. */
  subject: z.string().min(1).max(200),
  /** An agent stands still until it is answered. */
  blocking: z.boolean(),
  item: ItemRef.nullable(),
  questionId: z.string().max(100).nullable(),
  /** Who or what an alert comes from: the agent of a task that is stuck, or the monitor. */
  source: z.string().min(1).max(100).optional(),
  context: AlertContext.optional(),
})
export type NewNotification = z.infer<typeof NewNotification>

export const Delivery = z.strictObject({
  channel: NotificationChannel,
  /** dropped: somebody had seen it before it was due. */
  status: z.enum(['waiting', 'sending', 'sent', 'failed', 'dropped']),
  attempts: z.int().min(0),
  error: z.string().nullable(),
  /** When it is tried next, or was last. */
  at: Instant,
})
export type Delivery = z.infer<typeof Delivery>

export const Notification = NewNotification.extend({
  id: Positive,
  createdAt: Instant,
  /** When it last happened. */
  updatedAt: Instant,
  /** How often. */
  count: z.int().min(1),
  acknowledgedAt: Instant.nullable(),
  acknowledgedBy: z.string().nullable(),
  /** What it is about is over; told by a health check. */
  resolvedAt: Instant.nullable(),
  source: NewNotification.shape.source.unwrap().nullable(),
  context: AlertContext.nullable(),
  /** What was decided about it last; null: nothing so far. */
  decision: AlertDecision.nullable(),
  deliveries: z.array(Delivery),
})
export type Notification = z.infer<typeof Notification>

const ORDER: readonly AlertLevel[] = ['info', 'warning', 'error', 'critical']

export function isAtLeast(level: AlertLevel, least: AlertLevel): boolean {
  return ORDER.indexOf(level) >= ORDER.indexOf(least)
}

const DECISIONS: ReadonlySet<NotificationType> = new Set(['item.escalated', 'review.waiting'])

/** A person has to decide, or something stays where it is. */
export function needsDecision({ type, blocking }: Pick<Notification, 'type' | 'blocking'>): boolean {
  return blocking || DECISIONS.has(type)
}

/** How the crew and the system are, as against what becomes of an item: these make the alert log. */
export const ALERT_TYPES: readonly NotificationType[] = [
  ...HealthAlert.options,
  'budget.crossed',
  'engine.suspended',
  'engine.rested',
  'environment.not_ready',
  'agent.crashed',
  'daemon.crashed',
  'phase.rolled_back',
]

export function agentSubject(id: AgentId): string {
  return `agent ${id}`
}

/** The agent that a notification is about, if it is about one. */
export function agentAbout({ subject }: Pick<Notification, 'subject'>): AgentId | null {
  return AgentId.safeParse(/^agent (.+)$/.exec(subject)?.[1]).data ?? null
}
