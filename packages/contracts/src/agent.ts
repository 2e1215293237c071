// One member of the crew: an operating-system process with a name.
import { z } from 'zod'
import { AgentId, Instant, ItemRef, Positive, RunId } from './ids.ts'
import { RunStatus } from './run.ts'

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

/** How far a pause has come: still on its way to the end of the phase, or halted with all it started. */
export const AgentSubstate = z.enum(['draining', 'frozen'])
export type AgentSubstate = z.infer<typeof AgentSubstate>

const Count = z.int().min(0).max(2_147_483_647)

export const Heartbeat = z.strictObject({
  agentId: AgentId,
  status: AgentStatus,
  /** Holds the issue number; the name is part of the format. */
  currentProjectNumber: Positive.nullable(),
  /** When it was measured. */
  timestamp: Instant,
  /** Resident memory in megabytes. */
  memoryUsage: z.number().min(0),
  /** Percent of one processor since the last one. */
  cpuUsage: z.number().min(0),
  pid: Positive,
  engine: z.string().min(1).max(60),
  phase: z.string().max(60).nullable(),
  tasksCompleted: Count,
  errorCount: Count,
  lastError: z.string().max(4_000).nullable(),
  /** At a checkpoint with nothing under way: it may be halted. */
  drained: z.boolean().default(false),
})
export type Heartbeat = z.infer<typeof Heartbeat>

/** The workspace that an agent belongs to, among those that share one database. */
export const AgentWorkspace = z.strictObject({
  /** Made once for a workspace; it stays when the machine is renamed or the folder is moved. */
  id: z.string().min(1),
  /** Where that is, for people. */
  words: z.string(),
})
export type AgentWorkspace = z.infer<typeof AgentWorkspace>

export const Agent = z.strictObject({
  id: AgentId,
  status: AgentStatus,
  wanted: AgentWanted,
  substate: AgentSubstate.nullable(),
  health: AgentHealth,
  pid: z.int().nullable(),
  /** The start of that process; number and start together are one process for good. */
  pidStarted: z.string().nullable(),
  /** Whose the name is, with or without a process; null: anybody on the database may use it. */
  workspace: AgentWorkspace.nullable(),
  /** Since when the whole tree is halted. */
  frozenAt: Instant.nullable(),
  engine: z.string().nullable(),
  item: ItemRef.nullable(),
  runId: RunId.nullable(),
  /** Of the run in hand; idle without one. */
  runStatus: RunStatus,
  phase: z.string().nullable(),
  tasksCompleted: z.int(),
  errorCount: z.int(),
  lastError: z.string().nullable(),
  memoryMb: z.number().nullable(),
  cpuPercent: z.number().nullable(),
  restarts: z.int(),
  startedAt: Instant.nullable(),
  lastHeartbeatAt: Instant.nullable(),
  /** Since the agent's state was reset: what was measured before counts no more. */
  metricsSince: Instant.nullable(),
})
export type Agent = z.infer<typeof Agent>

/** One agent in the summary of the crew's health, in the words of a heartbeat. */
const AgentHealthSummary = Heartbeat.pick({ agentId: true, status: true, currentProjectNumber: true }).extend(
  {
    substate: AgentSubstate.nullable(),
    health: AgentHealth,
    /** Of the last heartbeat; null if there was none yet. */
    timestamp: Instant.nullable(),
    memoryUsage: z.number().nullable(),
    cpuUsage: z.number().nullable(),
    lastError: z.string().nullable(),
  },
)

export const CrewHealth = z.strictObject({
  healthy: Count,
  degraded: Count,
  unresponsive: Count,
  agents: z.array(AgentHealthSummary),
})
export type CrewHealth = z.infer<typeof CrewHealth>
