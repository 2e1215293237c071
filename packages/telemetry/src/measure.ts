// What one accepted report of a run says in numbers and spans. Pure: the same report gives the same measurements.
import { type RunReport, recordsIn } from '@treadle/contracts/event'
import type { GateResult } from '@treadle/contracts/gate'
import { itemLabel } from '@treadle/contracts/ids'
import type { ItemState } from '@treadle/contracts/item'
import type { PhaseRecord, Run, Usage } from '@treadle/contracts/run'
import type { InstrumentName } from './instruments.ts'

type Labels = Readonly<Record<string, string | number>>

export type Measurement =
  | {
      readonly is: 'value'
      readonly name: InstrumentName
      /** 1 for a counter. */
      readonly value: number
      readonly labels: Labels
    }
  | { readonly is: 'span'; readonly span: SpanFacts }

/** Keys instead of ids: a child that is reported before its parent, or after a restart, still finds it. */
export interface SpanFacts {
  readonly runId: string
  /** null: nothing refers to it. */
  readonly key: string | null
  readonly parent: string | null
  readonly name: string
  readonly kind: 'internal' | 'client'
  readonly startMs: number
  readonly endMs: number
  readonly failed: boolean
  readonly attributes: Labels
}

export interface MeasureContext {
  readonly run: Pick<Run, 'id' | 'item' | 'agentId' | 'iteration' | 'startedAt' | 'history'>
  /** Of the item after a move; null for a note, which moves nothing. */
  readonly state: ItemState | null
  /** When the report was accepted. */
  readonly at: Date
}

const LOOP = 'loop'

/** Reports of any other type are not looked at. */
export function isMeasured(type: RunReport['type']): boolean {
  return MEASURED.has(type)
}
const MEASURED: ReadonlySet<RunReport['type']> = new Set([
  'run.phase',
  'run.used',
  'build.finished',
  'verify.passed',
  'verify.failed',
  'build.failed',
  'item.escalated',
] as const)

export function measure(report: RunReport, context: MeasureContext): Measurement[] {
  const phases = recordsIn(report).flatMap((record) => measurePhase(record, context))
  return [...phases, ...measureOf(report, context)]
}

function measureOf(report: RunReport, context: MeasureContext): Measurement[] {
  switch (report.type) {
    case 'run.used':
      return measureCall(report.usage, context)
    case 'verify.passed':
    case 'verify.failed':
      return [...measureGates(report.gates, context), ...measureLoop(report, context)]
    case 'build.failed':
    case 'item.escalated':
      return measureLoop(report, context)
    default:
      return []
  }
}

export type LoopOutcome = 'success' | 'escalation'

/** A loop ends with a delivery or with a question to a person; a claim that is lost or given back ends nothing. */
export function loopOutcome(report: RunReport, state: ItemState | null): LoopOutcome | null {
  if (report.type === 'verify.passed') return state === null ? null : 'success'
  return state === 'escalated' ? 'escalation' : null
}

function measureLoop(report: RunReport, context: MeasureContext): Measurement[] {
  const { run, at, state } = context
  const outcome = loopOutcome(report, state)
  if (outcome === null) return []
  const startMs = Date.parse(run.startedAt)
  const durationMs = Math.max(0, at.getTime() - startMs)
  return [
    value('meta_agent.loop.iterations', run.iteration),
    value('meta_agent.loop.duration_ms', durationMs),
    value('meta_agent.loop.total', 1, { outcome }),
    span(context, {
      key: LOOP,
      parent: null,
      name: 'meta_agent.loop',
      startMs,
      endMs: startMs + durationMs,
      failed: outcome === 'escalation',
      attributes: { 'meta_agent.loop.outcome': outcome, 'meta_agent.loop.iterations': run.iteration },
    }),
  ]
}

function measurePhase(record: PhaseRecord, context: MeasureContext): Measurement[] {
  const { phase, iteration, durationMs } = record
  const outcome = labelOf(record.outcome)
  const startMs = Date.parse(record.startedAt)
  return [
    value('meta_agent.phase.duration_ms', durationMs, { phase }),
    value('meta_agent.phase.total', 1, { phase, outcome }),
    span(context, {
      key: phaseKey(phase, iteration),
      parent: LOOP,
      name: `meta_agent.phase ${phase}`,
      startMs,
      endMs: startMs + durationMs,
      failed: !GOOD_PHASE.has(outcome),
      attributes: {
        'meta_agent.phase': phase,
        'meta_agent.phase.outcome': outcome,
        'meta_agent.iteration': iteration,
      },
    }),
  ]
}

const GOOD_PHASE: ReadonlySet<string> = new Set(['done', 'max_turns', 'passed', 'committed', 'success'])

/** The gates of one test phase ran one after the other, from its start on. */
function measureGates(gates: readonly GateResult[], context: MeasureContext): Measurement[] {
  const { history } = context.run
  const test = history.findLast(({ phase }) => phase === 'test') ?? null
  const tookMs = gates.reduce((sum, gate) => sum + latencyOf(gate), 0)
  let startMs = test === null ? context.at.getTime() - tookMs : Date.parse(test.startedAt)
  return gates.flatMap((gate) => {
    const { gate: name, is: result } = gate
    const began = startMs
    startMs += latencyOf(gate)
    const counted = value('meta_agent.gate.evaluations', 1, { gate: name, result })
    if (!('evidence' in gate)) return [counted]
    return [
      counted,
      value('meta_agent.gate.latency_ms', gate.evidence.durationMs, { gate: name }),
      span(context, {
        key: `gate/${name}/${test?.iteration ?? 0}`,
        parent: test === null ? LOOP : phaseKey('test', test.iteration),
        name: `meta_agent.gate ${name}`,
        startMs: began,
        endMs: startMs,
        failed: result === 'failed',
        attributes: { 'meta_agent.gate': name, 'meta_agent.gate.result': result },
      }),
    ]
  })
}

function latencyOf(gate: GateResult): number {
  return 'evidence' in gate ? gate.evidence.durationMs : 0
}

function measureCall(usage: Usage, context: MeasureContext): Measurement[] {
  const { run, at } = context
  const { model, durationMs, inputTokens, outputTokens } = usage
  const labels = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': usage.provider ?? 'unknown',
    'gen_ai.request.model': model,
  }
  const tokens = (type: string, count: number) =>
    value('gen_ai.client.token.usage', count, { ...labels, 'gen_ai.token.type': type })
  const done = run.history.filter(({ phase }) => phase === 'build' || phase === 'improve').length
  return [
    tokens('input', inputTokens),
    tokens('output', outputTokens),
    // A duration that nobody measured is left out, not called zero.
    ...(durationMs === undefined
      ? []
      : [value('gen_ai.client.operation.duration', durationMs / 1_000, labels)]),
    span(context, {
      key: null,
      parent: phaseKey(done === 0 ? 'build' : 'improve', done),
      name: `chat ${model}`,
      kind: 'client',
      startMs: at.getTime() - (durationMs ?? 0),
      endMs: at.getTime(),
      failed: false,
      attributes: {
        ...labels,
        'gen_ai.usage.input_tokens': inputTokens,
        'gen_ai.usage.output_tokens': outputTokens,
      },
    }),
  ]
}

function phaseKey(phase: PhaseRecord['phase'], iteration: number): string {
  return `phase/${phase}/${iteration}`
}

/** A label with free text would make a time series of each sentence. */
function labelOf(given: string): string {
  return /^[a-z][a-z_]{0,39}$/.test(given) ? given : 'other'
}

function value(name: InstrumentName, amount: number, labels: Labels = {}): Measurement {
  return { is: 'value', name, value: amount, labels }
}

type SpanGiven = Omit<SpanFacts, 'runId' | 'kind'> & Partial<Pick<SpanFacts, 'kind'>>

function span({ run }: MeasureContext, given: SpanGiven): Measurement {
  const attributes = {
    ...given.attributes,
    'treadle.run': run.id,
    'treadle.item': itemLabel(run.item),
    'treadle.agent': run.agentId,
  }
  return { is: 'span', span: { kind: 'internal', ...given, runId: run.id, attributes } }
}
