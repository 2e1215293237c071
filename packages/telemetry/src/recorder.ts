// Plays measurements on OpenTelemetry's instruments. Imported only when somebody wants to see them.
import { createHash } from 'node:crypto'
import {
  type Counter,
  type Histogram,
  type Meter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { IdGenerator } from '@opentelemetry/sdk-trace'
import { RandomIdGenerator } from '@opentelemetry/sdk-trace'
import { INSTRUMENTS, type Instrument, type InstrumentName } from './instruments.ts'
import type { Measurement, SpanFacts } from './measure.ts'

/** The ids of the next span, where it is known which they must be. */
export class KnownIds implements IdGenerator {
  readonly #random = new RandomIdGenerator()
  #next: { readonly traceId: string; readonly spanId: string | null } | null = null

  /** `make` creates one span, at once. */
  during<T>(ids: { traceId: string; spanId: string | null }, make: () => T): T {
    this.#next = ids
    try {
      return make()
    } finally {
      this.#next = null
    }
  }
  generateTraceId(): string {
    return this.#next?.traceId ?? this.#random.generateTraceId()
  }
  generateSpanId(): string {
    return this.#next?.spanId ?? this.#random.generateSpanId()
  }
}

export interface Instruments {
  readonly meter: Meter
  /** null: spans go nowhere. */
  readonly tracer: { readonly tracer: Tracer; readonly ids: KnownIds } | null
}

export function openRecorder({ meter, tracer }: Instruments): (measurement: Measurement) => void {
  const names = Object.keys(INSTRUMENTS) as InstrumentName[]
  const plays = new Map(names.map((name) => [name, open(meter, name)]))
  return (measurement) => {
    if (measurement.is === 'span') {
      if (tracer !== null) emit(tracer.tracer, tracer.ids, measurement.span)
      return
    }
    const { name, value, labels } = measurement
    plays.get(name)?.(value, labels)
  }
}

function open(meter: Meter, name: InstrumentName): Counter['add'] {
  const { kind, unit, says: description, buckets }: Instrument = INSTRUMENTS[name]
  if (kind === 'counter') {
    const counter: Counter = meter.createCounter(name, { unit, description })
    return (value, labels) => counter.add(value, labels)
  }
  const advice = buckets === undefined ? {} : { explicitBucketBoundaries: [...buckets] }
  const histogram: Histogram = meter.createHistogram(name, { unit, description, advice })
  return (value, labels) => histogram.record(value, labels)
}

function emit(tracer: Tracer, ids: KnownIds, facts: SpanFacts): void {
  const { runId, key, parent, name, startMs, endMs } = facts
  const traceId = idOf(32, runId)
  const above =
    parent === null
      ? ROOT_CONTEXT
      : trace.setSpanContext(ROOT_CONTEXT, {
          traceId,
          spanId: idOf(16, runId, parent),
          traceFlags: TraceFlags.SAMPLED,
        })
  const options = {
    kind: facts.kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
    startTime: new Date(startMs),
    attributes: facts.attributes,
  }
  const spanId = key === null ? null : idOf(16, runId, key)
  const span = ids.during({ traceId, spanId }, () => tracer.startSpan(name, options, above))
  if (facts.failed) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end(new Date(endMs))
}

/** One run is one trace, also across restarts of the daemon: its ids follow from its name. */
function idOf(digits: number, ...names: string[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('hex').slice(0, digits)
}
