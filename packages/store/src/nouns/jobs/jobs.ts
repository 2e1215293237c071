// The daemon's own work as durable jobs: one queue per stage, sent in the transaction that makes it necessary.
import { BuildId } from '@treadle/contracts/build'
import { TreadleEvent } from '@treadle/contracts/event'
import { Slug } from '@treadle/contracts/idea'
import { AgentId, EventId, ItemRef, RunId } from '@treadle/contracts/ids'
import { messageOf } from '@treadle/flow/fault'
import type { JobData, JobName, Jobs } from '@treadle/flow/ports/jobs'
import { PgBoss } from 'pg-boss'
import { z } from 'zod'
import type { Database } from '../../driver/database.ts'
import type { Driver } from '../../driver/driver.ts'
import {
  defineQueue,
  installQueue,
  type QueueDefinition,
  type QueueOptions,
  type QueueWorld,
  reclaimOrphans,
  type Send,
  sendJob,
  type Working,
  workQueue,
} from './queue.ts'

export type JobRuns = {
  readonly [N in JobName]: (job: JobData[N], signal: AbortSignal) => Promise<void>
}
export type OnDead = <N extends JobName>(name: N, job: JobData[N], why: string) => Promise<void>

export interface OpenJobs extends Jobs {
  start(runs: JobRuns, onDead: OnDead): Promise<void>
  stop(graceMs?: number): Promise<void>
  close(): Promise<void>
}

export interface JobsOptions {
  readonly database: Database
  readonly driver: Driver
  readonly jobsSchema: string
  readonly queue: Partial<QueueOptions>
  readonly log: (message: string) => void
}

const ItemJobData = z.object({ item: ItemRef, runId: RunId.optional() })
/** The name of the event may be one of a later version. */
const SubjectJobData = z.object({ subject: Slug, eventId: EventId, type: z.string().max(100) })
const FactJobData = z.object({
  eventId: EventId,
  type: z.string().max(100),
  event: TreadleEvent,
  item: ItemRef.nullable(),
  runId: RunId.nullable(),
  agentId: AgentId.nullable(),
})
const DATA = {
  review: ItemJobData,
  merge: ItemJobData,
  learn: z.union([ItemJobData, SubjectJobData]),
  spec: SubjectJobData,
  build: z.union([SubjectJobData, z.object({ build: BuildId })]),
  coordinate: FactJobData,
} as const satisfies Record<JobName, z.ZodType>
const GRACE_MS = 5_000
const HOUR_SECONDS = 3_600

export async function openJobs(options: JobsOptions): Promise<OpenJobs> {
  const { driver } = options
  const queues = queuesOf(driver.is, options.queue)
  const world = await startBoss(options)
  for (const queue of Object.values(queues)) await installQueue(world, queue)
  if (driver.is === 'embedded') for (const queue of Object.values(queues)) await reclaimOrphans(world, queue)

  const working: Working[] = []
  const stop = async (graceMs = GRACE_MS): Promise<void> => {
    await Promise.all(working.splice(0).map((one) => one.stop(graceMs)))
  }
  return {
    send: (name, job) => sendJob(world, queues[name], sendOf(name, job)),
    sendIfLost: (name, job) => sendJob(world, queues[name], { ...sendOf(name, job), onlyIfLost: true }),
    start: async (runs, onDead) => {
      const work = <N extends JobName>(name: N) =>
        workQueue(world, queues[name], {
          run: (data, signal) => runs[name](dataOf(name, data), signal),
          dead: (data, why) => onDead(name, dataOf(name, data), why),
        })
      for (const name of Object.keys(queues) as JobName[]) working.push(await work(name))
    },
    stop,
    close: async () => {
      await stop()
      await world.boss.stop({ graceful: false })
    },
  }
}

export async function startBoss(options: Omit<JobsOptions, 'queue'>): Promise<QueueWorld> {
  const { database, jobsSchema, log } = options
  const boss = new PgBoss(bossOptions(options))
  boss.on('error', (error) => log(`jobs: ${messageOf(error)}`))
  boss.on('warning', (warning) => log(`jobs: ${warning.message}`))
  await boss.start()
  return { boss, database, jobsSchema, log }
}

function queuesOf(driver: Driver['is'], given: Partial<QueueOptions>): Record<JobName, QueueDefinition> {
  // With no other daemon to take over, a lapsed heartbeat would only mean that this one was busy.
  const heartbeat = driver === 'embedded' ? { heartbeatSeconds: 60 } : {}
  return {
    review: defineQueue('review', { ...heartbeat, ...given }),
    // One after the other: each merge moves the branch on which the next one builds.
    merge: defineQueue('merge', { concurrency: 1, ...heartbeat, ...given }),
    learn: defineQueue('learn', { concurrency: 1, ...heartbeat, ...given }),
    spec: defineQueue('spec', { concurrency: 1, ...heartbeat, ...given }),
    build: defineQueue('build', { concurrency: 1, ...heartbeat, ...given }),
    coordinate: defineQueue('coordinate', { concurrency: 1, ...heartbeat, ...given }),
  }
}

function bossOptions({ database, driver, jobsSchema }: Omit<JobsOptions, 'queue'>) {
  const isServer = driver.is === 'server'
  const watchSeconds = isServer ? 5 : 60
  return {
    db: {
      executeSql: (text: string, values?: unknown[]) => database.execute(text, values),
      listen: driver.listen,
    },
    schema: jobsSchema,
    backend: isServer ? 'postgres' : 'pglite',
    useListenNotify: true,
    schedule: false,
    superviseIntervalSeconds: watchSeconds,
    monitorIntervalSeconds: watchSeconds,
    maintenanceIntervalSeconds: HOUR_SECONDS,
    // The embedded database has no background processes to watch, and rebuilding indexes blocks it.
    monitorVacuum: isServer,
    reindex: isServer,
  } as const
}

function sendOf<N extends JobName>(name: N, job: JobData[N]): Send {
  return { key: keyOf(job), data: dataOf(name, job) }
}

/** Each name with its own data; TypeScript cannot see that they belong together. */
function dataOf<N extends JobName>(name: N, data: object): JobData[N] {
  return DATA[name].parse(data) as unknown as JobData[N]
}

function keyOf(job: JobData[JobName]): string {
  if ('eventId' in job) return job.eventId
  if ('build' in job) return job.build
  return job.runId ?? `${job.item.projectNumber}/${job.item.number}`
}
