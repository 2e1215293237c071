// The whole crew at once: killed in an emergency, ended in good order, paused and resumed.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '@treadle/contracts/agent'
import type { AuditEntry, OrderGiven } from '@treadle/contracts/order'
import { checkpointRef } from '@treadle/flow/work/work-world'
import { verifies } from '@treadle/requirements/verifies'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Daemon, stopDaemon, treadle } from '../kit/daemon.ts'
import { listenFrom } from '../kit/event-stream.ts'
import { everythingIn, kill, waitGone } from '../kit/processes.ts'
import {
  type Attempts,
  addRepair,
  itemNumber,
  letGo,
  mergedOnMain,
  moduleOf,
  repair,
  session,
  slowRepair,
  told,
  until,
  untilHolding,
  up,
  useShops,
} from '../kit/shop.ts'
import { eventually } from '../kit/wait.ts'
import type { Workspace } from '../kit/workspace.ts'

const shop = useShops()
const sharedShop = useShops('file')
// Each step is a command of its own, with a Node to start.
vi.setConfig({ testTimeout: 400_000 })
/** So long that whoever waits for a graceful end is noticed. */
const GRACE_MS = 120_000

/** An engine that does not care about being asked to end, with a child that left its group. */
function stubbornRepair(n: number): Attempts {
  const wait = `while [ ! -e ../../../../home/go-${n} ]; do sleep 0.2; done`
  return [
    [
      { write: { file: 'notes/at-work.txt', text: 'half way\n' } },
      { run: { command: `trap '' TERM HUP INT; (trap '' TERM; setsid sh -c "${wait}" &); ${wait}` } },
      { delete: { file: 'notes/at-work.txt' } },
      repair(n),
    ],
  ]
}

async function agentsOf({ client }: Daemon): Promise<Agent[]> {
  return (await client.listAgents()).items
}

/** Three agents, each in the middle of an engine's turn. */
async function threeAtWork(scripts: readonly Attempts[]): Promise<Daemon> {
  const workspace = shop({ scripts, settings: { limits: { stopGraceMs: GRACE_MS } } })
  const daemon = await up(workspace, 3)
  for (const n of [1, 2, 3]) await addRepair(daemon, n)
  for (const n of [1, 2, 3]) await untilHolding(daemon, n)
  return daemon
}

verifies(
  ['ORCH-2.5-6', 'ORCH-5.5-1', 'ORCH-5.5-12', 'AC-5.5.b'],
  'an emergency stop kills every tree at once, releases every claim and keeps the work',
  async () => {
    const daemon = await threeAtWork([slowRepair(1), stubbornRepair(2), slowRepair(3)])
    const { workspace } = daemon
    const held = await Promise.all([1, 2, 3].map((n) => itemNumber(daemon, n)))
    // One of them stands still; it cannot even be asked.
    await told(workspace, 'agent', 'pause', held[2]?.claimedByAgentId ?? '', '--now')
    // A part that fails: this worktree may not be removed.
    const locked = `${held[0]?.claimedByAgentId}-1-1`
    workspace.git('worktree', 'lock', join(workspace.paths.worktrees, locked))

    const refused = await treadle(workspace, ['stop-all'])
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain('This will stop 3 active agents working on projects #')
    for (const agent of await agentsOf(daemon)) expect(refused.stderr).toContain(agent.id)
    expect((await agentsOf(daemon)).map(({ wanted }) => wanted).sort()).toEqual([
      'paused',
      'running',
      'running',
    ])

    const began = performance.now()
    const ended = await treadle(workspace, ['stop-all', '--yes', '--json'])
    expect(performance.now() - began).toBeLessThan(GRACE_MS)
    const stopped = JSON.parse(ended.stdout) as OrderGiven
    expect(stopped.failed).toEqual([expect.stringContaining('is locked')])
    expect(ended.code).toBe(1)
    expect(everythingIn(workspace)).toEqual([daemon.pid])

    for (const [index, before] of held.entries()) {
      const n = index + 1
      expect(await itemNumber(daemon, n)).toMatchObject({
        state: 'backlog',
        claimedByAgentId: null,
        fence: before.fence,
        reason: expect.stringContaining('emergency stop by '),
      })
      if (n > 1) {
        const kept = checkpointRef(before.runId ?? '', 'last')
        expect(workspace.git('show', `${kept}:notes/at-work.txt`)).toBe('half way')
      }
    }
    expect(readdirSync(workspace.paths.worktrees)).toEqual([locked])
    for (const agent of await agentsOf(daemon)) {
      expect(agent).toMatchObject({ wanted: 'stopped', status: 'stopped', pid: null, item: null })
      expect(session(workspace, Number(agent.id.slice(-1)))).toMatchObject({
        status: 'stopped',
        currentProjectNumber: null,
      })
    }
    const [last] = await told<AuditEntry[]>(workspace, 'audit')
    expect(last).toMatchObject({ id: stopped.id, order: 'emergency_stop', by: stopped.by })
    // Again: nothing to do, and nothing wrong.
    const again = await told<OrderGiven>(workspace, 'stop-all')
    expect(again).toMatchObject({ outcome: 'no agent was running; no claim was held', failed: [] })
    await goesOn(daemon, locked)
  },
)

/** Whoever is started again takes everything up, and it is merged once. */
async function goesOn({ workspace }: Daemon, locked: string): Promise<void> {
  workspace.git('worktree', 'unlock', join(workspace.paths.worktrees, locked))
  for (const n of [1, 2, 3]) letGo(workspace, `go-${n}`)
  const daemon = await up(workspace, 3)
  for (const n of [1, 2, 3]) expect((await until(daemon, n, 'done')).fence).toBe(2)
  expect(mergedOnMain(workspace).sort()).toEqual(['1/1', '1/2', '1/3'])
}

verifies(
  ['ORCH-2.5-2', 'ORCH-2.5-3', 'ORCH-2.5-11', 'AC-2.5.f'],
  'all are paused, resumed and ended at the same time, and the same order again changes nothing',
  async () => {
    const workspace = shop({ scripts: [slowRepair(1), slowRepair(2), [[repair(3)]]] })
    const daemon = await up(workspace, 2)
    for (const n of [1, 2]) await addRepair(daemon, n)
    for (const n of [1, 2]) await untilHolding(daemon, n)
    expect((await told<OrderGiven>(workspace, 'pause-all')).outcome).toBe('paused agent-1, agent-2')
    expect((await told<OrderGiven>(workspace, 'pause-all')).outcome).toBe('nobody was paused')
    await addRepair(daemon, 3)
    for (const n of [1, 2]) letGo(workspace, `go-${n}`)
    await eventually('both halted', async () =>
      (await agentsOf(daemon)).every(({ frozenAt }) => frozenAt !== null) ? true : undefined,
    )
    expect(await itemNumber(daemon, 3)).toMatchObject({ state: 'todo', claimedByAgentId: null })
    expect((await told<OrderGiven>(workspace, 'resume-all')).outcome).toBe('resumed agent-1, agent-2')
    expect((await told<OrderGiven>(workspace, 'resume-all')).outcome).toBe('nobody was resumed')
    for (const n of [1, 2, 3]) await until(daemon, n, 'done')
    const stop = await told<OrderGiven>(workspace, 'stop-all', '--graceful', '--yes')
    expect(stop).toMatchObject({ outcome: 'stopped agent-1, agent-2', failed: [] })
    expect(everythingIn(workspace)).toEqual([daemon.pid])
    expect((await told<OrderGiven>(workspace, 'stop-all', '--graceful')).outcome).toBe('nobody was stopped')
    // Those who are stopped stay so, whatever is ordered.
    for (const order of ['pause', 'resume', 'stop'])
      expect(await told<Agent>(workspace, 'agent', order, '1')).toMatchObject({ wanted: 'stopped' })
    expect(everythingIn(workspace)).toEqual([daemon.pid])
  },
)

verifies(
  ['ORCH-2.5-7', 'AC-2.5.d'],
  'an item that is given to another agent waits for that one alone, and leaves the first',
  async () => {
    const workspace = shop({ scripts: [slowRepair(1), slowRepair(2, 'go-2')] })
    const daemon = await up(workspace, 2)
    await addRepair(daemon, 1)
    const first = (await untilHolding(daemon, 1)).claimedByAgentId ?? ''
    await addRepair(daemon, 2)
    const second = (await untilHolding(daemon, 2)).claimedByAgentId ?? ''
    expect(second).not.toBe(first)
    const given = await told<OrderGiven>(workspace, 'reassign', '1', '--to', second, '--yes')
    expect(given.outcome).toBe(`taken from ${first}, kept for ${second}`)
    // The first has nothing in hand, and what is in the queue is not for it.
    await eventually(`${first} idle`, async () =>
      (await agentsOf(daemon)).find(({ id }) => id === first)?.status === 'idle' ? true : undefined,
    )
    expect(await itemNumber(daemon, 1)).toMatchObject({ state: 'backlog', assignedAgentId: second })
    letGo(workspace, 'go-1')
    letGo(workspace, 'go-2')
    const done = await until(daemon, 1, 'done')
    expect(done).toMatchObject({ branch: `${second}/project-1`, assignedAgentId: null, fence: 2 })
    await until(daemon, 2, 'done')
    expect(mergedOnMain(workspace).sort()).toEqual(['1/1', '1/2'])
  },
)

verifies(
  ['ORCH-5.5-2', 'ORCH-5.5-3', 'AC-5.5.c', 'AC-5.5.d'],
  'a restart clears the errors of an agent, a reset also its counters, its session file and its claim',
  async () => {
    const broken: Attempts = [[{ write: { file: moduleOf(1), text: 'state: worse\n' } }]]
    const workspace = shop({
      scripts: [broken, [[repair(2)]], slowRepair(3)],
      settings: { limits: { improvements: 1 } },
    })
    const daemon = await up(workspace, 1)
    await addRepair(daemon, 1)
    await until(daemon, 1, 'escalated')
    const failed = await eventually('an error on record', async () => {
      const [agent] = await agentsOf(daemon)
      return agent?.errorCount === 1 && agent.status === 'idle' ? agent : undefined
    })
    expect(failed.lastError).not.toBeNull()
    const restarted = await told<Agent>(workspace, 'agent', 'restart', '1')
    expect(restarted).toMatchObject({
      errorCount: 0,
      lastError: null,
      wanted: 'running',
      engine: failed.engine,
    })
    expect(restarted.pid).not.toBe(failed.pid)
    expect(session(workspace, 1)).toMatchObject({ errorCount: 0, lastError: null, status: 'idle' })

    await addRepair(daemon, 2)
    await until(daemon, 2, 'done')
    await addRepair(daemon, 3)
    const held = await untilHolding(daemon, 3)
    expect((await agentsOf(daemon))[0]).toMatchObject({ tasksCompleted: 1, metricsSince: null })
    const orders = (await told<AuditEntry[]>(workspace, 'audit')).length
    const events = (await daemon.client.events({ query: { limit: 1_000 } })).items.length
    const reset = await told<OrderGiven>(workspace, 'reset', '1', '--yes')
    expect(reset.outcome).toBe('agent-1 was reset and started from idle')
    const [agent] = await agentsOf(daemon)
    expect(agent).toMatchObject({ tasksCompleted: 0, errorCount: 0, lastError: null, restarts: 0 })
    expect(agent?.metricsSince).not.toBeNull()
    expect(session(workspace, 1)).toMatchObject({ tasksCompleted: 0, errorCount: 0 })
    // Nothing that was recorded is gone.
    expect((await told<AuditEntry[]>(workspace, 'audit')).length).toBe(orders + 1)
    expect((await daemon.client.events({ query: { limit: 1_000 } })).items.length).toBeGreaterThan(events)
    letGo(workspace, 'go-3')
    expect(await until(daemon, 3, 'done')).toMatchObject({ fence: held.fence + 1 })
    await told(workspace, 'agent', 'stop', '1')
    await told(workspace, 'reset', '1', '--yes')
    expect(existsSync(join(workspace.paths.sessions, 'agent-1.session'))).toBe(false)
    expect((await agentsOf(daemon))[0]).toMatchObject({ wanted: 'stopped', tasksCompleted: 0 })
  },
)

verifies(
  ['ORCH-S4-24', 'ORCH-S4-25', 'ORCH-S4-26', 'ORCH-S4-28'],
  'a rollback turns the phase off, ends the agents in good order, keeps every record and says how to go on by hand',
  async () => {
    const daemon = await twoOneAtWork()
    const { workspace } = daemon
    const before = (await told<AuditEntry[]>(workspace, 'audit')).map(({ id }) => id)
    const done = await told<OrderGiven>(workspace, 'rollback', '--phase', '3', '--yes')
    expect(done.outcome).toContain('flags.enable_review_agent is false; stopped agent-1, agent-2')
    expect(done.outcome).toContain('/project-start')
    const settings = JSON.parse(readFileSync(workspace.paths.config, 'utf8')) as Record<string, unknown>
    expect(settings).toMatchObject({
      flags: { enable_review_agent: false },
      tests: { command: 'sh test.sh' },
    })
    await eventually('the flag in force', async () =>
      (await daemon.client.workspace()).config.flags.enable_review_agent === false ? true : undefined,
    )
    expect(everythingIn(workspace)).toEqual([daemon.pid])
    for (const n of [1, 2]) expect(session(workspace, n)).toMatchObject({ status: 'stopped' })
    const after = (await told<AuditEntry[]>(workspace, 'audit')).map(({ id }) => id)
    expect(after).toEqual([done.id, ...before])
    expect(await itemNumber(daemon, 1)).toMatchObject({ state: 'backlog', claimedByAgentId: null })
  },
)

test('a rollback with settings that cannot be read names the line, and nothing happens', async () => {
  const daemon = await sharedCrew()
  const { workspace } = daemon
  const before = readFileSync(workspace.paths.config, 'utf8')
  onTestFinished(() => workspace.write('treadle.json', before))
  const broken = '{\n  "tests": { "command": "sh test.sh" },\n  "limits": { sweepMs: 300 }\n}\n'
  workspace.write('treadle.json', broken)
  const refused = await treadle(workspace, ['rollback', '--phase', '2', '--yes'])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('treadle.json, line 3: ')
  expect(refused.stderr).toContain('Nothing was changed, and no agent was stopped.')
  expect(refused.stderr).toContain('"flags": { "enable_multi_agent": false }')
  expect(readFileSync(workspace.paths.config, 'utf8')).toBe(broken)
  expect(await itemNumber(daemon, 1)).toMatchObject({ state: 'building' })
})

verifies(
  ['ORCH-S4-30', 'ORCH-S4-6'],
  'what was rolled back stays off for a new daemon and for settings that were put back, until a person turns it on',
  async () => {
    const workspace = shop({ scripts: [slowRepair(1)] })
    const first = await up(workspace, 2)
    const before = readFileSync(workspace.paths.config, 'utf8')
    await told(workspace, 'rollback', '--phase', '2', '--yes')
    workspace.write('treadle.json', before)
    const refused = async () => {
      const many = await treadle(workspace, ['up', '--detach', '--agents', '2'])
      expect(many.code).toBe(1)
      expect(many.stderr).toContain('flags.enable_multi_agent is false')
    }
    await refused()
    await stopDaemon(first)
    const second = await up(workspace, 1)
    await refused()
    expect((await agentsOf(second)).filter(({ wanted }) => wanted === 'running')).toMatchObject([
      { id: 'agent-1' },
    ])
    expect((await second.client.workspace()).warnings).toEqual([
      expect.stringContaining('it was rolled back'),
    ])
    workspace.setConfig({ ...JSON.parse(before), flags: { enable_multi_agent: true } })
    await eventually('the switch', async () =>
      (await second.client.workspace()).config.flags.enable_multi_agent ? true : undefined,
    )
    await up(workspace, 2)
    expect((await agentsOf(second)).filter(({ wanted }) => wanted === 'running')).toHaveLength(2)
  },
)

test('a daemon that is killed over an emergency stop leaves its line in the log, and the next one ends it', async () => {
  const daemon = await threeAtWork([slowRepair(1), slowRepair(2), slowRepair(3)])
  const { workspace } = daemon
  const listener = await listenFrom(daemon)
  const asked = treadle(workspace, ['stop-all', '--yes', '--json'])
  await eventually('the order', () =>
    listener.heard.some(({ event }) => event.type === 'order.given' && event.order === 'emergency_stop')
      ? true
      : undefined,
  )
  kill(daemon.pid)
  await waitGone(daemon.pid)
  await asked
  const next = await up(workspace, 0)
  const stops = (await told<AuditEntry[]>(workspace, 'audit')).filter(
    ({ order }) => order === 'emergency_stop',
  )
  expect(stops).toMatchObject([{ outcome: expect.stringMatching(/stopped|no agent was running/) }])
  // Whether the stop or the loss of its agent releases an item depends on the moment of the kill.
  for (const n of [1, 2, 3])
    await eventually(`#${n} is released`, async () => {
      const { state, claimedByAgentId } = await itemNumber(next, n)
      return state === 'backlog' && claimedByAgentId === null ? true : undefined
    })
})

let shared: Promise<Daemon> | undefined
/** For tests that leave the agents as they are; the last of them stops everybody. */
function sharedCrew(): Promise<Daemon> {
  shared ??= twoOneAtWork(sharedShop)
  return shared
}

async function twoOneAtWork(from = shop): Promise<Daemon> {
  const daemon = await up(from({ scripts: [slowRepair(1)] }), 2)
  await addRepair(daemon, 1)
  await untilHolding(daemon, 1)
  return daemon
}

test('a claim of an agent that lives is not stuck', async () => {
  const daemon = await sharedCrew()
  const { workspace } = daemon
  expect((await told<OrderGiven>(workspace, 'recover')).outcome).toBe('no claim was stuck')
  expect(await itemNumber(daemon, 1)).toMatchObject({ state: 'building' })
})

test('what was kept is listed and brought back, and the checkout stays as it is', async () => {
  const daemon = await sharedCrew()
  const workspace: Workspace = daemon.workspace
  const { runId } = await itemNumber(daemon, 1)
  await told(workspace, 'stop-all', '--yes')
  const state = () => [workspace.git('status', '--porcelain'), workspace.git('rev-parse', 'HEAD')]
  const before = state()
  const kept = await told<{ ref: string; item: unknown; agentId: string; files: string[] }[]>(
    workspace,
    'undelete',
  )
  expect(kept[0]).toMatchObject({
    ref: checkpointRef(runId ?? '', 'last'),
    kind: 'last',
    item: { projectNumber: 1, number: 1 },
    agentId: expect.stringMatching(/^agent-[12]$/),
    files: ['notes/at-work.txt'],
  })
  const words = await treadle(workspace, ['undelete', '--item', '1'])
  expect(words.stdout).toContain(`runs/${runId}/last`)
  const place = join(workspace.home, 'rescued')
  await told(workspace, 'undelete', runId ?? '', '--branch', 'rescued', '--worktree', place)
  expect(readFileSync(join(place, 'notes/at-work.txt'), 'utf8')).toBe('half way\n')
  expect(workspace.git('show', 'rescued:notes/at-work.txt')).toBe('half way')
  expect(state()).toEqual(before)
  const twice = await treadle(workspace, ['undelete', runId ?? '', '--branch', 'rescued'])
  expect(twice).toMatchObject({ code: 1 })
  expect(twice.stderr).toContain('There is a branch rescued already.')
  const nothing = await treadle(workspace, ['undelete', 'no-such-thing'])
  expect(nothing.stderr).toContain('Nothing is kept under no-such-thing.')
})
