// What a start costs, and what a daemon and ten agents that wait weigh, each beside its limit.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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
const SETTLE_MS = 5_000
const COMPILE_MS_MAX = 600_000

export interface StartCost {
  readonly upMs: readonly number[]
  /** Processor time of the daemon until it is ready; the database was there before. */
  readonly upCpuSeconds: readonly number[]
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
    let agentsMb = Number.NaN
    for (let turn = 1; turn <= starts; turn += 1) {
      const before = performance.now()
      const daemon = await startDaemon(workspace)
      upMs.push(performance.now() - before)
      upCpuSeconds.push(cpuSecondsOf(daemon.pid))
      await sleep(SETTLE_MS)
      peakMb.push(memoryMb(daemon.pid, 'VmHWM'))
      daemonMb.push(memoryMb(daemon.pid, 'VmRSS'))
      if (turn === starts) agentsMb = await weighAgents(daemon)
      await stopDaemon(daemon)
    }
    return { upMs, upCpuSeconds, peakMb, daemonMb, agentsMb }
  } finally {
    await clearWorkspace(workspace)
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

export function printedCost({ upMs, upCpuSeconds, peakMb, daemonMb, agentsMb }: StartCost): string {
  const row = (what: string, value: number, limit: number | null, digits = 0) => [
    what,
    round(value, digits),
    limit === null ? '-' : round(limit, digits),
    limit === null ? '-' : `${round(value / limit, 2)} x`,
  ]
  return table(`starting and waiting, embedded database, median of ${upMs.length} starts`, [
    ['', 'measured', 'limit', 'of its limit'],
    row('treadle up, processor seconds of the daemon', median(upCpuSeconds), LIMITS.upCpuSeconds, 2),
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
