// One execution of a loop: its phases, what each led to, and how it ended.
import { z } from 'zod'
import { GateName, GateResult } from './gate.ts'
import { AgentId, CommitId, Instant, ItemRef, RunId, Sha256 } from './ids.ts'

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
  /** Who serves the model, in the words of the GenAI conventions: anthropic, openai, … */
  provider: z.string().min(1).max(60).optional(),
  inputTokens: z.int().min(0),
  outputTokens: z.int().min(0),
  /** Parts of the input that came from, or went into, a cache; not contained in inputTokens. */
  cacheReadTokens: z.int().min(0).optional(),
  cacheWriteTokens: z.int().min(0).optional(),
  /** How long the call took, where the engine knows. */
  durationMs: z.number().min(0).optional(),
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
  /** A person, or a rule, did not let it happen. */
  denied: z.boolean().optional(),
  /** Whose tool it was, where that was not the main agent. */
  agent: z.string().min(1).max(100).optional(),
  /** What it changed, as a unified diff. */
  diff: z.string().max(8_000).optional(),
})
export type Observation = z.infer<typeof Observation>

/** Failures with one likely cause, as far as history keeps them; the failures themselves are in the gates. */
export const GroupNote = z.strictObject({
  id: z.string().min(1).max(100),
  signature: z.string().min(1).max(2_000),
  cause: z.string().max(1_000),
  tests: z.array(z.string().max(500)).max(100),
})
export type GroupNote = z.infer<typeof GroupNote>

/** What went into a prompt and what had to be left out. */
export const ContextNote = z.strictObject({
  budget: z.int().min(0),
  used: z.int().min(0),
  segments: z
    .array(z.strictObject({ name: z.string(), origin: z.string(), tokens: z.int(), truncated: z.boolean() }))
    .max(100),
  dropped: z
    .array(z.strictObject({ name: z.string(), origin: z.string(), tokens: z.int(), why: z.string() }))
    .max(100),
})
export type ContextNote = z.infer<typeof ContextNote>

/** One fix that was tried for one group: after a known resolution, or a novel one. */
export const FixNote = z.strictObject({
  group: GroupNote.nullable(),
  novel: z.boolean(),
  /** The lesson that the fix follows. */
  lessonId: z.uuid().nullable(),
  confidence: z.number().min(0).max(1).nullable(),
  engine: z.string().min(1).max(60),
  outcome: EngineOutcome,
  /** What the engine was told, whole, by content hash. */
  prompt: Sha256.nullable(),
  context: ContextNote.nullable(),
  said: z.string().max(2_000),
})
export type FixNote = z.infer<typeof FixNote>

/** A lesson that was shown to an engine. */
export const Applied = z.strictObject({
  lessonId: z.uuid(),
  type: z.enum(['pattern', 'gotcha', 'resolution', 'unresolved_error']),
  topic: z.string().max(200).nullable(),
  confidence: z.number().min(0).max(1),
})
export type Applied = z.infer<typeof Applied>

/** The part of a diff that history carries; the whole of it is kept by content hash. */
export const DIFF_CHARS_MAX = 16_000

/** A change that passes the item's own tests, though another gate refused it. */
export const KeptChange = z.strictObject({
  /** The reference that holds it. */
  ref: z.string().min(1).max(500),
  commit: CommitId,
  refusedBy: z.array(GateName).min(1),
})
export type KeptChange = z.infer<typeof KeptChange>

export const PhaseRecord = z.strictObject({
  phase: Phase,
  iteration: z.int().min(0),
  startedAt: Instant,
  durationMs: z.number().min(0),
  outcome: z.string().min(1).max(200),
  summary: z.string().max(4_000),
  checkpoint: CommitId.nullable(),
  /** None of the tools that the engine has used has worked: what the last one said. */
  toolFault: z.string().max(1_000).optional(),
  /** Files that this phase changed. */
  changes: z.array(z.string().max(1_000)).max(200).default([]),
  diff: z.string().max(DIFF_CHARS_MAX).default(''),
  diffOutput: Sha256.nullable().default(null),
  /** What failed after this phase, by likely cause. */
  groups: z.array(GroupNote).max(100).default([]),
  fixes: z.array(FixNote).max(100).default([]),
  applied: z.array(Applied).max(50).default([]),
  /** Of a test: what it looked at, where that is worth taking in spite of the refusal. */
  kept: KeptChange.nullable().default(null),
})
export type PhaseRecord = z.infer<typeof PhaseRecord>

/** A record in which only what is given has happened. */
export function phaseRecord(
  given: Pick<PhaseRecord, 'phase' | 'iteration' | 'startedAt' | 'durationMs' | 'outcome'> &
    Partial<PhaseRecord>,
): PhaseRecord {
  return {
    summary: '',
    checkpoint: null,
    changes: [],
    diff: '',
    diffOutput: null,
    groups: [],
    fixes: [],
    applied: [],
    kept: null,
    ...given,
  }
}

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

/** A run in which nothing has happened yet. */
export function blankRun(given: Pick<Run, 'id' | 'item' | 'agentId' | 'startedAt'> & Partial<Run>): Run {
  return {
    parentRunId: null,
    kind: 'item',
    fence: 0,
    status: 'loading',
    phase: null,
    iteration: 0,
    outcome: null,
    base: null,
    baseline: [],
    history: [],
    gates: [],
    usage: [],
    endedAt: null,
    ...given,
  }
}
