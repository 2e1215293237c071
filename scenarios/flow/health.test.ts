// Health checks on real databases, with a clock that is moved by hand: what is told, what lasts, and what is over.
import { randomUUID } from 'node:crypto'
import type { AgentStatus } from '@treadle/contracts/agent'
import type { TreadleEvent } from '@treadle/contracts/event'
import { CheckName } from '@treadle/contracts/health'
import type { AgentId } from '@treadle/contracts/ids'
import { ALERT_TYPES, agentSubject, type HealthAlert } from '@treadle/contracts/notification'
import { runClaim } from '@treadle/flow/claim/claim.run'
import type { AgentRow } from '@treadle/flow/ports/agents'
import { endHealthAlerts, MONITOR_CHECKS, runHealthChecks } from '@treadle/flow/supervise/health/health.run'
import type { HealthWorld } from '@treadle/flow/supervise/health/health-world'
import { acknowledge } from '@treadle/flow/supervise/notify/notify.run'
import { verifies } from '@treadle/requirements/verifies'
import type { OpenStore } from '@treadle/store/connect'
import { DRIVERS, useStore } from '@treadle/store/testing/both-drivers'
import { describe, expect, test } from 'vitest'
import { FlowWorld } from './world.ts'

const MINUTE = 60_000
let agents = 0
let years = 2_040

/** What the monitor looks at is tried in coordinate.test.ts. */
const checks = (world: HealthWorld) =>
  runHealthChecks(
    world,
    CheckName.options.filter((check) => !MONITOR_CHECKS.has(check)),
  )

class WatchedWorld extends FlowWorld implements HealthWorld {
  readonly id: AgentId
  awoke: Date
  readonly skipped: CheckName[] = []
  readonly stopping = new AbortController().signal
  onBug = () => undefined
  isNews = () => true

  constructor(store: OpenStore) {
    super(store)
    agents += 1
    years += 1
    this.id = `agent-${agents}`
    // Each test has a year to itself, and judges its own agent alone.
    this.time = new Date(`${years}-01-02T03:04:05.000Z`)
    this.awoke = this.time
  }
  awakeSince = () => this.awoke
  isMine = (row: AgentRow) => row.id === this.id
  holds = async (): Promise<readonly string[]> => []
  damaged = async (): Promise<readonly string[]> => []
  gitChanges = async (): Promise<readonly string[]> => []
  redact = (text: string) => text.replaceAll('hunter22', '[redacted]')
  within = <T>(work: Promise<T>) => work
  onSkipped = (check: CheckName) => void this.skipped.push(check)

  async starts(status: AgentStatus = 'working'): Promise<void> {
    await this.store.agents.ensure(this.id, this.time)
    await this.store.agents.patch(this.id, { wanted: 'running', status, startedAt: this.time })
    await this.beats(status)
  }

  async beats(status: AgentStatus = 'working'): Promise<void> {
    await this.store.agents.beat(
      this.id,
      {
        agentId: this.id,
        status,
        currentProjectNumber: null,
        timestamp: this.time.toISOString(),
        memoryUsage: 1,
        cpuUsage: 1,
        pid: 7,
        engine: 'scripted',
        phase: 'build',
        tasksCompleted: 0,
        errorCount: 0,
        lastError: null,
        drained: false,
      },
      this.time,
    )
  }

  async says(event: TreadleEvent): Promise<void> {
    const about = { item: null, agentId: this.id, runId: null, state: null }
    await this.store.events.append({ id: randomUUID(), at: this.time, ...about, event })
  }

  /** What stands about its agent. */
  async open() {
    return this.#about(await this.store.notifications.list({ all: false, types: ALERT_TYPES, limit: 500 }))
  }

  async log() {
    return this.#about(await this.store.notifications.list({ all: true, types: ALERT_TYPES, limit: 500 }))
  }

  #about<T extends { subject: string }>(all: readonly T[]): T[] {
    return all.filter(({ subject }) => subject === agentSubject(this.id))
  }
}

describe.each(DRIVERS)('health checks on the %s database', (driver) => {
  const open = useStore(driver)
  const types = (found: readonly { type: string }[]) => found.map(({ type }) => type)

  verifies(
    ['AC-4.5.f', 'ORCH-5.2-6', 'ORCH-4.5-9'],
    'an agent that lives and does nothing for half an hour is told of, with what it was doing',
    async (context) => {
      const world = new WatchedWorld(await open(context))
      await world.starts()
      await world.says({ type: 'agent.status_changed', from: 'idle', to: 'working' })
      const claimed = await runClaim(world, { item: await world.add(), agentId: world.id, requestId: null })
      if (claimed.is !== 'claimed') throw new Error(claimed.is)
      world.wait(30 * MINUTE)
      await world.beats()
      await checks(world)
      expect(await world.open()).toEqual([])
      world.wait(1)
      const { raised } = await checks(world)
      expect(raised.map(({ alert, health }) => [alert, health])).toContainEqual([
        'health.agent_stuck',
        'stuck',
      ])
      const [told] = await world.open()
      expect(told).toMatchObject({ type: 'health.agent_stuck', level: 'critical', count: 1 })
      expect(told?.text).toContain(`${world.id} is working on #${claimed.item.number}`)
      expect(told?.nextSteps).toContainEqual({
        label: 'Restart the agent',
        command: `treadle agent restart ${world.id}`,
      })
      const [created] = await world.store.events.newest({ type: 'notification.created', limit: 1 })
      expect(created?.event).toMatchObject({ id: told?.id, about: 'health.agent_stuck', level: 'critical' })
    },
  )

  test('who waits for an answer is not stuck', async (context) => {
    const world = new WatchedWorld(await open(context))
    await world.starts()
    const item = await world.add()
    const claimed = await runClaim(world, { item, agentId: world.id, requestId: null })
    if (claimed.is !== 'claimed') throw new Error(claimed.is)
    const question = { id: randomUUID(), kind: 'guidance', title: 'which?', options: [] } as const
    await world.store.events.append({
      id: randomUUID(),
      at: world.time,
      item,
      agentId: world.id,
      runId: claimed.run.id,
      state: null,
      event: { type: 'run.asked', question: { ...question, options: [] } },
    })
    world.wait(60 * MINUTE)
    await world.beats()
    await checks(world)
    expect(types(await world.open())).not.toContain('health.agent_stuck')
  })

  verifies(
    ['AC-5.2.b', 'ORCH-5.2-13'],
    'an agent that falls silent is told of as it gets worse; once it is back that is over, and stays in the log',
    async (context) => {
      const world = new WatchedWorld(await open(context))
      await world.starts('idle')
      world.wait(60_000)
      await checks(world)
      expect(await world.open()).toMatchObject([{ type: 'health.agent_degraded', level: 'warning' }])
      world.wait(60_001)
      await checks(world)
      expect(await world.open()).toMatchObject([{ type: 'health.agent_unresponsive', level: 'error' }])
      world.wait(10 * MINUTE)
      await world.store.agents.patch(world.id, { lastError: 'it got worse' })
      await checks(world)
      expect(await world.open()).toMatchObject([
        { type: 'health.agent_unresponsive', count: 1, text: expect.stringContaining('it got worse') },
      ])
      await world.beats('idle')
      await checks(world)
      expect(await world.open()).toEqual([])
      const log = await world.log()
      expect(log).toMatchObject([
        {
          type: 'health.agent_unresponsive',
          resolvedAt: world.time.toISOString(),
          acknowledgedBy: 'treadle',
        },
        { type: 'health.agent_degraded', acknowledgedBy: 'treadle' },
      ])
      const [over] = await world.store.events.newest({ type: 'notification.resolved', limit: 1 })
      expect(over?.event).toMatchObject({ ids: expect.arrayContaining([log[0]?.id]) })
    },
  )

  test('what somebody has seen is not told again while it lasts; what comes back is the same, unseen', async (context) => {
    const world = new WatchedWorld(await open(context))
    await world.starts('idle')
    world.wait(121_000)
    await checks(world)
    const [told] = await world.open()
    await acknowledge(world, { is: 'one', id: told?.id ?? 0 }, 'ada')
    await checks(world)
    expect(await world.open()).toEqual([])
    await world.beats('idle')
    await checks(world)
    expect(await world.log()).toMatchObject([{ acknowledgedBy: 'ada', resolvedAt: expect.any(String) }])
    world.wait(5 * MINUTE)
    await checks(world)
    expect(await world.open()).toMatchObject([
      { id: told?.id, type: 'health.agent_unresponsive', count: 2, acknowledgedBy: null, resolvedAt: null },
    ])
    await world.beats('idle')
    await checks(world)
    // Half an hour after its end it is another one.
    world.wait(31 * MINUTE)
    await checks(world)
    expect((await world.open()).map(({ id }) => id)).not.toContain(told?.id)
    expect(await world.open()).toHaveLength(1)
  })

  test('a machine that was asleep has neither stuck nor silent agents, and no loop that stalls', async (context) => {
    const world = new WatchedWorld(await open(context))
    await world.starts()
    const claimed = await runClaim(world, { item: await world.add(), agentId: world.id, requestId: null })
    expect(claimed.is).toBe('claimed')
    world.wait(8 * 60 * MINUTE)
    world.awoke = world.time
    world.wait(MINUTE / 2)
    const { found } = await checks(world)
    const mine = found.filter(({ check }) => ['responsiveness', 'stuck', 'loop'].includes(check))
    expect(mine.map(({ health }) => health)).toEqual(['healthy', 'healthy', 'healthy'])
    world.wait(31 * MINUTE)
    await world.beats()
    await checks(world)
    expect(types(await world.open())).toEqual(['health.agent_stuck'])
  })

  verifies(
    'AC-5.2.c',
    'more than ten errors within an hour are told as an error, with the last of them',
    async (context) => {
      const world = new WatchedWorld(await open(context))
      await world.starts()
      await world.store.agents.patch(world.id, { lastError: 'the password hunter22 is wrong' })
      for (let count = 0; count < 11; count += 1) await world.says({ type: 'agent.crashed', why: 'SIGKILL' })
      await world.says({ type: 'agent.stopped', why: 'no error' })
      await checks(world)
      const [told] = (await world.open()).filter(({ type }) => type === 'health.error_rate')
      expect(told).toMatchObject({ level: 'error', title: `${world.id} had 11 errors within the last hour` })
      expect(told?.text).toBe('11 of them crashes.\nIts last error: the password [redacted] is wrong')
      world.wait(60 * MINUTE + 1)
      await world.beats()
      await checks(world)
      expect(types(await world.open())).not.toContain('health.error_rate')
    },
  )

  verifies(
    'ORCH-4.5-8',
    'an hour without any move, while work waits, is told with a diagnosis',
    async (context) => {
      const world = new WatchedWorld(await open(context))
      await world.starts('idle')
      const item = await world.add()
      const about = { agentId: null, runId: null, state: null }
      const event = { type: 'item.added', title: 'x' } as const
      await world.store.events.append({ id: randomUUID(), at: world.time, item, ...about, event })
      world.holds = async () => ['6 conflicts wait for you']
      world.wait(60 * MINUTE)
      await world.beats('idle')
      await checks(world)
      const stalled = async () =>
        (await world.store.notifications.list({ all: false, types: ['health.loop_stalled'], limit: 5 })).map(
          ({ text }) => text,
        )
      expect(await stalled()).toEqual([])
      world.wait(1)
      await checks(world)
      const [text] = await stalled()
      expect(text).toMatch(
        /items can be claimed, \d+ are in hand\.\nNothing new is claimed: 6 conflicts wait/,
      )
      expect(text).toContain(`${world.id} is idle with no item`)
      await world.store.events.append({ id: randomUUID(), at: world.time, item, ...about, event })
      await checks(world)
      expect(await stalled()).toEqual([])
    },
  )

  test('a git configuration that has changed is told by what has changed, until it is as it was', async (context) => {
    const world = new WatchedWorld(await open(context))
    await world.starts('idle')
    const told = () => world.store.notifications.list({ all: false, types: ['health.git_changed'], limit: 5 })
    world.gitChanges = async () => ['filter.x.clean was added', 'remote.origin.url was changed']
    await checks(world)
    expect(await told()).toMatchObject([
      { level: 'warning', title: expect.stringContaining('filter.x.clean was added') },
    ])
    world.gitChanges = async () => []
    await checks(world)
    expect(await told()).toEqual([])
  })

  test('a check that cannot be made is skipped; the others are made, and what it said before stands', async (context) => {
    const world = new WatchedWorld(await open(context))
    await world.starts('idle')
    world.damaged = async () => [`the session file of ${world.id} cannot be read`]
    await checks(world)
    const damaged = () =>
      world.store.notifications.list({ all: false, types: ['health.data_damaged'], limit: 5 })
    expect(await damaged()).toMatchObject([{ level: 'critical' }])
    world.damaged = () => Promise.reject(new Error('EIO'))
    world.wait(200_000)
    const { found, skipped } = await checks(world)
    expect(skipped).toEqual([{ check: 'data', why: 'EIO' }])
    expect(world.skipped).toEqual(['data'])
    expect(new Set(found.map(({ check }) => check)).size).toBe(8)
    expect(types(await world.open())).toEqual(['health.agent_unresponsive'])
    expect(await damaged()).toHaveLength(1)
    world.damaged = async () => []
    await checks(world)
    expect(await damaged()).toEqual([])
  })

  test('two daemons that check at the same moment tell it once, and each leaves the agents of the other alone', async (context) => {
    const store = await open(context)
    const world = new WatchedWorld(store)
    const other = new WatchedWorld(store)
    await world.starts('idle')
    world.wait(300_000)
    await Promise.all([checks(world), checks(world)])
    expect(await world.open()).toHaveLength(1)
    await checks(other)
    expect(await world.open()).toHaveLength(1)
  })

  test('once nothing is checked any more, what the checks said counts no longer', async (context) => {
    const world = new WatchedWorld(await open(context))
    await world.starts('idle')
    world.wait(300_000)
    await checks(world)
    expect(await world.open()).toHaveLength(1)
    await endHealthAlerts(world)
    expect(await world.open()).toEqual([])
    expect(await world.log()).toMatchObject([{ resolvedAt: world.time.toISOString() }])
  })

  verifies(
    'ORCH-S5-19',
    'how many alerts came and went again at once is counted for each kind',
    async (context) => {
      const world = new WatchedWorld(await open(context))
      await world.starts('idle')
      const since = world.time
      const noise = async (): Promise<unknown> =>
        (
          await world.store.notifications.noise(
            ['health.agent_degraded'] satisfies HealthAlert[],
            since,
            2 * MINUTE,
          )
        )[0]
      world.wait(61_000)
      await checks(world)
      expect(await noise()).toEqual({ type: 'health.agent_degraded', raised: 1, brief: 0 })
      world.wait(MINUTE / 2)
      await world.beats('idle')
      await checks(world)
      expect(await noise()).toEqual({ type: 'health.agent_degraded', raised: 1, brief: 1 })
      // And the threshold that it came from can be moved.
      world.settings.limits.degradedMs = 600_000
      world.settings.limits.unresponsiveMs = 900_000
      world.wait(500_000)
      await checks(world)
      expect(await world.open()).toEqual([])
    },
  )
})
