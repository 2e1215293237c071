import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { verifies } from '@treadle/requirements/verifies'
import { afterEach, expect, test, vi } from 'vitest'
import { type Collector, freePort, openCollector } from './collector.ts'
import { INSTRUMENTS, type InstrumentName } from './instruments.ts'
import { type Log, openTelemetry, type Telemetry } from './open-telemetry.ts'
import { context, gate, phase, RUN_ID, record, startMs, used, verified } from './sample.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

interface LogCall {
  readonly level: 'info' | 'warn'
  readonly message: string
  readonly facts: Record<string, unknown>
}

function open(config: { otlpEndpoint?: string; prometheusPort?: number }) {
  const said: LogCall[] = []
  const note = (level: LogCall['level']) => (facts: object, message: string) =>
    void said.push({ level, message, facts: { ...facts } })
  const log: Log = { info: note('info'), warn: note('warn') }
  const telemetry = openTelemetry({
    config: { otlpEndpoint: null, prometheusPort: null, ...config },
    log,
  })
  closing.push(() => telemetry.shutdown())
  return { telemetry, said }
}

async function scrape(port: number, headers: Record<string, string> = {}, path = '/metrics') {
  const asked = request({ host: '127.0.0.1', port, path, headers }).end()
  const [response] = await once(asked, 'response')
  return { status: response.statusCode as number, body: await text(response) }
}

const lines = async (port: number) =>
  (await scrape(port)).body.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

/** A run that is improved once and delivered, as its reports come in, and another that is given up. */
function play(telemetry: Telemetry): void {
  const test1 = record({ phase: 'test', iteration: 0, outcome: 'failed', startedAt: at(3_000) })
  const test2 = record({ phase: 'test', iteration: 1, outcome: 'passed', startedAt: at(9_000) })
  const built = record({})
  const red = gate('failed', 'tests_pass', 900)
  telemetry.record(used, context())
  telemetry.record(phase({ startedAt: at(0), durationMs: 3_000 }), context())
  telemetry.record({ type: 'run.phase', record: test1 }, context({ run: { history: [built] } }))
  telemetry.record(
    { type: 'verify.failed', gates: [red], why: 'red' },
    context({ state: 'improving', run: { history: [built, test1] } }),
  )
  telemetry.record(phase({ phase: 'improve', iteration: 1 }), context())
  telemetry.record({ type: 'run.phase', record: test2 }, context())
  telemetry.record(
    verified([gate('passed', 'tests_pass', 800), gate('passed', 'no_regression', 100)]),
    context({ state: 'in_review', run: { iteration: 1, history: [built, test1, test2] } }),
  )
  const other = { id: '00000000-0000-4000-8000-000000000001', iteration: 3 }
  telemetry.record({ type: 'item.escalated', why: 'gave up' }, context({ state: 'escalated', run: other }))
}
const at = (ms: number) => new Date(startMs + ms).toISOString()

verifies(
  ['META-OBS-2', 'META-OBS-3', 'META-OBS-4', 'META-OBS-5', 'META-OBS-6', 'META-OBS-7', 'META-OBS-8'],
  'Prometheus can scrape every metric by its name, with its labels and no others',
  async () => {
    const port = await freePort()
    const { telemetry } = open({ prometheusPort: port })
    play(telemetry)
    await vi.waitFor(async () => expect(await lines(port)).not.toEqual([]), 60_000)
    const found = await lines(port)
    const expected = [
      'meta_agent_loop_iterations_count 2',
      'meta_agent_loop_iterations_sum 4',
      'meta_agent_loop_iterations_bucket{le="1"} 1',
      'meta_agent_loop_iterations_bucket{le="3"} 2',
      'meta_agent_loop_duration_ms_count 2',
      'meta_agent_loop_duration_ms_sum 120000',
      'meta_agent_loop_total{outcome="success"} 1',
      'meta_agent_loop_total{outcome="escalation"} 1',
      'meta_agent_phase_duration_ms_count{phase="build"} 1',
      'meta_agent_phase_duration_ms_sum{phase="build"} 3000',
      'meta_agent_phase_duration_ms_count{phase="test"} 2',
      'meta_agent_phase_duration_ms_count{phase="improve"} 1',
      'meta_agent_phase_total{phase="build",outcome="done"} 1',
      'meta_agent_phase_total{phase="test",outcome="failed"} 1',
      'meta_agent_phase_total{phase="test",outcome="passed"} 1',
      'meta_agent_phase_total{phase="improve",outcome="done"} 1',
      'meta_agent_gate_evaluations_total{gate="tests_pass",result="failed"} 1',
      'meta_agent_gate_evaluations_total{gate="tests_pass",result="passed"} 1',
      'meta_agent_gate_evaluations_total{gate="no_regression",result="passed"} 1',
      'meta_agent_gate_latency_ms_count{gate="tests_pass"} 2',
      'meta_agent_gate_latency_ms_sum{gate="tests_pass"} 1700',
    ]
    expect(found).toEqual(expect.arrayContaining(expected))
    expect(found.join('\n')).toContain('gen_ai_client_token_usage_sum{gen_ai_operation_name="chat"')
    const { body } = await scrape(port)
    for (const line of ['loop_iterations histogram', 'loop_total counter', 'phase_total counter'])
      expect(body).toContain(`# TYPE meta_agent_${line}`)
  },
)

verifies(
  ['META-OBS-2', 'META-OBS-3', 'META-OBS-4', 'META-OBS-5', 'META-OBS-6', 'META-OBS-7', 'META-OBS-8'],
  'an OTLP collector gets every metric under its own name, with its kind, unit and labels',
  async () => {
    const collector = await collect()
    const byName = Object.fromEntries(collector.metrics.map((metric) => [metric.name, metric]))
    expect(Object.keys(byName).sort()).toEqual(Object.keys(INSTRUMENTS).sort())
    for (const [name, { kind, unit, labels }] of Object.entries(INSTRUMENTS)) {
      const metric = byName[name as InstrumentName]
      expect(metric?.unit).toBe(unit)
      const data = kind === 'counter' ? metric?.sum : metric?.histogram
      expect(data?.dataPoints.length).toBeGreaterThan(0)
      for (const point of data?.dataPoints ?? [])
        expect(Object.keys(point.attributes).sort()).toEqual([...labels].sort())
    }
    expect(byName['meta_agent.loop.total']?.sum?.isMonotonic).toBe(true)
    const outcomes = byName['meta_agent.loop.total']?.sum?.dataPoints.map(
      ({ attributes }) => attributes.outcome,
    )
    expect(outcomes?.sort()).toEqual(['escalation', 'success'])
    expect(byName['gen_ai.client.token.usage']?.histogram?.dataPoints).toContainEqual(
      expect.objectContaining({
        sum: 1_200,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': 'some-provider',
          'gen_ai.request.model': 'some-model',
          'gen_ai.token.type': 'input',
        },
      }),
    )
    // Nothing of the machine: no host, user, process or command line.
    expect(collector.resources.map(({ attributes }) => Object.keys(attributes))).toEqual([
      expect.not.arrayContaining([expect.stringMatching(/^(host|process|os)\./)]),
    ])
  },
)

test('an OTLP collector gets one trace for each run: loop, phases, gates and model calls', async () => {
  const { spans } = await collect()
  const mine = spans.filter((span) => span.attributes['treadle.run'] === RUN_ID)
  const byId = new Map(mine.map((span) => [span.spanId, span]))
  const above = (id: string | undefined) => (id === undefined ? null : (byId.get(id)?.name ?? 'nowhere'))
  expect(mine.map((span) => [span.name, above(span.parentSpanId)])).toEqual([
    ['chat some-model', 'meta_agent.phase build'],
    ['meta_agent.phase build', 'meta_agent.loop'],
    ['meta_agent.phase test', 'meta_agent.loop'],
    ['meta_agent.gate tests_pass', 'meta_agent.phase test'],
    ['meta_agent.phase improve', 'meta_agent.loop'],
    ['meta_agent.phase test', 'meta_agent.loop'],
    ['meta_agent.gate tests_pass', 'meta_agent.phase test'],
    ['meta_agent.gate no_regression', 'meta_agent.phase test'],
    ['meta_agent.loop', null],
  ])
  expect(new Set(mine.map(({ traceId }) => traceId)).size).toBe(1)
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2)
  expect(byId.size).toBe(mine.length)
  const loop = mine.find(({ name }) => name === 'meta_agent.loop')
  const took = BigInt(loop?.endTimeUnixNano ?? 0) - BigInt(loop?.startTimeUnixNano ?? 0)
  expect(took).toBe(60_000_000_000n)
  expect(mine[0]).toMatchObject({ kind: 3, attributes: { 'gen_ai.usage.input_tokens': expect.anything() } })
})

async function collect(): Promise<Collector> {
  const collector = await openCollector()
  closing.push(() => collector.close())
  const { telemetry, said } = open({ otlpEndpoint: collector.url })
  play(telemetry)
  await telemetry.shutdown()
  expect(said.filter(({ level }) => level === 'warn')).toEqual([])
  return collector
}

test('only /metrics is served, and only to callers that mean this machine', async () => {
  const port = await freePort()
  open({ prometheusPort: port })
  await vi.waitFor(() => scrape(port), 60_000)
  expect((await scrape(port)).status).toBe(200)
  expect((await scrape(port, {}, '/')).status).toBe(404)
  expect((await scrape(port, { host: 'evil.example:80' })).status).toBe(403)
})

test('a port that is taken is a warning; the other exporter still works', async () => {
  const holder = createServer((_, response) => void response.end('mine')).listen(0, '127.0.0.1')
  await once(holder, 'listening')
  closing.push(() => holder.close())
  const { port } = holder.address() as AddressInfo
  const collector = await openCollector()
  closing.push(() => collector.close())
  const { telemetry, said } = open({ prometheusPort: port, otlpEndpoint: collector.url })
  play(telemetry)
  await telemetry.shutdown()
  expect(said).toContainEqual({
    level: 'warn',
    message: expect.stringContaining('telemetry.prometheusPort'),
    facts: { port, why: expect.stringContaining('EADDRINUSE') },
  })
  expect(collector.metrics).not.toEqual([])
})

test('an endpoint that is away is a warning without its password, and an end that waits only a moment', async () => {
  const port = await freePort()
  const { telemetry, said } = open({ otlpEndpoint: `http://me:hidden@127.0.0.1:${port}` })
  play(telemetry)
  await telemetry.shutdown()
  await vi.waitFor(() => expect(said.filter(({ level }) => level === 'warn')).not.toEqual([]), 60_000)
  expect(JSON.stringify(said)).not.toContain('hidden')
  expect(() => play(telemetry)).not.toThrow()
})

test('with both off nothing of OpenTelemetry is loaded; with one on it is', async () => {
  const program = (config: string) => `
    import { registerHooks } from 'node:module'
    const seen = []
    registerHooks({ resolve(name, from, next) { seen.push(name); return next(name, from) } })
    const { openTelemetry } = await import(${JSON.stringify(new URL('./open-telemetry.ts', import.meta.url).href)})
    const log = { info() {}, warn() {} }
    const telemetry = openTelemetry({ config: ${config}, log })
    await telemetry.shutdown()
    process.stdout.write(JSON.stringify(seen.filter((name) => name.includes('opentelemetry'))))`
  const loaded = async (config: object) => {
    const source = program(JSON.stringify(config))
    const args = ['--input-type=module', '-e', source]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    return JSON.parse(stdout) as string[]
  }
  expect(await loaded({ otlpEndpoint: null, prometheusPort: null })).toEqual([])
  const on = await loaded({ otlpEndpoint: null, prometheusPort: await freePort() })
  expect(on).toContain('@opentelemetry/sdk-metrics')
})
