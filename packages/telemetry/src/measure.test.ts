import type { RunReport } from '@treadle/contracts/event'
import { ItemState } from '@treadle/contracts/item'
import { describe, expect, test } from 'vitest'
import { INSTRUMENTS } from './instruments.ts'
import { logLines } from './log-line.ts'
import { isMeasured, type MeasureContext, measure } from './measure.ts'
import { context, gate, phase, record, startMs, used, verified } from './sample.ts'

const values = (report: RunReport, given: MeasureContext) =>
  measure(report, given).flatMap((each) =>
    each.is === 'value' ? [[each.name, each.value, each.labels] as const] : [],
  )
const spans = (report: RunReport, given: MeasureContext) =>
  measure(report, given).flatMap((each) => (each.is === 'span' ? [each.span] : []))
const escalated: RunReport = { type: 'item.escalated', why: 'no way' }
const failed: RunReport = { type: 'verify.failed', gates: [gate('failed', 'tests_pass', 5)], why: 'red' }

describe('the end of a loop', () => {
  const ended = (state: ItemState) => context({ state, run: { iteration: 2 } })
  const end = (outcome: string) => [
    ['meta_agent.loop.iterations', 2, {}],
    ['meta_agent.loop.duration_ms', 60_000, {}],
    ['meta_agent.loop.total', 1, { outcome }],
  ]
  const loops = (report: RunReport, given: MeasureContext) =>
    values(report, given).filter(([name]) => name.startsWith('meta_agent.loop.'))

  test.each([
    ['a delivery for review', verified([gate('passed', 'tests_pass', 5)]), 'in_review', 'success'],
    ['a delivery that is not merged', verified([gate('passed', 'tests_pass', 5)]), 'done', 'success'],
    ['the last failed verification', failed, 'escalated', 'escalation'],
    [
      'an engine that gave up',
      { type: 'build.failed', outcome: 'refused', why: 'no' },
      'escalated',
      'escalation',
    ],
    ['a question to a person', escalated, 'escalated', 'escalation'],
  ] as const)('%s counts once', (_, report, state, outcome) => {
    expect(loops(report, ended(state))).toEqual(end(outcome))
    expect(spans(report, ended(state)).at(-1)).toMatchObject({
      key: 'loop',
      parent: null,
      startMs,
      endMs: startMs + 60_000,
      failed: outcome === 'escalation',
    })
  })

  test.each([
    ['a failed verification with improvements left', failed, 'improving'],
    ['a claim that is given back', { type: 'claim.released', why: 'stopped' }, 'backlog'],
    ['a finished build', { type: 'build.finished', summary: '', checkpoint: 'c'.repeat(40) }, 'verifying'],
  ] as const)('%s ends no loop', (_, report, state) => {
    expect(loops(report, ended(state))).toEqual([])
  })
})

describe('phases', () => {
  test('duration and outcome have the phase as a label; a sentence is no label', () => {
    expect(values(phase({ phase: 'improve', outcome: 'done' }), context())).toEqual([
      ['meta_agent.phase.duration_ms', 2_000, { phase: 'improve' }],
      ['meta_agent.phase.total', 1, { phase: 'improve', outcome: 'done' }],
    ])
    const [, total] = values(phase({ outcome: 'Could not reach 10.0.0.1' }), context())
    expect(total?.[2]).toEqual({ phase: 'build', outcome: 'other' })
  })
})

describe('gates', () => {
  test('each is counted by result; only what ran has a latency', () => {
    const report = verified([
      gate('passed', 'tests_pass', 700),
      { is: 'skipped', gate: 'linter_pass', why: 'none' },
      { is: 'not_run', gate: 'coverage_pass', why: 'off' },
    ])
    const gates = values(report, context({ state: 'in_review' })).filter(([name]) => name.includes('.gate.'))
    expect(gates).toEqual([
      ['meta_agent.gate.evaluations', 1, { gate: 'tests_pass', result: 'passed' }],
      ['meta_agent.gate.latency_ms', 700, { gate: 'tests_pass' }],
      ['meta_agent.gate.evaluations', 1, { gate: 'linter_pass', result: 'skipped' }],
      ['meta_agent.gate.evaluations', 1, { gate: 'coverage_pass', result: 'not_run' }],
    ])
  })

  test('their spans follow each other inside the last test phase', () => {
    const history = [record({ phase: 'test', iteration: 1, startedAt: new Date(startMs).toISOString() })]
    const gates = [gate('failed', 'tests_pass', 100), gate('passed', 'no_regression', 40)]
    const made = spans({ type: 'verify.failed', gates, why: 'red' }, context({ run: { history } }))
    expect(made).toMatchObject([
      { parent: 'phase/test/1', startMs, endMs: startMs + 100, failed: true },
      { parent: 'phase/test/1', startMs: startMs + 100, endMs: startMs + 140, failed: false },
    ])
  })

  test('what the gates found before the change is no evaluation of the change', () => {
    const report: RunReport = {
      type: 'run.baseline',
      base: 'c'.repeat(40),
      gates: [gate('failed', 'tests_pass', 5)],
    }
    expect(measure(report, context())).toEqual([])
  })
})

describe('model calls', () => {
  const call = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'some-provider',
    'gen_ai.request.model': 'some-model',
  }
  test('tokens by type, duration in seconds', () => {
    expect(values(used, context())).toEqual([
      ['gen_ai.client.token.usage', 1_200, { ...call, 'gen_ai.token.type': 'input' }],
      ['gen_ai.client.token.usage', 300, { ...call, 'gen_ai.token.type': 'output' }],
      ['gen_ai.client.operation.duration', 2.5, call],
    ])
  })

  test('a duration or a provider that nobody told is not made up', () => {
    const usage = { model: 'm', inputTokens: 1, outputTokens: 2, usd: null }
    const told = values({ type: 'run.used', usage }, context())
    expect(told.map(([name]) => name)).toEqual(['gen_ai.client.token.usage', 'gen_ai.client.token.usage'])
    expect(told[0]?.[2]).toMatchObject({ 'gen_ai.provider.name': 'unknown' })
  })

  test.each([
    [[], 'phase/build/0'],
    [['build', 'test'], 'phase/improve/1'],
    [['build', 'test', 'improve', 'test'], 'phase/improve/2'],
  ] as const)('after %j it belongs to %s', (phases, parent) => {
    const history = phases.map((each) => record({ phase: each }))
    expect(spans(used, context({ run: { history } }))).toMatchObject([{ parent, kind: 'client' }])
  })
})

test('only named instruments with exactly their labels are ever used, and no text of a report becomes a label', () => {
  const reports = [phase({}), used, verified([gate('passed', 'tests_pass', 5)]), failed, escalated]
  for (const report of reports) {
    expect(isMeasured(report.type)).toBe(true)
    for (const state of [null, ...ItemState.options]) {
      const made = measure(report, context({ state }))
      expect(JSON.stringify(made)).not.toContain('secret')
      for (const each of made) {
        if (each.is === 'value')
          expect(Object.keys(each.labels).sort()).toEqual([...INSTRUMENTS[each.name].labels].sort())
      }
    }
  }
})

test('the log has a line for each phase, round of gates, call and end', () => {
  const said = (report: RunReport, state: ItemState | null = null) =>
    logLines(report, state).map(({ message, facts }) => [message, facts])
  expect(said(phase({ phase: 'test', outcome: 'failed' }))).toEqual([
    ['phase ended', { phase: 'test', iteration: 0, outcome: 'failed', durationMs: 2_000 }],
  ])
  expect(said(failed, 'escalated')).toEqual([
    ['gates evaluated', { gates: { tests_pass: 'failed' } }],
    ['loop ended', { outcome: 'escalation' }],
  ])
  expect(said(failed, 'improving')).toHaveLength(1)
  expect(said(escalated, 'escalated')).toEqual([['loop ended', { outcome: 'escalation' }]])
  expect(said(used)).toHaveLength(1)
})
