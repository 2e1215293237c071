// What the health checks found when they last looked.
import { z } from 'zod'
import { AgentStatus } from './agent.ts'
import { AlertLevel } from './cost.ts'
import { AgentId, Instant } from './ids.ts'
import { HealthAlert } from './notification.ts'

export const CheckName = z.enum([
  'responsiveness',
  'error_rate',
  'stuck',
  'queue',
  'budget',
  'crew',
  'loop',
  'data',
  'git',
  'tasks',
  'components',
  'deadlocks',
  'builds',
])
export type CheckName = z.infer<typeof CheckName>

export const CheckHealth = z.enum([
  'healthy',
  'low',
  'high',
  'warning',
  'degraded',
  'unresponsive',
  'stuck',
  'stalled',
  'critical',
])
export type CheckHealth = z.infer<typeof CheckHealth>

export const HealthCheck = z.strictObject({
  check: CheckName,
  /** What was looked at: an agent, the queue, a budget. */
  subject: z.string().min(1).max(200),
  agentId: AgentId.nullable(),
  health: CheckHealth,
  /** What was found, as a sentence. */
  text: z.string().max(4_000),
  alert: HealthAlert.nullable(),
  level: AlertLevel.nullable(),
})
export type HealthCheck = z.infer<typeof HealthCheck>

/** How often an alert of a kind came within a week, and how often it was over by the next check but one. */
export const AlertNoise = z.strictObject({
  type: HealthAlert,
  raised: z.int().min(0),
  brief: z.int().min(0),
})
export type AlertNoise = z.infer<typeof AlertNoise>

/** An agent as the monitor sees it. */
export const WatchedLoop = z.strictObject({
  id: AgentId,
  name: z.string().max(100),
  status: AgentStatus,
  /** Items that it has in hand, and those that are kept for it. */
  currentLoad: z.int().min(0),
})
export type WatchedLoop = z.infer<typeof WatchedLoop>

/** A part of the system that is expected to give signs of life. */
export const ComponentHealth = z.strictObject({
  component: AgentId,
  /** Null: it has never given one. */
  lastHeartbeat: Instant.nullable(),
})
export type ComponentHealth = z.infer<typeof ComponentHealth>

export const HealthReport = z.strictObject({
  /** Why nothing is checked; null: it is. */
  off: z.string().nullable(),
  /** Null: not yet. */
  checkedAt: Instant.nullable(),
  tookMs: z.number().min(0).nullable(),
  everyMs: z.int(),
  checks: z.array(HealthCheck),
  /** Checks that could not be made; what they would have said is as it was. */
  skipped: z.array(z.strictObject({ check: CheckName, why: z.string().max(1_000) })),
  noise: z.array(AlertNoise),
  loops: z.array(WatchedLoop),
  components: z.array(ComponentHealth),
})
export type HealthReport = z.infer<typeof HealthReport>
