// One member of the crew: an operating-system process with a name.
import { z } from 'zod'
import { AgentId, Instant, ItemRef, Positive, RunId } from './ids.ts'

export const AgentStatus = z.enum([
  'idle',
  'working',
  'reviewing',
  'ideating',
  'paused',
  'stopped',
  'crashed',
  'failed',
])
export type AgentStatus = z.infer<typeof AgentStatus>

export const AgentHealth = z.enum(['healthy', 'degraded', 'unresponsive'])
export type AgentHealth = z.infer<typeof AgentHealth>

/** What the supervisor is to bring about, as against what is. */
export const AgentWanted = z.enum(['running', 'paused', 'stopped'])
export type AgentWanted = z.infer<typeof AgentWanted>

const Count = z.int().min(0).max(2_147_483_647)

export const Heartbeat = z.strictObject({
  pid: Positive,
  status: AgentStatus,
  memoryMb: z.number().min(0),
  cpuPercent: z.number().min(0),
  engine: z.string().min(1).max(60),
  phase: z.string().max(60).nullable(),
  tasksCompleted: Count,
  errorCount: Count,
  lastError: z.string().max(4_000).nullable(),
})
export type Heartbeat = z.infer<typeof Heartbeat>

export const Agent = z.strictObject({
  id: AgentId,
  status: AgentStatus,
  wanted: AgentWanted,
  health: AgentHealth,
  pid: z.int().nullable(),
  engine: z.string().nullable(),
  item: ItemRef.nullable(),
  runId: RunId.nullable(),
  phase: z.string().nullable(),
  tasksCompleted: z.int(),
  errorCount: z.int(),
  lastError: z.string().nullable(),
  memoryMb: z.number().nullable(),
  cpuPercent: z.number().nullable(),
  restarts: z.int(),
  startedAt: Instant.nullable(),
  lastHeartbeatAt: Instant.nullable(),
})
export type Agent = z.infer<typeof Agent>
