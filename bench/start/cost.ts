// What a start costs, and what a daemon and ten agents that wait weigh, each beside its limit.
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PG_MAJOR } from '@treadle/store/driver/embedded'
import { compiledPath } from '@treadle/store/driver/template'
import { crewProcesses } from '../../scenarios/kit/agents.ts'
import { clearWorkspace, type Daemon, startDaemon, stopDaemon } from '../../scenarios/kit/daemon.ts'
import { eventually } from '../../scenarios/kit/wait.ts'
import { makeWorkspace, type Workspace } from '../../scenarios/kit/workspace.ts'
import { untilAllBeat } from '../lifecycle/measure.ts'
import { median, round, table } from './numbers.ts'

const LIMITS = { upCpuSeconds: 2.6, daemonMb: 250, agentsMb: 1_200 } as const

const AGENTS = 10
/** What a start leaves to be done is over by then. */
const SETTLE_MS = 23_000
const START_MS_MAX = 100_000
const COMPILE_MS_MAX = 600_000
const PGLITE = import.meta.resolve('@electric-sql/pglite')
const TRACE = fileURLToPath(new URL('../../.trace', import.meta.url))

export interface StartCost {
  readonly upMs: readonly number[]
  /** Processor time of the daemon until it is ready; the database was there before. */
  readonly upCpuSeconds: readonly number[]
  /** Processor time that the peer takes beside each start. */
  readonly pgliteCpuSeconds: readonly number[]
  /** The most that a start needed at one moment. */
  readonly peakMb: readonly number[]
  readonly daemonMb: readonly number[]
  /** All of them together. */
  readonly agentsMb: number
}

export async function measureCost(starts: number): Promise<StartCost> {
  const workspace = makeWorkspace()
  try {
    await firstStart(workspace)
    const [upMs, upCpuSeconds, peakMb, daemonMb]: [number[], number[], number[], number[]] = [[], [], [], []]
    const alone: number[] = []
    let agentsMb = Number.NaN
    for (let turn = 1; turn <= starts; turn += 1) {
      const before = performance.now()
      const ready = eventually('a daemon that is ready', () => readyCpuSeconds(workspace), START_MS_MAX)
      const daemon = await startDaemon(workspace)
      upMs.push(performance.now() - before)
      upCpuSeconds.push(await ready)
      await sleep(SETTLE_MS)
      peakMb.push(memoryMb(daemon.pid, 'VmHWM'))
      daemonMb.push(memoryMb(daemon.pid, 'VmRSS'))
      if (turn === starts) agentsMb = await weighAgents(daemon)
      await stopDaemon(daemon)
      alone.push(await pgliteCpuSeconds(workspace))
    }
    return { upMs, upCpuSeconds, pgliteCpuSeconds: alone, peakMb, daemonMb, agentsMb }
  } finally {
    await clearWorkspace(workspace)
  }
}

/**
 * Processor time of a Node process that opens the same database with PGlite alone and asks it one thing: the peer of a
 * start. It says how fast the machine was at that moment, where seconds alone say how busy it was.
 */
async function pgliteCpuSeconds({ paths }: Workspace): Promise<number> {
  const copy = mkdtempSync(join(tmpdir(), 'treadle-bench-pglite-'))
  try {
    cpSync(join(paths.store, `db-${PG_MAJOR}`), copy, { recursive: true })
    const script = `const { PGlite } = await import(${JSON.stringify(PGLITE)})
      const db = await PGlite.create(${JSON.stringify(copy)})
      await db.query('select 1')
      const { user, system } = process.cpuUsage()
      process.stdout.write(String((user + system) / 1e6))
      await db.close()`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
    return Number(stdout)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Makes the database, and has it compiled ahead, as the first daemon of a machine does. */
async function firstStart(workspace: Workspace): Promise<void> {
  const daemon = await startDaemon(workspace)
  const compiled = compiledPath(join(workspace.home, '.cache', 'treadle'))
  await eventually(
    'compiled code',
    () => (existsSync(compiled) || existsSync(`${compiled}.refused`) ? true : undefined),
    COMPILE_MS_MAX,
  )
  await stopDaemon(daemon)
}

async function weighAgents(daemon: Daemon): Promise<number> {
  await daemon.client.startAgents({ body: { count: AGENTS } })
  await untilAllBeat(daemon)
  await sleep(SETTLE_MS)
  return crewProcesses(daemon).reduce((sum, pid) => sum + memoryMb(pid, 'VmRSS'), 0)
}

/** Processor time of the daemon at the moment in which it says that it is ready; what it does later is no start. */
function readyCpuSeconds({ paths }: Workspace): number | undefined {
  if (!existsSync(paths.daemon)) return undefined
  const { pid } = JSON.parse(readFileSync(paths.daemon, 'utf8')) as { pid: number }
  return cpuSecondsOf(pid)
}

function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) / 100
}

function memoryMb(pid: number, what: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return (Number(new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1_024) / 1_000_000
}

export function printedCost(cost: StartCost): string {
  const { upMs, upCpuSeconds, pgliteCpuSeconds, peakMb, daemonMb, agentsMb } = cost
  const row = (what: string, value: number, limit: number | null, digits = 0) => [
    what,
    round(value, digits),
    limit === null ? '-' : round(limit, digits),
    limit === null ? '-' : `${round(value / limit, 2)} x`,
  ]
  return table(`starting and waiting, embedded database, median of ${upMs.length} starts`, [
    ['', 'measured', 'limit', 'of its limit'],
    row('treadle up, processor seconds of the daemon', median(upCpuSeconds), LIMITS.upCpuSeconds, 2),
    row('  PGlite alone opens the same database, processor seconds', median(pgliteCpuSeconds), null, 2),
    [
      '  treadle up, in openings of PGlite alone',
      `${round(median(upCpuSeconds) / median(pgliteCpuSeconds), 2)} x`,
      '-',
      '-',
    ],
    row('treadle up, ms', median(upMs), null),
    row('the daemon when it waits, MB resident', median(daemonMb), LIMITS.daemonMb),
    row('the most that its start needed, MB', median(peakMb), null),
    row(`${AGENTS} agents that wait, together, MB resident`, agentsMb, LIMITS.agentsMb),
  ])
}

export function missedCost({ upCpuSeconds, daemonMb, agentsMb }: StartCost): string[] {
  const rows = [
    ['processor seconds of a start', median(upCpuSeconds), LIMITS.upCpuSeconds],
    ['memory of the daemon', median(daemonMb), LIMITS.daemonMb],
    ['memory of the agents', agentsMb, LIMITS.agentsMb],
  ] as const
  return rows.flatMap(([what, value, limit]) => (value <= limit ? [] : [what]))
}

/** Keeps the medians where `npm run house` looks for them. */
export function keepCost({ upCpuSeconds, daemonMb }: StartCost): void {
  const kept = {
    at: new Date().toISOString(),
    cpuSeconds: Number(round(median(upCpuSeconds), 2)),
    residentMb: Number(round(median(daemonMb), 0)),
  }
  mkdirSync(TRACE, { recursive: true })
  writeFileSync(join(TRACE, 'start.json'), `${JSON.stringify(kept)}\n`)
}
