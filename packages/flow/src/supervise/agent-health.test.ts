// What is made of an agent's signs of life.
import type { AgentStatus } from '@treadle/contracts/agent'
import { Config } from '@treadle/contracts/config'
import type { RunStatus } from '@treadle/contracts/run'
import { RunStatus as RunStatusSchema } from '@treadle/contracts/run'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { type RunSign, stepRun } from '../work/run.machine.ts'
import { stepAgent } from './agent.machine.ts'
import { judgeHealth, judgeSubstate } from './agent-health.ts'
import { type BeatFacts, judgeBeat } from './beat.ts'

const { limits } = Config.parse({})
const healthAfter = (silenceMs: number, status: AgentStatus = 'working') =>
  judgeHealth({ now: 1e12, status, lastHeartbeatAt: 1e12 - silenceMs, limits })

verifies('ORCH-1.3-4', 'healthy: the last heartbeat is less than 60 s old', () => {
  expect([0, 30_000, 59_999, 60_000].map((ms) => healthAfter(ms))).toEqual([
    'healthy',
    'healthy',
    'healthy',
    'degraded',
  ])
})

verifies('ORCH-1.3-5', 'degraded: the last heartbeat is 60 to 120 s old', () => {
  expect([59_999, 60_000, 90_000, 120_000, 120_001].map((ms) => healthAfter(ms))).toEqual([
    'healthy',
    'degraded',
    'degraded',
    'degraded',
    'unresponsive',
  ])
})

verifies(
  'ORCH-1.3-6',
  'unresponsive: more than 120 s old, or never; who is paused or stopped is not sick',
  () => {
    expect(healthAfter(120_001, 'idle')).toBe('unresponsive')
    expect(judgeHealth({ now: 1e12, status: 'idle', lastHeartbeatAt: null, limits })).toBe('unresponsive')
    expect([healthAfter(9e9, 'paused'), healthAfter(9e9, 'stopped')]).toEqual(['healthy', 'healthy'])
    expect([healthAfter(0, 'crashed'), healthAfter(0, 'failed')]).toEqual(['unresponsive', 'unresponsive'])
  },
)

test.each([
  ['paused', 7, null, 'draining'],
  ['paused', 7, '2026-01-01T00:00:00.000Z', 'frozen'],
  ['paused', null, null, null],
  ['running', 7, '2026-01-01T00:00:00.000Z', null],
  ['stopped', 7, null, null],
] as const)('wanted %s, process %s, halted since %s: %s', (wanted, pid, frozenAt, substate) => {
  expect(judgeSubstate({ wanted, pid, frozenAt })).toBe(substate)
})

verifies(
  'ORCH-1.4-9',
  'idle, working, paused, idle, stopped follow each other; what does not follow is refused',
  () => {
    const path = [
      { type: 'begins', what: 'working' },
      { type: 'pause' },
      { type: 'resume' },
      { type: 'stop' },
    ] as const
    const seen: (AgentStatus | null)[] = ['idle']
    for (const sign of path) seen.push(stepAgent(seen.at(-1) ?? 'failed', sign))
    expect(seen).toEqual(['idle', 'working', 'paused', 'idle', 'stopped'])
    expect(stepAgent('stopped', { type: 'begins', what: 'working' })).toBeNull()
    expect(stepAgent('paused', { type: 'begins', what: 'working' })).toBeNull()
    expect(stepAgent('stopped', { type: 'resume' })).toBeNull()
    const said = (status: AgentStatus, to: AgentStatus) =>
      judgeBeat({ ...beat, status, said: { pid: 7, status: to } }).is
    expect([said('idle', 'working'), said('working', 'idle'), said('working', 'stopped')]).toEqual(
      Array(3).fill('change'),
    )
    expect([said('stopped', 'working'), said('failed', 'reviewing'), said('crashed', 'working')]).toEqual(
      Array(3).fill('refuse'),
    )
  },
)

const beat: BeatFacts = {
  status: 'idle',
  wanted: 'running',
  pid: 7,
  supervised: true,
  said: { pid: 7, status: 'idle' },
}
test.each<[string, Partial<BeatFacts>, string]>([
  ['the same again', {}, 'keep'],
  ['of a process that was replaced', { said: { pid: 8, status: 'working' } }, 'stale'],
  ['of nobody we started', { pid: null, supervised: false, status: 'stopped', wanted: 'stopped' }, 'change'],
  ['late, of one that was stopped', { pid: null, status: 'stopped', wanted: 'stopped' }, 'keep'],
  ['before it heard of a pause', { status: 'paused', wanted: 'paused' }, 'keep'],
  ['before it heard of a pause, at work', { ...paused('working') }, 'keep'],
  ['its end while it was paused', { ...paused('crashed') }, 'change'],
  ['before it heard that the pause is over', { said: { pid: 7, status: 'paused' } }, 'keep'],
])('a heartbeat %s', (_, facts, is) => {
  expect(judgeBeat({ ...beat, ...facts }).is).toBe(is)
})

function paused(status: AgentStatus): Partial<BeatFacts> {
  return { status: 'paused', wanted: 'paused', said: { pid: 7, status } }
}

const runPath = (...signs: RunSign['type'][]) => {
  const seen: (RunStatus | null)[] = ['idle']
  for (const type of signs) seen.push(stepRun(seen.at(-1) ?? 'error', { type }))
  return seen
}

verifies('AGENT-ROUTING-8', 'a run is idle, loading, active, complete or in error', () => {
  expect(RunStatusSchema.options).toEqual(['idle', 'loading', 'active', 'complete', 'error'])
})

verifies(
  ['AGENT-ROUTING-9', 'AGENT-ROUTING-11'],
  'a run is loaded, worked on, completed; then idle again',
  () => {
    expect(runPath('load', 'begin', 'complete', 'rest')).toEqual([
      'idle',
      'loading',
      'active',
      'complete',
      'idle',
    ])
    expect(stepRun('idle', { type: 'begin' })).toBeNull()
    expect(stepRun('loading', { type: 'complete' })).toBeNull()
  },
)

verifies(
  'AGENT-ROUTING-10',
  'a run fails while it is loaded or worked on, and a restart ends the error',
  () => {
    const failing = RunStatusSchema.options.filter((status) => stepRun(status, { type: 'fail' }) === 'error')
    expect(failing).toEqual(['loading', 'active'])
    expect(stepRun('error', { type: 'restart' })).toBe('idle')
  },
)
