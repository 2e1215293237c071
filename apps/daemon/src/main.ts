// Starts the daemon of one workspace: node main.js --workspace DIR [--agents N] [--no-trial]
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { EXIT_LOCKED, type WorkspacePaths, workspacePaths } from '@treadle/contracts/workspace'
import { Fault, messageOf } from '@treadle/flow/fault'
import { roomFor } from '@treadle/flow/supervise/crew-size'
import pino from 'pino'
import { compose } from './compose.ts'
import { readEnv } from './env.ts'
import { dieLoudly, tellCrash } from './last-words.ts'
import { tidyWorktrees } from './left-worktrees.ts'
import { finishStops } from './orders/emergency-stop.ts'
import { listOrphans } from './orphans.ts'
import { Refusal } from './refusal.ts'
import { clearScratch, jobDied, jobHandlers, startSupervisor } from './serve-jobs.ts'
import { serve } from './server.ts'
import type { World } from './world.ts'

const VERSION = '0.1.0'

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      workspace: { type: 'string' },
      agents: { type: 'string' },
      'no-trial': { type: 'boolean', default: false },
    },
  })
  if (values.workspace === undefined) throw new Fault('usage', 'daemon: --workspace DIR is needed')
  const log = pino(
    { base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 1, sync: true }),
  )
  dieLoudly(workspacePaths(values.workspace).crash, { log, now: () => new Date() })
  const ending = new AbortController()
  const stop = (why: string) => {
    log.info({ why }, 'stopping')
    ending.abort()
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => stop(signal))
  const { world, settings, lock } = await compose({
    root: values.workspace,
    env: readEnv(),
    version: VERSION,
    log,
    stop,
    stopping: ending.signal,
    trial: !values['no-trial'],
  })
  const { store } = world
  const serving = await serve(world, lastPort(world.paths))
  const holder = lock ?? store
  holder.setHolder({ url: serving.url, pid: process.pid })
  await clearScratch(world)
  await store.startJobs(jobHandlers(world), (name, job, why) => jobDied(world, name, job, why))
  await world.notices.begin()
  await store.events.append({
    id: world.uuid(),
    at: world.now(),
    item: null,
    agentId: null,
    runId: null,
    state: null,
    event: { type: 'daemon.started', version: VERSION, store: store.driver },
  })
  await tellCrash(world)
  // Known before anybody is started.
  await world.budget.look(world)
  await finishStops(world)
  if (values.agents === undefined) await world.crew.shrink(world.config().limits.agents)
  else await wantAgents(world, Number(values.agents))
  await tidyWorktrees(world)
  const orphans = await listOrphans(world)
  if (orphans.length > 0) log.warn({ orphans }, 'left by an earlier daemon; see treadle orphans')
  const stopSupervisor = startSupervisor(world)
  world.foresight.start()
  world.notices.start()
  world.health.start()
  announce(world.paths, { url: serving.url, port: serving.port, pid: process.pid })
  log.info({ url: serving.url }, 'ready')

  if (!ending.signal.aborted)
    await new Promise((done) => ending.signal.addEventListener('abort', done, { once: true }))
  // Together: a look at the crew that is under way must not use up the time that the agents have to end.
  await Promise.all([stopSupervisor(), world.crew.close()])
  await world.foresight.close()
  await world.health.close()
  await world.notices.close()
  await store.stopJobs()
  await serving.close()
  await world.measuring.close()
  rmSync(world.paths.daemon, { force: true })
  settings.close()
  await store.close()
  lock?.release()
}

/** A daemon without the agents that were asked for is better than none. */
async function wantAgents({ crew, config, log }: World, count: number): Promise<void> {
  const { agents: room, why } = roomFor(config())
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

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const told = error instanceof Fault || error instanceof Refusal ? error : null
    process.stderr.write(
      `${messageOf(error)}${told?.hint ? `\n${told.hint}` : ''}\n${told === null && error instanceof Error ? `${error.stack}\n` : ''}`,
    )
    process.exit(error instanceof Fault && error.kind === 'store_locked' ? EXIT_LOCKED : 1)
  },
)
