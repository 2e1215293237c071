// The local projection of an agent, with exactly the fields of the session file format.
import { z } from 'zod'
import { AgentStatus } from './agent.ts'
import { AgentId, Instant, Positive } from './ids.ts'

export const SessionFile = z.strictObject({
  agentId: AgentId,
  status: AgentStatus,
  /** Holds the issue number; the name is part of the format. */
  currentProjectNumber: Positive.nullable(),
  currentPhase: z.string().nullable(),
  branchName: z.string().nullable(),
  lastHeartbeat: Instant,
  tasksCompleted: z.int().min(0),
  currentTaskDescription: z.string().nullable(),
  errorCount: z.int().min(0),
  lastError: z.string().nullable(),
})
export type SessionFile = z.infer<typeof SessionFile>

export function idleSession(agentId: AgentId, now: string): SessionFile {
  return {
    agentId,
    status: 'idle',
    currentProjectNumber: null,
    currentPhase: null,
    branchName: null,
    lastHeartbeat: now,
    tasksCompleted: 0,
    currentTaskDescription: null,
    errorCount: 0,
    lastError: null,
  }
}
