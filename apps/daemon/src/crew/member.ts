// One agent's process and its row: started, paused, woken, stopped, and what is done when it is gone.
import type { Heartbeat } from '@treadle/contracts/agent'
import type { Config } from '@treadle/contracts/config'
import type { Fact } from '@treadle/contracts/event'
import type { AgentId } from '@treadle/contracts/ids'
import type { AgentPatch, AgentRow } from '@treadle/flow/ports/agents'
import type { Advance } from '@treadle/flow/ports/moving'
import type { Store } from '@treadle/flow/ports/store'
import { type AgentSign, stepAgent } from '@treadle/flow/supervise/agent.machine'
import { decideProcess } from '@treadle/flow/supervise/recovery'
import { giveBackThoughts } from '@treadle/flow/work/thought.run'
import { isGone, isHalted, isRunning, memoryOf, type ProcessId, send } from '@treadle/process/table'
import type { ProcessTree } from '@treadle/process/tree'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { lastWords, type SpawnDeps, spawnAgent } from './agent-process.ts'
import { agentTree, findAgent } from './processes.ts'
import { crashIn, ERROR_CHARS_MAX, noteInSession, readSession } from './session-note.ts'
import { isElsewhere, type WorkspaceIdentity, workspaceOf } from './workspace-identity.ts'

export interface MemberDeps extends SpawnDeps {
  readonly store: Store
  readonly advance: Advance
  readonly workspace: WorkspaceIdentity
  readonly config: () => Config
  readonly now: () => Date
  readonly clock: Clock
  readonly uuid: () => string
  readonly log: Logger
  /** False while the crew is being ended: nobody is started then. */
  readonly mayStart: () => boolean
  readonly onExit: () => void
  /** Its process has been started, or was found and taken over. */
  readonly onStart: () => void
}

const HOUR_MS = 3_600_000
/** No process, and a name that anybody on this database may use. */
const NOBODY = {
  pid: null,
  pidStarted: null,
  workspace: null,
  frozenAt: null,
} as const satisfies AgentPatch

export class Member {
  readonly id: AgentId
  readonly deps: MemberDeps
  /** As last seen; for whoever cannot wait for the database. */
  process: ProcessId | null = null
  #lastStart: number | null = null
  #howItEnded: string | null = null

  constructor(deps: MemberDeps, id: AgentId) {
    this.deps = deps
    this.id = id
  }

  /** A new order is a new chance for an agent that was given up. */
  async start(): Promise<void> {
    const { store, now } = this.deps
    const row = await store.agents.ensure(this.id, now())
    if (row.wanted === 'paused') return this.resume(row)
    await this.#forgive(row)
    await store.agents.patch(this.id, { wanted: 'running' })
    await this.look()
  }

  /** At the end of the phase, or at once. Who is stopped stays so. */
  async pause(row: AgentRow, atOnce: boolean): Promise<void> {
    if (row.wanted === 'stopped') return
    if (row.wanted === 'running') await this.#become(row, { type: 'pause' }, { wanted: 'paused' })
    const agent = this.#alive(row)
    if (agent === null || row.frozenAt !== null) return
    if (atOnce) await this.freeze(row)
    else this.#nudge(agent)
  }

  async resume(row: AgentRow): Promise<void> {
    if (row.wanted !== 'paused') return
    await this.#forgive(row)
    await this.#become(row, { type: 'resume' }, { wanted: 'running' })
    const agent = this.#alive(row)
    // It goes on with what it has in hand, and need not say so first.
    if (agent !== null && row.item !== null)
      await this.#become({ ...row, status: 'idle' }, { type: 'begins', what: 'working' }, {})
    if (agent !== null && row.frozenAt === null) this.#nudge(agent)
    await this.look()
  }

  async stop(row: AgentRow, why = 'told to stop'): Promise<void> {
    await this.#become(row, { type: 'stop' }, { wanted: 'stopped' })
    await this.#endProcess(row, why)
    await this.giveBack()
    await this.deps.store.agents.patch(this.id, NOBODY)
  }

  /** What it holds stays its own. */
  async restart(row: AgentRow): Promise<void> {
    const { store } = this.deps
    await this.#become(row, { type: 'stop' }, {})
    await this.#endProcess(row, 'told to restart')
    const cleared = { errorCount: 0, lastError: null }
    await store.agents.patch(this.id, { wanted: 'running', ...cleared })
    await store.agents.forgiveRestarts(this.id)
    this.#note({ status: 'idle', ...cleared }, () => this.process === null)
    this.#lastStart = null
    await this.look()
  }

  /** Ends the process in good order; what it holds stays its own, and what is wanted stays wanted. */
  async end(row: AgentRow): Promise<void> {
    if (this.#alive(row) === null) return
    await this.#become(row, { type: 'stop' }, {})
    await this.#endProcess(row, 'the daemon is stopping')
  }

  /** One look at the process, and what follows from it. */
  async look(): Promise<void> {
    const { store, config, now } = this.deps
    let row = await store.agents.find(this.id)
    if (row === null) return
    if (row.pid !== null && this.#alive(row) === null) row = await this.#noteDeath(row)
    if (row.wanted !== 'stopped' && this.#alive(row) === null) row = await this.#adopt(row)
    const alive = this.#alive(row)
    if (alive !== null && row.wanted === 'paused') return this.#keepPaused(row, alive)
    if (alive !== null && row.wanted === 'running' && row.frozenAt !== null) return this.#thaw(row)
    if (row.status === 'failed' && row.wanted !== 'stopped') return
    // Nothing is to be done about one that runs as it should.
    if (alive !== null && row.wanted === 'running') return
    const choice = decideProcess({
      wanted: row.wanted,
      alive: alive !== null,
      restartsLastHour: await store.agents.restartsSince(this.id, new Date(now().getTime() - HOUR_MS)),
      restartsMax: config().limits.restartsPerHour,
      msSinceRestart: this.#lastStart === null ? null : now().getTime() - this.#lastStart,
    })
    switch (choice.is) {
      case 'start':
        return this.#spawn(row)
      case 'stop':
        return this.stop(row)
      case 'give_up':
        return this.#fail(row, choice.why)
      case 'leave':
      case 'wait':
        return
    }
  }

  /** Halts the agent with all it has started. What is meant is written first, so that a new daemon finishes it. */
  async freeze(row: AgentRow): Promise<void> {
    const { store, now } = this.deps
    const agent = this.#alive(row)
    if (agent === null || row.wanted === 'stopped') return
    await store.agents.patch(this.id, { frozenAt: now() })
    this.#tree(agent).freeze()
    this.#note({ status: 'paused' }, () => isHalted(agent))
    await this.#beatFor({ ...row, status: 'paused' }, agent)
  }

  async giveBack(): Promise<void> {
    const { store, now } = this.deps
    const row = await store.agents.find(this.id)
    // What an agent of that name holds elsewhere is not ours to give back.
    if (row !== null && isElsewhere(row, this.deps.workspace)) return
    await giveBackThoughts({ store, now }, { agentId: this.id }, `${this.id} is no longer running`)
    const held = await store.items.heldBy(this.id)
    if (held === null) return
    await this.deps.advance({
      item: { projectNumber: held.projectNumber, number: held.number },
      eventId: `given-back:${held.projectNumber}.${held.number}:${held.fence}`,
      fence: null,
      agentId: this.id,
      move: { type: 'claim.released', why: `${this.id} is no longer running` },
    })
  }

  async record(event: Fact): Promise<void> {
    const { store, now, uuid } = this.deps
    await store.events.append({
      id: uuid(),
      at: now(),
      item: null,
      agentId: this.id,
      runId: null,
      state: null,
      event,
    })
  }

  async #forgive(row: AgentRow): Promise<void> {
    if (row.status !== 'failed') return
    await this.deps.store.agents.forgiveRestarts(this.id)
    await this.#become(row, { type: 'start' }, {})
    this.#lastStart = null
  }

  async #spawn(row: AgentRow): Promise<void> {
    const { now, log, mayStart, onExit } = this.deps
    if (!mayStart()) return
    this.#note({ status: 'idle' }, () => false)
    const spawned = await spawnAgent(this.deps, this.id, (how) => {
      this.#howItEnded = how
      onExit()
    })
    this.#lastStart = now().getTime()
    if (spawned.is === 'failed') {
      log.error({ agent: this.id, why: spawned.why }, 'agent did not start')
      return this.#fail(row, spawned.why)
    }
    const { pid, started } = spawned.process
    this.process = spawned.process
    this.#howItEnded = null
    await this.#become(
      row,
      { type: 'start' },
      {
        pid,
        pidStarted: started,
        workspace: workspaceOf(this.deps.workspace),
        frozenAt: null,
        phase: null,
        startedAt: now(),
      },
    )
    this.deps.onStart()
    await this.record({ type: 'agent.started', pid })
  }

  /** A process of this agent that nobody looks after: of a daemon that was killed, with another database say. */
  async #adopt(row: AgentRow): Promise<AgentRow> {
    const { store, paths, now } = this.deps
    const found = findAgent(paths.locks, this.id, paths.root)
    if (found === null) return row
    const workspace = workspaceOf(this.deps.workspace)
    const patch = { pid: found.pid, pidStarted: found.started, workspace }
    await this.#become(row, { type: 'start' }, { ...patch, startedAt: now() })
    const why = `process ${found.pid} of ${this.id} was running and is taken over`
    this.deps.onStart()
    await this.record({ type: 'recovery.acted', action: 'adopt', why })
    return (await store.agents.find(this.id)) ?? { ...row, ...patch }
  }

  async #endProcess(row: AgentRow, why: string): Promise<void> {
    const { store, config, now, log } = this.deps
    if (row.pid === null) return
    const agent = this.#alive(row)
    const tree = this.#tree(agent)
    if (agent !== null) {
      tree.ask()
      if (!(await isGone(agent, config().limits.stopGraceMs))) log.warn({ agent: this.id }, 'killed')
    }
    // What it started goes in any case: an engine's child may outlive the agent.
    const left = await tree.kill()
    if (left.length > 0) log.error({ agent: this.id, left }, 'processes that do not end')
    this.process = null
    await store.agents.patch(this.id, this.#nobodyHere())
    const last = (await store.agents.find(this.id)) ?? row
    await store.agents.beat(this.id, this.#beat({ ...last, status: 'stopped' }, row.pid), now())
    // The file of one that was gone before is left as it is: somebody may want to go on from it.
    const session = readSession(this.deps.paths.sessions, this.id)
    if (agent !== null && (session.is !== 'valid' || session.session.status !== 'stopped'))
      this.#note({ status: 'stopped' }, () => this.process === null)
    await this.record({ type: 'agent.stopped', why })
  }

  async #noteDeath(seen: AgentRow): Promise<AgentRow> {
    const { store, paths, now } = this.deps
    // Unless a process that we did not know of lives under this name, whatever carries its mark was left behind.
    if (findAgent(paths.locks, this.id, paths.root) === null) await this.#tree(null).kill()
    this.process = null
    const row = (await store.agents.find(this.id)) ?? seen
    if (row.pid === null) return row
    if (row.wanted === 'stopped') {
      await this.giveBack()
      await this.#become(row, { type: 'stop' }, NOBODY)
      await this.record({ type: 'agent.stopped', why: 'told to stop' })
    } else {
      const how = this.#howItEnded === null ? '' : ` (${this.#howItEnded})`
      const found = `process ${row.pid} is gone${how}${lastWords(paths, this.id)}`
      const { told, errorCount, lastError } = crashIn(readSession(paths.sessions, this.id), row, found)
      const dead = { ...row, status: 'crashed', errorCount, lastError } as const
      const { status } = dead
      if (!told) this.#note({ status, errorCount, lastError }, () => this.process === null)
      await this.#become(row, { type: 'dies' }, { ...this.#nobodyHere(), errorCount, lastError })
      await store.agents.beat(this.id, this.#beat(dead, row.pid ?? 1), now())
      await store.agents.countRestart(this.id, now())
      await this.record({ type: 'agent.crashed', why: found.slice(0, ERROR_CHARS_MAX) })
    }
    return (await store.agents.find(this.id)) ?? row
  }

  async #fail(row: AgentRow, why: string): Promise<void> {
    await this.#become(row, { type: 'gives_up' }, { ...this.#nobodyHere(), lastError: why })
    this.#note({ status: 'failed', lastError: why }, () => this.process === null)
    await this.record({ type: 'recovery.acted', action: 'give_up', why })
    await this.giveBack()
  }

  /** On its way to a checkpoint it is told again; halted, it is kept so and its signs of life are given for it. */
  async #keepPaused(row: AgentRow, agent: ProcessId): Promise<void> {
    if (row.frozenAt === null) return this.#nudge(agent)
    if (!isHalted(agent)) this.#tree(agent).freeze()
    const last = row.lastHeartbeatAt === null ? 0 : Date.parse(row.lastHeartbeatAt)
    const silentMs = this.deps.now().getTime() - last
    if (silentMs >= this.deps.config().limits.heartbeatMs) await this.#beatFor(row, agent)
  }

  async #thaw(row: AgentRow): Promise<void> {
    const { store, now } = this.deps
    if (row.frozenAt === null) return
    const byMs = Math.max(0, now().getTime() - Date.parse(row.frozenAt))
    await this.#extendClaim(row, byMs)
    await store.thoughts.extend(this.id, byMs)
    this.#tree(this.#alive(row)).thaw()
    await store.agents.patch(this.id, { frozenAt: null })
    this.#note({ status: 'idle' }, () => false)
  }

  /** Time in which it was not let work is not counted against what it holds. */
  async #extendClaim(row: AgentRow, byMs: number): Promise<void> {
    const { store } = this.deps
    const held = await store.items.heldBy(this.id)
    if (held === null || byMs === 0) return
    await this.deps.advance({
      item: { projectNumber: held.projectNumber, number: held.number },
      eventId: `thawed:${held.projectNumber}.${held.number}:${held.fence}:${row.frozenAt ?? ''}`,
      fence: null,
      agentId: this.id,
      move: { type: 'claim.extended', byMs, why: `${this.id} was paused` },
    })
  }

  /** A signal that changes nothing but wakes: the agent asks at once what is wanted of it. */
  #nudge({ pid }: ProcessId): void {
    send(pid, 'SIGCONT')
  }

  #alive(row: AgentRow): ProcessId | null {
    if (row.pid === null || row.pidStarted === null) return null
    const agent = { pid: row.pid, started: row.pidStarted }
    if (!isRunning(agent)) return null
    this.process = agent
    return agent
  }

  /** No process now; the name stays ours, because it is to run again. */
  #nobodyHere(): AgentPatch {
    return { ...NOBODY, workspace: workspaceOf(this.deps.workspace) }
  }

  #tree(agent: ProcessId | null): ProcessTree {
    return agentTree(agent, this.id, this.deps.paths.root)
  }

  /** A status that does not follow from the one before is not written; the rest is. */
  async #become(row: AgentRow, sign: AgentSign, patch: AgentPatch): Promise<void> {
    const to = stepAgent(row.status, sign)
    const status = to === null ? {} : { status: to }
    await this.deps.store.agents.patch(this.id, { ...patch, ...status })
    if (to !== null && to !== row.status)
      await this.record({ type: 'agent.status_changed', from: row.status, to })
  }

  async #beatFor(row: AgentRow, { pid }: ProcessId): Promise<void> {
    const beat = { ...this.#beat(row, pid), drained: true }
    await this.deps.store.agents.beat(this.id, beat, this.deps.now())
  }

  #beat(row: AgentRow, pid: number): Heartbeat {
    return {
      agentId: this.id,
      status: row.status,
      currentProjectNumber: row.item?.number ?? null,
      timestamp: this.deps.now().toISOString(),
      memoryUsage: memoryOf(pid) ?? row.memoryMb ?? 0,
      cpuUsage: 0,
      pid,
      engine: row.engine ?? 'none',
      phase: row.phase,
      tasksCompleted: row.tasksCompleted,
      errorCount: row.errorCount,
      lastError: row.lastError,
      drained: false,
    }
  }

  #note(patch: Parameters<typeof noteInSession>[2], stillTrue: () => boolean): void {
    const { paths, clock, log } = this.deps
    noteInSession({ sessions: paths.sessions, clock, log }, this.id, patch, stillTrue)
  }
}
