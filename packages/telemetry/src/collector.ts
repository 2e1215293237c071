// A loopback OTLP collector that keeps what it is sent; for tests.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

type Attributes = Readonly<Record<string, unknown>>
type Wire = { readonly attributes?: readonly { key: string; value: Record<string, unknown> }[] }

interface Points<A> {
  readonly dataPoints: readonly (A & { readonly sum?: number; readonly asDouble?: number })[]
}
interface Metric<A> {
  readonly name: string
  readonly unit?: string
  readonly sum?: Points<A> & { readonly isMonotonic: boolean }
  readonly histogram?: Points<A>
}
interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
}
/** The parts of OTLP/JSON that the tests look at. */
interface Body {
  readonly resourceMetrics?: readonly {
    readonly resource: Wire
    readonly scopeMetrics: readonly { readonly metrics: readonly Metric<Wire>[] }[]
  }[]
  readonly resourceSpans?: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly (Span & Wire)[] }[]
  }[]
}
type Plain = { readonly attributes: Attributes }

function plain<T extends Wire>(wire: T): Omit<T, 'attributes'> & Plain {
  const pairs = (wire.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]])
  return { ...wire, attributes: Object.fromEntries(pairs) }
}

function plainMetric({ sum, histogram, ...rest }: Metric<Wire>): Metric<Plain> {
  return {
    ...rest,
    ...(sum === undefined ? {} : { sum: { ...sum, dataPoints: sum.dataPoints.map(plain) } }),
    ...(histogram === undefined
      ? {}
      : { histogram: { ...histogram, dataPoints: histogram.dataPoints.map(plain) } }),
  }
}

export interface Collector {
  readonly url: string
  readonly metrics: Metric<Plain>[]
  readonly spans: (Span & Plain)[]
  readonly resources: Plain[]
  close(): void
}

export async function openCollector(): Promise<Collector> {
  const metrics: Collector['metrics'] = []
  const spans: Collector['spans'] = []
  const resources: Collector['resources'] = []
  const server = createServer(async (request, response) => {
    const { resourceMetrics = [], resourceSpans = [] } = (await json(request)) as Body
    for (const { resource, scopeMetrics } of resourceMetrics) {
      resources.push(plain(resource))
      metrics.push(...scopeMetrics.flatMap((scope) => scope.metrics.map(plainMetric)))
    }
    for (const { scopeSpans } of resourceSpans)
      spans.push(...scopeSpans.flatMap((scope) => scope.spans.map(plain)))
    const known = request.url === '/v1/metrics' || request.url === '/v1/traces'
    response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    metrics,
    spans,
    resources,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
