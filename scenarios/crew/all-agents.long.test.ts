// Orders to a crew at work: reset, given to another, paused, resumed and ended in good order, rolled back.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Agent } from '@treadle/contracts/agent'
import type { AuditEntry, OrderGiven } from '@treadle/contracts/order'
import { checkpointRef } from '@treadle/flow/work/work-world'
import { verifies } from '@treadle/requirements/verifies'
import { expect, onTestFinished, test, vi } from 'vitest'
import { agentsOf } from '../kit/agents.ts'
import { type Daemon, stopDaemon, treadle } from '../kit/daemon.ts'
import { everythingIn } from '../kit/processes.ts'
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

const shop = useShops('file')
// Each step is a command of its own, with a Node to start.
vi.setConfig({ testTimeout: 400_000 })

const broken: Attempts = [[{ write: { file: moduleOf(1), text: 'state: worse\n' } }]]
const quick = (n: number): Attempts => [[repair(n)]]
/** What is done by the one crew of the tests below, which run in their order, each with the next items. */
const SCRIPTS = [broken, quick(2), ...[3, 4, 5, 6, 7].map((n) => slowRepair(n)), quick(8), slowRepair(9)]
let opened: Promise<Daemon> | undefined

/** That crew, with so many agents. */
async function crewOf(count: number): Promise<Daemon> {
  opened ??= up(shop({ scripts: SCRIPTS, settings: { limits: { improvements: 1 } } }), 0)
  const daemon = await opened
  await daemon.client.startAgents({ body: { count } })
  return daemon
}

verifies(
  ['ORCH-5.5-2', 'ORCH-5.5-3', 'AC-5.5.c', 'AC-5.5.d'],
  'a restart clears the errors of an agent, a reset also its counters, its session file and its claim',
  async () => {
    const daemon = await crewOf(1)
    const { workspace } = daemon
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
  ['ORCH-2.5-7', 'AC-2.5.d'],
  'an item that is given to another agent waits for that one alone, and leaves the first',
  async () => {
    const daemon = await crewOf(2)
    const { workspace } = daemon
    await addRepair(daemon, 4)
    const first = (await untilHolding(daemon, 4)).claimedByAgentId ?? ''
    await addRepair(daemon, 5)
    const second = (await untilHolding(daemon, 5)).claimedByAgentId ?? ''
    expect(second).not.toBe(first)
    const given = await told<OrderGiven>(workspace, 'reassign', '4', '--to', second, '--yes')
    expect(given.outcome).toBe(`taken from ${first}, kept for ${second}`)
    // The first has nothing in hand, and what is in the queue is not for it.
    await eventually(`${first} idle`, async () =>
      (await agentsOf(daemon)).find(({ id }) => id === first)?.status === 'idle' ? true : undefined,
    )
    expect(await itemNumber(daemon, 4)).toMatchObject({ state: 'backlog', assignedAgentId: second })
    letGo(workspace, 'go-4')
    letGo(workspace, 'go-5')
    const done = await until(daemon, 4, 'done')
    expect(done).toMatchObject({ branch: `${second}/project-4`, assignedAgentId: null, fence: 2 })
    await until(daemon, 5, 'done')
    expect(mergedOnMain(workspace).slice(-2).sort()).toEqual(['1/4', '1/5'])
  },
)

verifies(
  ['ORCH-2.5-2', 'ORCH-2.5-3', 'ORCH-2.5-11', 'AC-2.5.f'],
  'all are paused, resumed and ended at the same time, and the same order again changes nothing',
  async () => {
    const daemon = await crewOf(2)
    const { workspace } = daemon
    for (const n of [6, 7]) await addRepair(daemon, n)
    for (const n of [6, 7]) await untilHolding(daemon, n)
    expect((await told<OrderGiven>(workspace, 'pause-all')).outcome).toBe('paused agent-1, agent-2')
    expect((await told<OrderGiven>(workspace, 'pause-all')).outcome).toBe('nobody was paused')
    await addRepair(daemon, 8)
    for (const n of [6, 7]) letGo(workspace, `go-${n}`)
    await eventually('both halted', async () =>
      (await agentsOf(daemon)).every(({ frozenAt }) => frozenAt !== null) ? true : undefined,
    )
    expect(await itemNumber(daemon, 8)).toMatchObject({ state: 'todo', claimedByAgentId: null })
    expect((await told<OrderGiven>(workspace, 'resume-all')).outcome).toBe('resumed agent-1, agent-2')
    expect((await told<OrderGiven>(workspace, 'resume-all')).outcome).toBe('nobody was resumed')
    for (const n of [6, 7, 8]) await until(daemon, n, 'done')
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

/** Two agents, one of them in the middle of an engine's turn; nobody lets it go. */
async function oneAtWork(): Promise<Daemon> {
  const daemon = await crewOf(2)
  await untilHolding(daemon, 9)
  return daemon
}

test('a claim of an agent that lives is not stuck', async () => {
  const daemon = await crewOf(2)
  const { workspace } = daemon
  await addRepair(daemon, 9)
  await untilHolding(daemon, 9)
  expect((await told<OrderGiven>(workspace, 'recover')).outcome).toBe('no claim was stuck')
  expect(await itemNumber(daemon, 9)).toMatchObject({ state: 'building' })
})

test('a rollback with settings that cannot be read names the line, and nothing happens', async () => {
  const daemon = await oneAtWork()
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
  expect(await itemNumber(daemon, 9)).toMatchObject({ state: 'building' })
})

test('what was kept is listed and brought back, and the checkout stays as it is', async () => {
  const daemon = await oneAtWork()
  const workspace: Workspace = daemon.workspace
  const { runId } = await itemNumber(daemon, 9)
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
    item: { projectNumber: 1, number: 9 },
    agentId: expect.stringMatching(/^agent-[12]$/),
    files: ['notes/at-work.txt'],
  })
  const words = await treadle(workspace, ['undelete', '--item', '9'])
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

verifies(
  ['ORCH-S4-24', 'ORCH-S4-25', 'ORCH-S4-26', 'ORCH-S4-28'],
  'a rollback turns the phase off, ends the agents in good order, keeps every record and says how to go on by hand',
  async () => {
    const daemon = await oneAtWork()
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
    expect(await itemNumber(daemon, 9)).toMatchObject({ state: 'backlog', claimedByAgentId: null })
  },
)

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
    const { flags, ...others } = JSON.parse(before) as { flags: object }
    workspace.setConfig({ ...others, flags: { ...flags, enable_multi_agent: true } })
    await eventually('the switch', async () =>
      (await second.client.workspace()).config.flags.enable_multi_agent ? true : undefined,
    )
    await up(workspace, 2)
    expect((await agentsOf(second)).filter(({ wanted }) => wanted === 'running')).toHaveLength(2)
  },
)
