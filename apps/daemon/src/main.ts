// Starts the daemon of one workspace: node main.js --workspace DIR [--agents N]
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { Fault, messageOf } from '@treadle/flow/fault'
import pino from 'pino'
import { compose } from './compose.ts'
import { readEnv } from './env.ts'
import { listOrphans } from './orphans.ts'
import { clearScratch, jobDied, jobHandlers, startSupervisor } from './serve-jobs.ts'
import { serve } from './server.ts'

const VERSION = '0.1.0'
/** Exit code that says: another daemon has this workspace. */
const EXIT_LOCKED = 3

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { workspace: { type: 'string' }, agents: { type: 'string' } } })
  if (values.workspace === undefined) throw new Fault('usage', 'daemon: --workspace DIR is needed')
  const log = pino(
    { base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 1, sync: true }),
  )
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
  })
  const { store } = world
  const serving = await serve(world, lastPort(world.paths))
  const holder = lock ?? store
  holder.setHolder({ url: serving.url, pid: process.pid })
  await clearScratch(world)
  await store.startJobs(jobHandlers(world), (name, job, why) => jobDied(world, name, job, why))
  await store.events.append({
    id: world.uuid(),
    at: world.now(),
    item: null,
    agentId: null,
    runId: null,
    state: null,
    event: { type: 'daemon.started', version: VERSION, store: store.driver },
  })
  // Known before anybody is started.
  await world.budget.look(world)
  if (values.agents !== undefined) await world.crew.want(Number(values.agents))
  const orphans = await listOrphans(world)
  if (orphans.length > 0) log.warn({ orphans }, 'left by an earlier daemon; see treadle orphans')
  const stopSupervisor = startSupervisor(world)
  world.foresight.start()
  announce(world.paths, { url: serving.url, port: serving.port, pid: process.pid })
  log.info({ url: serving.url }, 'ready')

  if (!ending.signal.aborted)
    await new Promise((done) => ending.signal.addEventListener('abort', done, { once: true }))
  // Together: a look at the crew that is under way must not use up the time that the agents have to end.
  await Promise.all([stopSupervisor(), world.crew.close()])
  await world.foresight.close()
  await store.stopJobs()
  await serving.close()
  await world.measuring.close()
  rmSync(world.paths.daemon, { force: true })
  settings.close()
  await store.close()
  lock?.release()
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
    const fault = error instanceof Fault ? error : null
    process.stderr.write(
      `${messageOf(error)}${fault?.hint ? `\n${fault.hint}` : ''}\n${fault === null && error instanceof Error ? `${error.stack}\n` : ''}`,
    )
    process.exit(fault?.kind === 'store_locked' ? EXIT_LOCKED : 1)
  },
)
