// Starts the daemon of one workspace in this process, and ends it again so that nothing of it is left.
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { capacityFor } from '@treadle/flow/supervise/crew-size'
import { sweepLeftovers } from '@treadle/sandbox/runtime'
import type { Logger } from 'pino'
import { type Clock, machineClock } from './clock.ts'
import { compose } from './compose.ts'
import { tellCrash } from './crash-note.ts'
import { tidyWorktrees } from './crew/left-worktrees.ts'
import { listOrphans } from './crew/orphans.ts'
import type { DaemonEnv } from './env.ts'
import { serve } from './http/server.ts'
import type { SandboxProbe } from './isolation.ts'
import { clearScratch, jobDied, jobHandlers, startSupervisor } from './jobs/serve-jobs.ts'
import { finishStops } from './orders/emergency-stop.ts'
import type { World } from './world.ts'

const VERSION = '0.1.0'

export interface DaemonOptions {
  readonly workspace: string
  readonly env: DaemonEnv
  readonly log: Logger
  /** None: as many of the agents that were wanted last as there is room for. */
  readonly agents?: number
  /** False: whatever the settings say, no lesson is kept back. */
  readonly trial?: boolean
  /** True: it looks for improvements itself, unless the settings say that it must not. */
  readonly ideas?: boolean
  /** None: that of the last run where it is free. 0: any. */
  readonly port?: number
  readonly clock?: Clock
  /** None: the sandbox of this machine is tried. */
  readonly probe?: SandboxProbe
  /** Of the tables: several daemons can share one server and know nothing of each other. */
  readonly schema?: string
  /** Ends it, also while it starts. */
  readonly signal?: AbortSignal
}

export interface RunningDaemon {
  readonly url: string
  readonly port: number
  readonly token: string
  /** It was told to end, by a signal or over the API, and has. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

export async function startDaemon(options: DaemonOptions): Promise<RunningDaemon> {
  const { log, signal } = options
  const ending = new AbortController()
  const stop = (why: string) => {
    log.info({ why }, 'stopping')
    ending.abort()
  }
  const closing = new AsyncDisposableStack()
  const told = () => stop(String(signal?.reason ?? 'asked to'))
  if (signal?.aborted) told()
  signal?.addEventListener('abort', told, { once: true })
  closing.defer(() => signal?.removeEventListener('abort', told))
  try {
    const { url, port, token } = await begin(options, { closing, stop, stopping: ending.signal })
    const ended = aborted(ending.signal).then(() => closing.disposeAsync())
    const close = () => {
      if (!ending.signal.aborted) stop('closed')
      return ended
    }
    return { url, port, token, ended, close }
  } catch (error) {
    ending.abort()
    await closing.disposeAsync().catch((cause: unknown) => log.error({ err: cause }, 'closing'))
    throw error
  }
}

interface Ending {
  readonly closing: AsyncDisposableStack
  readonly stop: (why: string) => void
  readonly stopping: AbortSignal
}

async function begin(
  options: DaemonOptions,
  { closing, stop, stopping }: Ending,
): Promise<{ url: string; port: number; token: string }> {
  const { log, env, agents, schema } = options
  const { world, holder } = await compose({
    root: options.workspace,
    env,
    clock: options.clock ?? machineClock,
    schema,
    version: VERSION,
    log,
    stop,
    stopping,
    trial: options.trial ?? true,
    ideas: options.ideas ?? false,
    closing,
    ...(options.probe === undefined ? {} : { probe: options.probe }),
  })
  const { store } = world
  closing.defer(() => rmSync(world.paths.daemon, { force: true }))
  const serving = await serve(world, options.port ?? lastPort(world.paths))
  closing.defer(() => serving.close())
  holder.setHolder({ url: serving.url, pid: process.pid })
  await clearScratch(world)
  const left = sweepLeftovers()
  if (left.length > 0) log.info({ left }, 'removed what sandboxes of processes that are gone have left')
  closing.defer(() => store.stopJobs())
  await store.startJobs(jobHandlers(world), (name, job, why) => jobDied(world, name, job, why))
  await world.notices.begin()
  await recordStart(world)
  await tellCrash(world)
  const watching = watchLater(world, closing)
  // Known before anybody is started.
  await world.budget.look(world)
  await finishStops(world)
  if (agents === undefined) await world.crew.shrink(world.config().limits.agents)
  else await wantAgents(world, agents)
  await tidyWorktrees(world)
  const orphans = await listOrphans(world)
  if (orphans.length > 0) log.warn({ orphans }, 'left by an earlier daemon; see treadle orphans')
  watching.start()
  announce(world.paths, { url: serving.url, port: serving.port, pid: process.pid })
  log.info({ url: serving.url }, 'ready')
  return { url: serving.url, port: serving.port, token: world.token }
}

/** What it does by itself. Its end is seen to before agents are started, its begin comes when all is ready. */
function watchLater(world: World, closing: AsyncDisposableStack): { start(): void } {
  const { conflictForecast, readiness, notices, health, crew } = world
  let stopSupervisor = (): Promise<void> => Promise.resolve()
  closing.defer(() => notices.close())
  closing.defer(() => health.close())
  closing.defer(() => conflictForecast.close())
  closing.defer(() => readiness.close())
  closing.defer(async () => {
    // Together: a look at the crew that is under way must not use up the time that the agents have to end.
    await Promise.all([stopSupervisor(), crew.close()])
  })
  return {
    start() {
      stopSupervisor = startSupervisor(world)
      conflictForecast.start()
      readiness.start()
      notices.start()
      health.start()
    },
  }
}

function recordStart({ store, uuid, now, version }: World): Promise<unknown> {
  return store.events.append({
    id: uuid(),
    at: now(),
    item: null,
    agentId: null,
    runId: null,
    state: null,
    event: { type: 'daemon.started', version, store: store.driver },
  })
}

/** A daemon without the agents that were asked for is better than none. */
async function wantAgents({ crew, config, log }: World, count: number): Promise<void> {
  const { agents: room, why } = capacityFor(config())
  if (count > room) log.warn({ count, room, why }, 'fewer agents are started than were asked for')
  await crew.want(Math.min(count, room))
}

function announce(paths: WorkspacePaths, facts: { url: string; port: number; pid: number }): void {
  writeFileSync(`${paths.daemon}.tmp`, `${JSON.stringify(facts)}\n`, { mode: 0o600 })
  renameSync(`${paths.daemon}.tmp`, paths.daemon)
  writeFileSync(`${paths.state}/port`, `${facts.port}\n`)
}

function lastPort(paths: WorkspacePaths): number {
  try {
    const port = Number(readFileSync(`${paths.state}/port`, 'utf8'))
    return Number.isInteger(port) && port > 1_023 && port < 65_536 ? port : 0
  } catch {
    return 0
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }))
}
