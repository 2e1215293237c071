// Each look at the target ends in something that is known, and holds nobody up for ever.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Config } from '@treadle/contracts/config'
import type { Evidence, GateResult } from '@treadle/contracts/gate'
import type { Trouble } from '@treadle/contracts/readiness'
import { workspacePaths } from '@treadle/contracts/workspace'
import pino from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type ReadinessDeps, ReadinessWatch } from './readiness-watch.ts'

const evidence: Evidence = {
  command: 'npm test',
  exitCode: 0,
  signal: null,
  timedOut: false,
  durationMs: 5,
  output: '0'.repeat(64),
  outputBytes: 0,
  tail: '',
  report: null,
}
const GREEN: GateResult = { is: 'passed', gate: 'tests_pass', evidence }
const UNREAD: GateResult = { is: 'not_run', gate: 'tests_pass', why: 'the report was not read in time' }
const MET: Trouble = {
  kind: 'timed_out',
  text: 'It did not end.',
  setting: 'tests.timeoutMs',
  value: null,
  lines: '',
}

function setUp(given: { result?: GateResult; canary?: ReadinessDeps['gates']['canary'] } = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-watch-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  execFileSync('git', ['init', '--quiet'], { cwd: root })
  const paths = workspacePaths(root)
  mkdirSync(paths.state, { recursive: true })
  const told: string[] = []
  const world = { minute: 0, commit: 'a'.repeat(40), runs: 0, setupCommand: 'true' }
  const deps: ReadinessDeps = {
    paths,
    store: { events: { append: async ({ event }) => told.push(event.type) > 0 } },
    git: { commitOf: async () => world.commit, withCheckout: async (_commit, _path, use) => use(root) },
    source: { idsAt: async () => new Map() },
    gates: {
      runSetup: async () => ({ is: 'ok' }),
      runTests: async () => {
        world.runs += 1
        return given.result ?? GREEN
      },
      canary: given.canary ?? (async () => ({ is: 'sees', file: 'a.js' })),
    },
    config: () => Config.parse({ tests: { setupCommand: world.setupCommand } }),
    target: () => 'main',
    testCommand: () => 'npm test',
    onReady: () => undefined,
    clock: {
      now: () => new Date(world.minute * 60_000),
      elapsedMs: () => world.minute * 60_000,
      sleep: async () => undefined,
      after: () => () => undefined,
    },
    now: () => new Date(world.minute * 60_000),
    uuid: () => 'u',
    log: pino({ level: 'silent' }),
    stopping: new AbortController().signal,
  }
  const watch = new ReadinessWatch(deps)
  const after = async (minutes: number) => {
    world.minute += minutes
    await watch.look()
    return watch.readiness().found?.is ?? null
  }
  return { watch, world, told, after, again: () => new ReadinessWatch(deps) }
}

test('a report that cannot be read lets the crew go on, is said once, and the suite is not run each minute', async () => {
  const { watch, world, told, after, again } = setUp({ result: UNREAD })
  expect(await after(0)).toBe('untested')
  expect(watch.hold()).toBeNull()
  expect(await after(1)).toBe('untested')
  expect(world.runs).toBe(1)
  expect(told.filter((type) => type === 'environment.untested')).toHaveLength(1)
  expect(again().readiness().found?.is).toBe('untested')
})

test('a look that breaks off holds nobody up, and is tried again after a while', async () => {
  const canary = async () => Promise.reject(new Error('disk full'))
  const { watch, world, after } = setUp({ canary })
  expect(await after(0)).toBe('untested')
  expect(watch.hold()).toBeNull()
  await after(1)
  expect(world.runs).toBe(1)
  await after(20)
  expect(world.runs).toBe(2)
  // Other settings are looked at, once.
  world.setupCommand = 'npm ci'
  await after(1)
  await after(1)
  expect(world.runs).toBe(3)
})

test('agents are believed after three looks in vain, however many they were', async () => {
  const { watch, world, after } = setUp()
  expect(await after(0)).toBe('ready')
  // A doubt begins a look by itself.
  const doubt = async (times: number) => {
    for (let n = 0; n < times; n += 1) watch.doubt(MET)
    const known = { checking: null, found: expect.anything() }
    await vi.waitFor(() => expect(watch.readiness()).toMatchObject(known), 20_000)
    return watch.readiness().found?.is
  }
  expect(await doubt(4)).toBe('ready')
  expect(await doubt(4)).toBe('ready')
  world.minute += 24 * 60
  expect(await doubt(1)).toBe('ready')
  expect(await doubt(1)).toBe('ready')
  expect(await doubt(1)).toBe('not_ready')
})
