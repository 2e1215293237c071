import { randomUUID } from 'node:crypto'
import type { RunReport } from '@treadle/contracts/event'
import { PhaseRecord } from '@treadle/contracts/run'
import { verifies } from '@treadle/requirements/verifies'
import { type Collector, freePort, openCollector } from '@treadle/telemetry/collector'
import { afterAll, beforeAll, expect } from 'vitest'
import { daemonLog, startDaemon, stopDaemon, usePlaces } from '../kit/daemon.ts'
import { begin, delivery, red, SOME_COMMIT, say, type Work } from '../kit/hand-agent.ts'
import { eventually } from '../kit/wait.ts'

const place = usePlaces('embedded')
let collector: Collector
beforeAll(async () => {
  collector = await openCollector()
})
afterAll(() => collector.close())

const phase = (given: Partial<PhaseRecord>): RunReport => ({
  type: 'run.phase',
  record: PhaseRecord.parse({
    phase: 'build',
    iteration: 0,
    startedAt: new Date().toISOString(),
    durationMs: 40,
    outcome: 'done',
    summary: '',
    checkpoint: null,
    ...given,
  }),
})
const usage = { model: 'some-model', inputTokens: 70, outputTokens: 7, usd: null }
const finished: RunReport = { type: 'build.finished', summary: 'done', checkpoint: SOME_COMMIT }

/** Says everything twice, as an agent does whose answers get lost. */
async function sayTwice(work: Work, reports: readonly RunReport[]): Promise<void> {
  for (const event of reports) {
    const eventId = randomUUID()
    await say(work, event, { eventId })
    expect(await say(work, event, { eventId })).toMatchObject({ is: 'duplicate' })
  }
}

const scrape = async (port: number) => {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => null)
  return answer === null ? '' : await answer.text()
}

verifies(
  [
    'META-OBS-1',
    'META-OBS-2',
    'META-OBS-3',
    'META-OBS-4',
    'META-OBS-5',
    'META-OBS-6',
    'META-OBS-7',
    'META-OBS-8',
  ],
  'the daemon measures and logs every accepted report once, and goes on elsewhere when the settings change',
  async (context) => {
    const [port, otherPort] = [await freePort(), await freePort()]
    const telemetry = { prometheusPort: port, otlpEndpoint: collector.url }
    const { workspace } = await place(context, { settings: { telemetry } })
    const daemon = await startDaemon(workspace)

    const work = await begin(daemon)
    await sayTwice(work, [
      { type: 'build.started', branch: 'agent-1/project-1', base: SOME_COMMIT },
      { type: 'run.used', usage },
      phase({}),
      finished,
      phase({ phase: 'test', outcome: 'failed' }),
      { type: 'verify.failed', gates: [red], why: 'red' },
      phase({ phase: 'improve', iteration: 1 }),
      finished,
      phase({ phase: 'test', iteration: 1, outcome: 'passed' }),
    ])
    const fence = work.claim.fence + 1
    await expect(say(work, phase({}), { fence })).rejects.toMatchObject({ code: 'fenced' })
    const end = { eventId: randomUUID() }
    await say(work, delivery(work, SOME_COMMIT), end)
    await say(work, delivery(work, SOME_COMMIT), end)
    const other = await begin(daemon)
    await say(other, { type: 'item.escalated', why: 'nobody knows' })

    const escalation = 'meta_agent_loop_total{outcome="escalation"} 1'
    const body = await eventually('all is measured', async () => {
      const seen = await scrape(port)
      return seen.includes(escalation) ? seen : undefined
    })
    const lines = body.split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'meta_agent_loop_total{outcome="success"} 1',
        escalation,
        'meta_agent_loop_iterations_count 2',
        'meta_agent_loop_iterations_sum 1',
        'meta_agent_loop_duration_ms_count 2',
        'meta_agent_phase_duration_ms_count{phase="build"} 1',
        'meta_agent_phase_duration_ms_sum{phase="improve"} 40',
        'meta_agent_phase_total{phase="test",outcome="failed"} 1',
        'meta_agent_phase_total{phase="test",outcome="passed"} 1',
        'meta_agent_phase_total{phase="improve",outcome="done"} 1',
        'meta_agent_gate_evaluations_total{gate="tests_pass",result="failed"} 1',
        'meta_agent_gate_evaluations_total{gate="tests_pass",result="passed"} 1',
        'meta_agent_gate_latency_ms_count{gate="tests_pass"} 2',
      ]),
    )
    for (const said of ['phase ended', 'gates evaluated', 'model called', 'loop ended'])
      expect(daemonLog(workspace)).toContain(`"msg":"${said}"`)

    workspace.setConfig({
      tests: { command: 'true' },
      telemetry: { ...telemetry, prometheusPort: otherPort },
    })
    await eventually('the other port answers', async () =>
      (await scrape(otherPort)) === '' ? undefined : true,
    )
    expect(await scrape(port)).toBe('')
    expect(collector.metrics.map(({ name }) => name)).toContain('meta_agent.gate.evaluations')
    expect(collector.spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['meta_agent.loop', 'meta_agent.phase test', 'chat some-model']),
    )
    await stopDaemon(daemon)
    expect(await scrape(otherPort)).toBe('')
  },
)
