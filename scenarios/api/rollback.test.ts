// A phase is rolled back by itself when something critical lasts, and a person turns it on again.
import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { verifies } from '@treadle/requirements/verifies'
import { beforeEach, expect } from 'vitest'
import { type InProcessDaemon, useInProcess } from '../kit/in-process.ts'
import { LedClock } from '../kit/led-clock.ts'
import { eventually } from '../kit/wait.ts'

const MINUTE = 60_000
const clock = new LedClock(new Date('2026-06-15T08:00:00Z'))
const settings = { agents: { dailyBudgetUSD: 10 }, flags: { enable_ideation: true } } as const
const open = useInProcess('any', { clock, settings })
let daemon: InProcessDaemon
beforeEach(async (context) => {
  daemon = await open(context)
})

const spend = (costUSD: number) =>
  daemon.client.logCost({
    body: {
      id: randomUUID(),
      agentId: 'agent-7',
      projectNumber: 1,
      tokens: { input: 1, output: 1 },
      costUSD,
      timestamp: clock.now().toISOString(),
    },
  })

const flags = async () => (await daemon.client.workspace()).config.flags
const rollbacks = async () =>
  (await daemon.client.audit({ query: {} as never })).items.filter(({ order }) => order === 'rollback')
const overruns = async () =>
  (await daemon.client.listNotifications({ query: { all: true } as never })).items.filter(
    ({ type, resolvedAt }) => type === 'health.budget_overrun' && resolvedAt === null,
  )

/** Time goes on in steps, so that each look of the daemon's comes in its time. */
async function pass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    clock.pass(MINUTE)
    await new Promise((done) => setTimeout(done, 20))
  }
}

verifies(
  ['ORCH-S4-16'],
  'more than twice the budget spent for half an hour turns the search for improvements off, is in the audit log, and can be turned on again',
  async () => {
    await spend(20.5)
    await eventually('the alert', async () => {
      await pass(1)
      return (await overruns()).length > 0 ? true : undefined
    })
    await pass(20)
    expect(await flags()).toMatchObject({ enable_ideation: true })
    expect(await rollbacks()).toEqual([])
    await eventually('the rollback', async () => {
      await pass(2)
      return (await rollbacks()).length > 0 ? true : undefined
    })
    await eventually('it is off', async () => ((await flags()).enable_ideation === false ? true : undefined))
    const [rollback, ...others] = await rollbacks()
    expect(others).toEqual([])
    expect(rollback).toMatchObject({ by: 'system:health', target: 'phase 4' })
    expect(rollback?.impact).toContain('More than 200% of the daily budget is spent')
    await eventually('the owner is told', async () => {
      await pass(1)
      const told = await daemon.client.listNotifications({ query: { all: true } as never })
      return told.items.some(({ title }) => title === 'system:health rolled back phase 4') ? true : undefined
    })
    daemon.workspace.setConfig({ ...settings })
    await eventually('it is on', async () => ((await flags()).enable_ideation === true ? true : undefined))
    await pass(40)
    expect(await flags()).toMatchObject({ enable_ideation: true })
    expect(await rollbacks()).toHaveLength(1)
  },
)

verifies(
  ['ORCH-S4-18'],
  'a damaged session file that lasts turns the search for improvements off within the hour, and can be turned on again',
  async () => {
    const { client, workspace } = daemon
    const began = clock.now().getTime()
    const before = (await rollbacks()).length
    const file = join(workspace.paths.sessions, 'agent-7.session')
    await client.heartbeat({
      params: { id: 'agent-7' },
      body: {
        agentId: 'agent-7',
        status: 'idle',
        currentProjectNumber: null,
        timestamp: clock.now().toISOString(),
        memoryUsage: 1,
        cpuUsage: 1,
        pid: process.pid,
        engine: 'scripted',
        phase: null,
        tasksCompleted: 0,
        errorCount: 0,
        lastError: null,
      } as never,
    })
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '{"agentId": "agent-7", "sta')
    await eventually('the rollback', async () => {
      await pass(2)
      return (await rollbacks()).length > before ? true : undefined
    })
    const [rollback] = await rollbacks()
    expect(rollback).toMatchObject({ by: 'system:health', target: 'phase 4' })
    expect(rollback?.impact).toContain('the session file of agent-7 cannot be read')
    expect(clock.now().getTime() - began).toBeLessThanOrEqual(60 * MINUTE)
    await eventually('it is off', async () => ((await flags()).enable_ideation === false ? true : undefined))
    rmSync(file)
    workspace.setConfig({ ...settings })
    await eventually('it is on', async () => ((await flags()).enable_ideation === true ? true : undefined))
  },
)
