// Reports of one run, as an agent sends them; for tests.
import type { RunReport } from '@treadle/contracts/event'
import { type GateName, GateResult } from '@treadle/contracts/gate'
import { PhaseRecord } from '@treadle/contracts/run'
import type { MeasureContext } from './measure.ts'

export const RUN_ID = '7b0a3c52-5d0e-4b1e-9d0a-0d7c5a3c1e11'
const STARTED = '2026-03-01T10:00:00.000Z'
export const startMs = Date.parse(STARTED)

type ContextGiven = Partial<Omit<MeasureContext, 'run'>> & { readonly run?: Partial<MeasureContext['run']> }

export function context(given: ContextGiven = {}) {
  const run: MeasureContext['run'] = {
    id: RUN_ID,
    item: { projectNumber: 1, number: 42 },
    agentId: 'agent-1',
    iteration: 0,
    startedAt: STARTED,
    history: [],
    ...given.run,
  }
  return { state: null, at: new Date(startMs + 60_000), ...given, run } satisfies MeasureContext
}

export function record(given: Partial<PhaseRecord>): PhaseRecord {
  return PhaseRecord.parse({
    phase: 'build',
    iteration: 0,
    startedAt: new Date(startMs + 1_000).toISOString(),
    durationMs: 2_000,
    outcome: 'done',
    summary: 'a secret that no label may carry',
    checkpoint: null,
    ...given,
  })
}

export function phase(given: Partial<PhaseRecord>): RunReport {
  return { type: 'run.phase', record: record(given) }
}

export function gate(is: 'passed' | 'failed', name: GateName, durationMs: number): GateResult {
  const evidence = {
    command: 'npm test',
    exitCode: is === 'passed' ? 0 : 1,
    signal: null,
    timedOut: false,
    durationMs,
    output: 'a'.repeat(64),
    outputBytes: 1,
    tail: '',
    report: null,
  }
  const failure = { id: 't', file: null, line: null, message: 'm', stack: null }
  return GateResult.parse({ is, gate: name, evidence, ...(is === 'failed' ? { failures: [failure] } : {}) })
}

export function verified(gates: GateResult[]): RunReport {
  return {
    type: 'verify.passed',
    branch: 'agent-1/project-42',
    head: 'b'.repeat(40),
    gates,
    pushed: false,
    pushNote: null,
  }
}

export const used: RunReport = {
  type: 'run.used',
  usage: {
    model: 'some-model',
    provider: 'some-provider',
    inputTokens: 1_200,
    outputTokens: 300,
    durationMs: 2_500,
    usd: 0.01,
  },
}
