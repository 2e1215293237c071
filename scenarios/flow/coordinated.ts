// The world of the monitor and the PM agent on a real store: jobs are kept, and done twice, as after a kill.
import { randomUUID } from 'node:crypto'
import type { AgentStatus } from '@treadle/contracts/agent'
import type { Build } from '@treadle/contracts/build'
import type { EventType, TreadleEvent } from '@treadle/contracts/event'
import type { AgentId, ItemRef } from '@treadle/contracts/ids'
import { ItemState, type NewItem } from '@treadle/contracts/item'
import { MonitorAlert } from '@treadle/contracts/notification'
import { runClaim } from '@treadle/flow/claim/claim.run'
import { isHeld, isQueued } from '@treadle/flow/flow'
import type { AgentRow } from '@treadle/flow/ports/agents'
import type { FactJob } from '@treadle/flow/ports/jobs'
import { runCoordinate } from '@treadle/flow/supervise/coordinate/coordinate.run'
import type { PmWorld } from '@treadle/flow/supervise/coordinate/pm-world'
import { runHealthChecks } from '@treadle/flow/supervise/health/health.run'
import type { HealthWorld } from '@treadle/flow/supervise/health/health-world'
import { routed } from '@treadle/flow/supervise/roles/route.run'
import type { OpenStore } from '@treadle/store/connect'
import { newItem, newProject } from '@treadle/store/testing/both-drivers'
import { FlowWorld } from './world.ts'

export const sampleBuild = (given: Partial<Build>, at: Date): Build => ({
  id: randomUUID(),
  spec: 'cart',
  revision: 1,
  userSlug: 'ada',
  title: 'Cart',
  status: 'running',
  branch: 'build/cart',
  target: 'main',
  base: null,
  projectNumber: 1,
  tasksTotal: 4,
  validation: null,
  delivery: null,
  prime: '',
  forecast: null,
  commits: [],
  finalValidation: null,
  failures: [],
  skipped: [],
  spentUSD: null,
  why: null,
  workedMs: 0,
  earlierMs: 0,
  workingSince: null,
  startedAt: at.toISOString(),
  completedAt: at.toISOString(),
  ...given,
})

let years = 2_080

export class CoordinatedWorld extends FlowWorld implements HealthWorld, PmWorld {
  readonly jobs: FactJob[]
  readonly project = newProject()
  readonly restarted: AgentId[] = []
  mine: AgentId[] = []
  readonly build = randomUUID()
  readonly began: Date

  constructor(store: OpenStore) {
    const jobs: FactJob[] = []
    const send: OpenStore['jobs']['send'] = async (name, job) => {
      if (name === 'coordinate') jobs.push(job as FactJob)
      else await store.jobs.send(name, job)
    }
    super(
      routed({ ...store, jobs: { ...store.jobs, send } }, () => ({
        specification: { autoGenerate: false, layout: {} },
      })),
    )
    this.jobs = jobs
    years += 1
    // Each test has a year to itself.
    this.time = new Date(`${years}-01-02T03:04:05.000Z`)
    this.began = this.time
  }
  /** What other tests of the file have left is out of the way. */
  static async begin(store: OpenStore): Promise<CoordinatedWorld> {
    const world = new CoordinatedWorld(store)
    const states = ItemState.options.filter((state) => isHeld(state) || isQueued(state))
    for (const { projectNumber, number } of await store.items.inStates(states, 500))
      await world.advance({
        item: { projectNumber, number },
        eventId: world.uuid(),
        fence: null,
        agentId: null,
        move: { type: 'item.withdrawn', by: 'the next test' },
      })
    for (const { id } of await store.agents.list())
      await store.agents.patch(id, { wanted: 'stopped', status: 'stopped' })
    const left = await store.notifications.standing(MonitorAlert.options)
    await store.notifications.resolve(
      left.map(({ id }) => id),
      'the next test',
      new Date(0),
    )
    return world
  }

  awakeSince = () => this.began
  isMine = (row: AgentRow) => this.mine.includes(row.id)
  isElsewhere = (row: AgentRow) => !this.mine.includes(row.id)
  holds = async (): Promise<readonly string[]> => []
  damaged = async (): Promise<readonly string[]> => []
  gitChanges = async (): Promise<readonly string[]> => []
  redact = (text: string) => text
  within = <T>(work: Promise<T>) => work
  onSkipped = (check: string, error: unknown) => {
    throw new Error(check, { cause: error })
  }
  catalogue = () => []
  conventions = async () => ''
  restart = async (id: AgentId) => {
    this.restarted.push(id)
    this.time = new Date(this.time.getTime() + 1)
    await this.store.agents.patch(id, { startedAt: this.time, wanted: 'running' })
  }

  async runs(id: AgentId, status: AgentStatus = 'idle'): Promise<void> {
    this.mine.push(id)
    await this.store.agents.ensure(id, this.time)
    await this.store.agents.patch(id, { wanted: 'running', status, startedAt: this.time, lastError: null })
    await this.beats(id)
  }

  async beats(id: AgentId): Promise<void> {
    const row = await this.store.agents.find(id)
    const beat = {
      agentId: id,
      status: row?.status ?? 'idle',
      currentProjectNumber: null,
      timestamp: this.time.toISOString(),
      memoryUsage: 1,
      cpuUsage: 1,
      pid: 7,
      engine: 'scripted',
      phase: null,
      tasksCompleted: 0,
      errorCount: 0,
      lastError: null,
      drained: false,
    }
    await this.store.agents.beat(id, beat, this.time)
  }

  async task(given: Partial<NewItem> = {}): Promise<ItemRef> {
    const specTask = { spec: 'cart', revision: 1, id: 'T001' } as NewItem['specTask']
    const item = newItem({ projectNumber: this.project, source: 'spec', specTask, ...given })
    const { projectNumber, number } = await this.store.items.add(item, this.time)
    return { projectNumber, number }
  }

  async claims(id: AgentId, item: ItemRef): Promise<void> {
    const claimed = await runClaim(this, { item, agentId: id, requestId: null })
    if (claimed.is !== 'claimed') throw new Error(claimed.is)
  }

  /** An item has a file for itself. */
  async locks(id: AgentId, item: ItemRef, file: string): Promise<void> {
    const [lockedAt, expiresAt] = [0, 600 * 60_000].map((ms) =>
      new Date(this.time.getTime() + ms).toISOString(),
    )
    if (lockedAt === undefined || expiresAt === undefined) return
    const lock = { build: this.build, file, item, lockedBy: id, lockedAt, expiresAt }
    await this.store.fileLocks.take([lock], this.time)
  }

  /** One pass of the monitor, and whatever the PM agent makes of it; every job is done twice, as after a kill. */
  async passes(ms: number): Promise<void> {
    this.wait(ms)
    for (const id of this.mine) await this.beats(id)
    await runHealthChecks(this, ['tasks', 'components', 'deadlocks', 'builds'])
    await this.works()
  }

  async works(): Promise<void> {
    for (let job = this.jobs.shift(); job !== undefined; job = this.jobs.shift()) {
      await runCoordinate(this, job)
      await runCoordinate(this, job)
    }
  }

  async told<T extends EventType>(type: T): Promise<Extract<TreadleEvent, { type: T }>[]> {
    const found = await this.store.events.newest({ type, limit: 100 })
    return found
      .filter(({ at }) => Date.parse(at) >= this.began.getTime())
      .map(({ event }) => event as Extract<TreadleEvent, { type: T }>)
      .reverse()
  }

  async decisions(): Promise<(readonly [string, string | null])[]> {
    return (await this.told('pm.decided')).map(({ action, target }) => [action, target] as const)
  }
}
