// Every metric by name: its kind, unit, labels and buckets. docs/telemetry.md says the same in words.

/** From a tenth of a second to the eight hours that a run may take. */
const DURATION_MS = [
  100, 1_000, 5_000, 15_000, 30_000, 60_000, 300_000, 900_000, 3_600_000, 14_400_000, 28_800_000,
]

export interface Instrument {
  readonly kind: 'counter' | 'histogram'
  readonly unit: string
  readonly says: string
  readonly labels: readonly string[]
  readonly buckets?: readonly number[]
}

// The last two are those of the GenAI semantic conventions, buckets included.
const CALL = ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model'] as const

export const INSTRUMENTS = {
  'meta_agent.loop.iterations': {
    kind: 'histogram',
    unit: '{iteration}',
    says: 'Improvements of a loop that has ended; 0 if the first build was good',
    labels: [],
    buckets: [0, 1, 2, 3, 5, 10, 15],
  },
  'meta_agent.loop.duration_ms': {
    kind: 'histogram',
    unit: 'ms',
    says: 'From the claim to success or escalation',
    labels: [],
    buckets: DURATION_MS,
  },
  'meta_agent.loop.total': {
    kind: 'counter',
    unit: '{loop}',
    says: 'Loops that have ended, by outcome',
    labels: ['outcome'],
  },
  'meta_agent.phase.duration_ms': {
    kind: 'histogram',
    unit: 'ms',
    says: 'How long a phase took',
    labels: ['phase'],
    buckets: DURATION_MS,
  },
  'meta_agent.phase.total': {
    kind: 'counter',
    unit: '{phase}',
    says: 'Phases that have ended, by outcome',
    labels: ['phase', 'outcome'],
  },
  'meta_agent.gate.evaluations': {
    kind: 'counter',
    unit: '{evaluation}',
    says: 'Gates that were evaluated, by result',
    labels: ['gate', 'result'],
  },
  'meta_agent.gate.latency_ms': {
    kind: 'histogram',
    unit: 'ms',
    says: 'How long a gate took that really ran',
    labels: ['gate'],
    buckets: DURATION_MS,
  },
  'gen_ai.client.token.usage': {
    kind: 'histogram',
    unit: '{token}',
    says: 'Tokens of model calls',
    labels: [...CALL, 'gen_ai.token.type'],
    buckets: Array.from({ length: 14 }, (_, power) => 4 ** power),
  },
  'gen_ai.client.operation.duration': {
    kind: 'histogram',
    unit: 's',
    says: 'How long model calls took',
    labels: CALL,
    buckets: Array.from({ length: 14 }, (_, power) => 0.01 * 2 ** power),
  },
} as const satisfies Record<string, Instrument>

export type InstrumentName = keyof typeof INSTRUMENTS
