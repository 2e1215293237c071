// The crew's processes: starts, watches, restarts and stops one process per agent. Decisions are flow/supervise/recovery's.
import { spawn } from 'node:child_process'
import { closeSync, fstatSync, mkdirSync, openSync, readSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { AgentHealth, AgentWanted } from '@treadle/contracts/agent'
import type { Config } from '@treadle/contracts/config'
import type { Fact } from '@treadle/contracts/event'
import { type AgentId, agentNumber } from '@treadle/contracts/ids'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { advance } from '@treadle/flow/advance'
import type { AgentRow, Store } from '@treadle/flow/ports'
import { judgeHealth } from '@treadle/flow/supervise/health'
import { decideProcess } from '@treadle/flow/supervise/recovery'
import type { Logger } from 'pino'
import { isAgentAlive, signalGroup } from './processes.ts'

export interface CrewDeps {
  readonly paths: WorkspacePaths
  readonly store: Store
  readonly config: () => Config
  readonly now: () => Date
  readonly uuid: () => string
  readonly childEnv: Readonly<Record<string, string>>
  readonly log: Logger
}

export type Order = 'start' | 'stop' | 'pause' | 'resume' | 'restart'
const HOUR_MS = 3_600_000
const AGENT_MAIN = fileURLToPath(new URL('../../agent/src/main.ts', import.meta.url))
const WANTED_AFTER: Readonly<Record<Order, AgentWanted>> = {
  start: 'running',
  stop: 'stopped',
  pause: 'paused',
  resume: 'running',
  restart: 'running',
}

export class Crew {
  readonly deps: CrewDeps
  #lastStart = new Map<AgentId, number>()
  #tick: Promise<void> = Promise.resolve()
  #closed = false

  constructor(deps: CrewDeps) {
    this.deps = deps
  }

  healthOf(row: AgentRow): AgentHealth {
    const beat = row.lastHeartbeatAt === null ? null : Date.parse(row.lastHeartbeatAt)
    return judgeHealth({
      now: this.deps.now().getTime(),
      status: row.status,
      lastHeartbeatAt: beat,
      limits: this.deps.config().limits,
    })
  }

  /** Agents 1 to `count` are to run; the others stop and give back what they hold. */
  async want(count: number): Promise<void> {
    const { store, now } = this.deps
    for (let n = 1; n <= count; n += 1) await store.agents.ensure(`agent-${n}`, now())
    const rows = (await store.agents.list()).filter((row) => agentNumber(row.id) !== null)
    const staying = rows.filter((row) => (agentNumber(row.id) ?? 0) <= count)
    const leaving = rows.filter((row) => !staying.includes(row) && row.wanted !== 'stopped')
    for (const row of staying) await this.#wish(row, 'running')
    for (const row of leaving) await this.#wish(row, 'stopped')
    await this.tick()
    for (const row of leaving) await this.#giveBack(row.id)
  }

  /** A new order is a new chance for an agent that was given up. */
  async #wish(row: AgentRow, wanted: AgentWanted): Promise<void> {
    await this.deps.store.agents.patch(row.id, {
      wanted,
      ...(row.status === 'failed' ? { status: 'idle' } : {}),
    })
  }

  async order(id: AgentId, order: Order): Promise<void> {
    const { store } = this.deps
    const row = await store.agents.find(id)
    if (row === null && order !== 'start') return
    if (order === 'restart' && row !== null) await this.#stopProcess(row)
    await store.agents.patch(id, {
      wanted: WANTED_AFTER[order],
      ...(row?.status === 'failed' ? { status: 'idle' } : {}),
    })
    this.#lastStart.delete(id)
    await this.tick()
    if (order === 'stop') await this.#giveBack(id)
  }

  /** One look at every process; looks never overlap. */
  tick(): Promise<void> {
    this.#tick = this.#tick
      .then(() => this.#look())
      .catch((error: unknown) => this.deps.log.error({ err: error }, 'crew tick'))
    return this.#tick
  }

  /** Ends all processes; what the agents hold stays theirs, to be resumed. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#tick
    const rows = await this.deps.store.agents.list()
    await Promise.all(rows.map((row) => this.#stopProcess(row)))
  }

  async #look(): Promise<void> {
    if (this.#closed) return
    for (const row of await this.deps.store.agents.list()) {
      if (agentNumber(row.id) !== null) await this.#lookAt(row)
    }
  }

  async #lookAt(row: AgentRow): Promise<void> {
    const { store, config, now } = this.deps
    const since = this.#lastStart.get(row.id)
    const alive = isAgentAlive(row.pid, row.id, this.deps.paths.root)
    if (row.pid !== null && !alive && row.status !== 'failed') await this.#noteDeath(row)
    if (row.status === 'failed' && row.wanted !== 'stopped') return
    const choice = decideProcess({
      wanted: row.wanted,
      alive,
      restartsLastHour: await store.agents.restartsSince(row.id, new Date(now().getTime() - HOUR_MS)),
      restartsMax: config().limits.restartsPerHour,
      msSinceRestart: since === undefined ? null : now().getTime() - since,
    })
    switch (choice.is) {
      case 'start':
        return this.#start(row)
      case 'stop':
        return this.#stopProcess(row)
      case 'give_up':
        await store.agents.patch(row.id, { status: 'failed', lastError: choice.why })
        await this.#record(row.id, { type: 'recovery.acted', action: 'give_up', why: choice.why })
        return this.#giveBack(row.id)
      case 'leave':
      case 'wait':
        return
    }
  }

  async #noteDeath(row: AgentRow): Promise<void> {
    const { store, now } = this.deps
    const expected = row.wanted === 'stopped'
    await store.agents.patch(row.id, { pid: null, status: expected ? 'stopped' : 'crashed' })
    if (expected) return this.#record(row.id, { type: 'agent.stopped', why: 'told to stop' })
    await store.agents.countRestart(row.id, now())
    await this.#record(row.id, {
      type: 'agent.crashed',
      why: `process ${row.pid} is gone${this.#lastWords(row.id)}`,
    })
  }

  /** The end of the agent's log, so that whoever reads the event need not go and look. */
  #lastWords(id: AgentId): string {
    const line = tailOf(`${this.deps.paths.logs}/${id}.log`).trim().split('\n').at(-1) ?? ''
    return line === '' ? '' : `; its log ends: ${line.slice(0, 500)}`
  }

  async #start(row: AgentRow): Promise<void> {
    const { paths, childEnv, store, now, log } = this.deps
    mkdirSync(paths.logs, { recursive: true })
    const out = openSync(`${paths.logs}/${row.id}.log`, 'a')
    try {
      const child = spawn(process.execPath, [AGENT_MAIN, '--workspace', paths.root, '--id', row.id], {
        cwd: paths.root,
        detached: true,
        stdio: ['ignore', out, out],
        env: { ...childEnv },
      })
      child.on('error', (error) => log.error({ err: error, agent: row.id }, 'agent did not start'))
      child.on('exit', () => void this.tick())
      child.unref()
      this.#lastStart.set(row.id, now().getTime())
      if (child.pid === undefined) return
      await store.agents.patch(row.id, { pid: child.pid, status: 'idle', startedAt: now() })
      await this.#record(row.id, { type: 'agent.started', pid: child.pid })
    } finally {
      closeSync(out)
    }
  }

  async #stopProcess(row: AgentRow): Promise<void> {
    const { store, config, paths } = this.deps
    const { pid } = row
    const alive = () => isAgentAlive(pid, row.id, paths.root)
    if (pid === null || !alive()) return
    signalGroup(pid, 'SIGCONT')
    signalGroup(pid, 'SIGTERM')
    const until = Date.now() + config().limits.stopGraceMs
    while (alive() && Date.now() < until) await sleep(25)
    // The group goes in any case: an engine's child may outlive the agent.
    signalGroup(pid, 'SIGKILL')
    while (alive()) await sleep(25)
    await store.agents.patch(row.id, { pid: null, status: 'stopped' })
    await this.#record(row.id, { type: 'agent.stopped', why: 'told to stop' })
  }

  async #giveBack(id: AgentId): Promise<void> {
    const held = await this.deps.store.items.heldBy(id)
    if (held === null) return
    await advance(
      { store: this.deps.store, now: this.deps.now, config: this.deps.config },
      {
        item: { projectNumber: held.projectNumber, number: held.number },
        eventId: `given-back:${held.projectNumber}.${held.number}:${held.fence}`,
        fence: null,
        agentId: id,
        move: { type: 'claim.released', why: `${id} is no longer running` },
      },
    )
  }

  async #record(agentId: AgentId, event: Fact): Promise<void> {
    const { store, now, uuid } = this.deps
    await store.events.append({ id: uuid(), at: now(), item: null, agentId, runId: null, state: null, event })
  }
}

const TAIL_BYTES = 2_048
function tailOf(file: string): string {
  const fd = openSync(file, 'r')
  try {
    const buffer = Buffer.alloc(TAIL_BYTES)
    const read = readSync(fd, buffer, 0, TAIL_BYTES, Math.max(0, fstatSync(fd).size - TAIL_BYTES))
    return buffer.toString('utf8', 0, read)
  } finally {
    closeSync(fd)
  }
}
