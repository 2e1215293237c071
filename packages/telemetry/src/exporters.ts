// The OpenTelemetry SDK with its exporters. Imported only when one of them is switched on.
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { type IMetricReader, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { TelemetryConfig } from '@treadle/contracts/config/telemetry'
import type { Measurement } from './measure.ts'
import type { Log } from './open-telemetry.ts'
import { type MetricsServer, serveMetrics } from './prometheus-server.ts'
import { KnownIds, openRecorder } from './recorder.ts'

const EVERY_MS = 10_000
const EXPORT_MS_MAX = 5_000
const SPANS_WAITING_MAX = 2_048
const SCOPE = 'treadle'

export interface Exporters {
  play(measurement: Measurement): void
  /** Sends what is still here. */
  close(): Promise<void>
}

export async function openExporters(config: TelemetryConfig, log: Log): Promise<Exporters> {
  const { otlpEndpoint, prometheusPort } = config
  // No detectors: they would tell the command line, the user and the host.
  const resource = resourceFromAttributes({ 'service.name': 'treadle' })
  const readers: IMetricReader[] = []
  let server: MetricsServer | null = null
  if (prometheusPort !== null) {
    const exporter = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true })
    readers.push(exporter)
    server = await serveOrWarn(prometheusPort, exporter, log)
  }
  if (otlpEndpoint !== null) readers.push(otlpMetrics(otlpEndpoint, log))
  const meters = new MeterProvider({ resource, readers })
  const ids = new KnownIds()
  const spanProcessors = otlpEndpoint === null ? [] : [otlpSpans(otlpEndpoint, log)]
  const tracers = new TracerProvider({ resource, idGenerator: ids, spanProcessors })
  const play = openRecorder({
    meter: meters.getMeter(SCOPE),
    tracer: otlpEndpoint === null ? null : { tracer: tracers.getTracer(SCOPE), ids },
  })
  return {
    play,
    async close() {
      server?.close()
      await Promise.all([meters.shutdown(), tracers.shutdown()])
    },
  }
}

async function serveOrWarn(
  port: number,
  exporter: PrometheusExporter,
  log: Log,
): Promise<MetricsServer | null> {
  try {
    const answer = exporter.getMetricsRequestHandler.bind(exporter)
    const server = await serveMetrics(port, answer)
    log.info({ port }, 'metrics are served on 127.0.0.1')
    return server
  } catch (error) {
    log.warn({ port, why: String(error) }, 'metrics cannot be served: telemetry.prometheusPort')
    return null
  }
}

function otlpMetrics(endpoint: string, log: Log): IMetricReader {
  const exporter = new OTLPMetricExporter({
    url: urlOf(endpoint, 'v1/metrics'),
    timeoutMillis: EXPORT_MS_MAX,
  })
  return new PeriodicExportingMetricReader({
    exporter: noticing(exporter, (failed) => tellOutage(log, { endpoint, what: 'metrics' }, failed)),
    exportIntervalMillis: EVERY_MS,
    exportTimeoutMillis: EXPORT_MS_MAX,
  })
}

function otlpSpans(endpoint: string, log: Log): BatchSpanProcessor {
  const exporter = new OTLPTraceExporter({ url: urlOf(endpoint, 'v1/traces'), timeoutMillis: EXPORT_MS_MAX })
  return new BatchSpanProcessor({
    exporter: noticing(exporter, (failed) => tellOutage(log, { endpoint, what: 'spans' }, failed)),
    scheduledDelayMillis: EVERY_MS,
    exportTimeoutMillis: EXPORT_MS_MAX,
    maxQueueSize: SPANS_WAITING_MAX,
  })
}

function urlOf(endpoint: string, path: string): string {
  return new URL(path, endpoint.endsWith('/') ? endpoint : `${endpoint}/`).href
}

interface Export<T> {
  export(data: T, done: (result: { code: number; error?: Error }) => void): void
}

/** The SDK keeps quiet about an endpoint that is away; the log says it once, and once when it is back. */
function noticing<T, E extends Export<T>>(exporter: E, changed: (failed: Error | null) => void): E {
  const send = exporter.export.bind(exporter)
  let failing = false
  exporter.export = (data, done) =>
    send(data, (result) => {
      const failed = result.code !== 0
      if (failed !== failing) changed(failed ? (result.error ?? new Error('unknown')) : null)
      failing = failed
      done(result)
    })
  return exporter
}

function tellOutage(log: Log, facts: { endpoint: string; what: string }, failed: Error | null): void {
  const endpoint = withoutSecrets(facts.endpoint)
  if (failed === null) log.info({ ...facts, endpoint }, 'the OTLP endpoint takes measurements again')
  else log.warn({ ...facts, endpoint, why: failed.message }, 'the OTLP endpoint takes no measurements')
}

/** An address may carry a password or a key. */
function withoutSecrets(endpoint: string): string {
  const { protocol, host, pathname } = new URL(endpoint)
  return `${protocol}//${host}${pathname}`
}
