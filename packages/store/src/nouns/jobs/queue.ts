// One way to define and work a pg-boss queue, with the rules that keep it prompt and keep it from losing jobs.
import { messageOf } from '@treadle/flow/fault'
import type { JobWithMetadata, PgBoss } from 'pg-boss'
import { quoted } from '../../driver/channels.ts'
import type { Database } from '../../driver/database.ts'
import { storableText } from '../../driver/storable.ts'

export interface QueueOptions {
  /** Jobs of this queue that one daemon runs at a time. */
  readonly concurrency: number
  readonly retryLimit: number
  /** The first delay; it doubles with each retry. */
  readonly retryDelaySeconds: number
  readonly retryDelaySecondsMax: number
  /** A handler that takes longer has failed. */
  readonly expireSeconds: number
  /** A job whose daemon has been silent this long is given to another. */
  readonly heartbeatSeconds: number
  /** Retries and deferred jobs come without a notification, so this must be short; 0.5 at least. */
  readonly pollSeconds: number
}

export interface QueueDefinition extends QueueOptions {
  readonly name: string
  readonly deadName: string
}

const DEFAULTS: QueueOptions = {
  concurrency: 2,
  retryLimit: 5,
  retryDelaySeconds: 1,
  retryDelaySecondsMax: 60,
  expireSeconds: 3_600,
  heartbeatSeconds: 12,
  pollSeconds: 2,
}
/** A running job says so this many times before it would be taken for lost. */
const HEARTBEATS_IN_PATIENCE = 4
/** A dead letter has waited through all its retries; it may wait this many looks longer than a job. */
const DEAD_POLLS = 5
/** Each crash of a daemon gives its job one more try, up to here: a crash is rarely the job's fault. */
const RETRY_LIMIT_MAX = 25
const DEAD_RETRY_LIMIT = 20

export function defineQueue(name: string, options: Partial<QueueOptions> = {}): QueueDefinition {
  return { ...DEFAULTS, ...options, name, deadName: `${name}_dead` }
}

export interface QueueWorld {
  readonly boss: PgBoss
  readonly database: Database
  readonly jobsSchema: string
  readonly log: (message: string) => void
}

export async function installQueue({ boss }: QueueWorld, queue: QueueDefinition): Promise<void> {
  const dead = {
    retryLimit: DEAD_RETRY_LIMIT,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 60,
    notify: true,
  }
  const options = {
    retryLimit: queue.retryLimit,
    retryDelay: queue.retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: queue.retryDelaySecondsMax,
    expireInSeconds: queue.expireSeconds,
    heartbeatSeconds: queue.heartbeatSeconds,
    deadLetter: queue.deadName,
    notify: true,
  }
  const known = (await boss.getQueues([queue.name, queue.deadName])).map(({ name }) => name)
  if (!known.includes(queue.deadName)) await boss.createQueue(queue.deadName, dead)
  if (known.includes(queue.name)) await boss.updateQueue(queue.name, options)
  // 'short': one job per key may wait to be started for the first time.
  else await boss.createQueue(queue.name, { ...options, policy: 'short' })
}

export interface Send {
  readonly key: string
  readonly data: object
  readonly startAfterSeconds?: number
  /** One that runs stands for this one as well: it is sent only because the last may have got lost. */
  readonly onlyIfLost?: boolean
}

/** Inside tx() it is part of the transaction. A job with the same key that still waits stands for this one too. */
export async function sendJob(world: QueueWorld, queue: QueueDefinition, send: Send): Promise<void> {
  const { rows } = await world.database.execute(
    `select 1 from ${jobTable(world)} where name = $1 and singleton_key = $2 and state::text = any($3) limit 1`,
    [queue.name, send.key, send.onlyIfLost ? ['created', 'retry', 'active'] : ['retry']],
  )
  if (rows.length > 0) return
  await world.boss.send(queue.name, send.data, {
    singletonKey: send.key,
    group: { id: send.key },
    ...(send.startAfterSeconds === undefined ? {} : { startAfter: send.startAfterSeconds }),
  })
}

export interface QueueHandlers {
  run(data: object, signal: AbortSignal): Promise<void>
  /** All retries are used up. */
  dead(data: object, why: string): Promise<void>
}

export interface Working {
  /** Takes no more jobs; those that run may finish, are then asked to stop, and at last are left to a retry. */
  stop(graceMs: number): Promise<void>
}

export async function workQueue(
  world: QueueWorld,
  queue: QueueDefinition,
  handlers: QueueHandlers,
): Promise<Working> {
  const stopping = new AbortController()
  const run = async (job: JobWithMetadata<object>): Promise<void> => {
    try {
      await handlers.run(job.data, AbortSignal.any([job.signal, stopping.signal]))
    } catch (error) {
      await settleFailure(world, job, stopping.signal.aborted)
      throw storableError(error)
    }
  }
  const bury = (job: JobWithMetadata<object>): Promise<void> => handlers.dead(job.data, whyDead(job))
  for (let count = 0; count < queue.concurrency; count += 1)
    await startWorker(world, { name: queue.name, queue, run })
  const rare = { ...queue, pollSeconds: queue.pollSeconds * DEAD_POLLS }
  await startWorker(world, { name: queue.deadName, queue: rare, run: bury })
  return {
    stop: async (graceMs) => {
      const drained = Promise.all([queue.name, queue.deadName].map((name) => world.boss.offWork(name)))
      drained.catch((error: unknown) => world.log(messageOf(error)))
      const patience = Promise.withResolvers<void>()
      const timers = [setTimeout(() => stopping.abort(), graceMs), setTimeout(patience.resolve, 2 * graceMs)]
      await Promise.race([drained, patience.promise])
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

interface Worker {
  readonly name: string
  readonly queue: QueueOptions
  run(job: JobWithMetadata<object>): Promise<void>
}

/** A worker runs one job at a time and looks for the next as soon as it has ended. */
async function startWorker({ boss }: QueueWorld, { name, queue, run }: Worker): Promise<void> {
  const options = workOptions(queue)
  const id: string = await boss.work<object, void, typeof options>(name, options, async ([job]) => {
    if (job === undefined) return
    try {
      await run(job)
    } finally {
      boss.notifyWorker(id)
    }
  })
}

function workOptions({ pollSeconds, heartbeatSeconds }: QueueOptions) {
  return {
    includeMetadata: true,
    batchSize: 1,
    pollingIntervalSeconds: pollSeconds,
    notifyPollingIntervalSeconds: pollSeconds,
    // Never two jobs of one key at a time, on whichever daemon.
    groupConcurrency: 1,
    heartbeatRefreshSeconds: heartbeatSeconds / HEARTBEATS_IN_PATIENCE,
  } as const
}

/** The retry of this job stands for one that waits; being told to stop is not the job's fault. */
async function settleFailure(
  world: QueueWorld,
  job: JobWithMetadata<object>,
  stopped: boolean,
): Promise<void> {
  if (stopped) await forgive(world, [job.id])
  if (job.retryCount >= job.retryLimit && !stopped) return
  await world.database.execute(
    `delete from ${jobTable(world)} where name = $1 and singleton_key = $2 and state = 'created'`,
    [job.name, job.singletonKey],
  )
}

/** Jobs that were running when the only daemon died: nobody else can be working on them. */
export async function reclaimOrphans(world: QueueWorld, queue: QueueDefinition): Promise<number> {
  const { rows } = await world.database.execute(
    `select id from ${jobTable(world)} where name = any($1) and state = 'active'`,
    [[queue.name, queue.deadName]],
  )
  const ids = (rows as { id: string }[]).map(({ id }) => id)
  if (ids.length === 0) return 0
  await forgive(world, ids)
  const why = { message: 'the daemon ended while the job was running' }
  await world.boss.fail(queue.name, ids, why)
  await world.boss.fail(queue.deadName, ids, why)
  await world.database.execute(
    `update ${jobTable(world)} set start_after = now() where id = any($1::uuid[]) and state = 'retry'`,
    [ids],
  )
  return ids.length
}

async function forgive(world: QueueWorld, ids: readonly string[]): Promise<void> {
  await world.database.execute(
    `update ${jobTable(world)} set retry_limit = least(retry_limit + 1, ${RETRY_LIMIT_MAX})
     where id = any($1::uuid[]) and state = 'active'`,
    [ids],
  )
}

function jobTable({ jobsSchema }: QueueWorld): string {
  return `${quoted(jobsSchema)}.job`
}

/** pg-boss stores the error as JSON; a character that PostgreSQL refuses would leave the job running for ever. */
function storableError(thrown: unknown): Error {
  const error = new Error(storableText(messageOf(thrown)))
  error.stack = storableText(thrown instanceof Error ? (thrown.stack ?? '') : '')
  return error
}

function whyDead({ sourceOutput }: JobWithMetadata<object>): string {
  const output = sourceOutput as { message?: unknown; value?: { message?: unknown } } | null
  const message = output?.message ?? output?.value?.message
  return typeof message === 'string' ? message : 'the job failed too often'
}
