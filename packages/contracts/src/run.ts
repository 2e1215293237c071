// One execution of a loop: its phases, what each led to, and how it ended.
import { z } from 'zod'
import { GateResult } from './gate.ts'
import { AgentId, CommitId, Instant, ItemRef, RunId } from './ids.ts'

export const RunStatus = z.enum(['idle', 'loading', 'active', 'complete', 'error'])
export type RunStatus = z.infer<typeof RunStatus>

export const Phase = z.enum(['build', 'test', 'improve', 'commit', 'escalation'])
export type Phase = z.infer<typeof Phase>

/** How an engine's turn ended. The second line says that the world broke, not the agent. */
export const AgentOutcome = z.enum(['done', 'max_turns', 'budget', 'interrupted', 'refused'])
export const WorldOutcome = z.enum([
  'rate_limited',
  'overloaded',
  'network',
  'auth',
  'billing',
  'invalid',
  'crashed',
  'stalled',
])
export const EngineOutcome = z.enum([...AgentOutcome.options, ...WorldOutcome.options])
export type EngineOutcome = z.infer<typeof EngineOutcome>

/** How far an engine that can tell trusts its own change, in a sentence a reviewer can read. */
export const Confidence = z.strictObject({
  level: z.enum(['high', 'low']),
  why: z.string().min(1).max(1_000),
})
export type Confidence = z.infer<typeof Confidence>

export const Usage = z.strictObject({
  model: z.string(),
  inputTokens: z.int().min(0),
  outputTokens: z.int().min(0),
  usd: z.number().min(0).nullable(),
})
export type Usage = z.infer<typeof Usage>

/** What was done with which tool, and whether it worked. */
export const Observation = z.strictObject({
  tool: z.string().min(1).max(100),
  input: z.string().max(8_000),
  output: z.string().max(8_000),
  durationMs: z.number().min(0),
  success: z.boolean(),
})
export type Observation = z.infer<typeof Observation>

export const PhaseRecord = z.strictObject({
  phase: Phase,
  iteration: z.int().min(0),
  startedAt: Instant,
  durationMs: z.number().min(0),
  outcome: z.string().min(1).max(200),
  summary: z.string().max(4_000),
  checkpoint: CommitId.nullable(),
})
export type PhaseRecord = z.infer<typeof PhaseRecord>

export const Run = z.strictObject({
  id: RunId,
  parentRunId: RunId.nullable(),
  kind: z.enum(['item']),
  item: ItemRef,
  agentId: AgentId,
  fence: z.int(),
  status: RunStatus,
  phase: Phase.nullable(),
  iteration: z.int(),
  outcome: z.string().nullable(),
  /** The commit the work started from, and what the gates found there. */
  base: CommitId.nullable(),
  baseline: z.array(GateResult),
  history: z.array(PhaseRecord),
  gates: z.array(GateResult),
  usage: z.array(Usage),
  startedAt: Instant,
  endedAt: Instant.nullable(),
})
export type Run = z.infer<typeof Run>
