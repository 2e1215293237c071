// The crew: orders to one agent or all, and the look at everyone. Each agent has its turns to itself; see member.ts.
import { setTimeout as sleep } from 'node:timers/promises'
import type {
  Agent,
  AgentHealth,
  AgentStatus,
  AgentWanted,
  CrewHealth,
  Heartbeat,
} from '@treadle/contracts/agent'
import { type AgentId, agentNumber } from '@treadle/contracts/ids'
import { duration } from '@treadle/contracts/words/time'
import type { AgentRow } from '@treadle/flow/ports/agents'
import { judgeHealth, judgeSubstate } from '@treadle/flow/supervise/agent-health'
import { judgeBeat } from '@treadle/flow/supervise/beat'
import { capacityFor } from '@treadle/flow/supervise/crew-size'
import type { ProcessId } from '@treadle/process/table'
import { Refusal } from '../refusal.ts'
import { Member, type MemberDeps } from './member.ts'
import { OwnCores } from './own-cores.ts'
import { agentsIn, crewTree } from './processes.ts'
import { Reviewers } from './reviewers.ts'
import { isElsewhere, workspaceOf } from './workspace-identity.ts'

export type CrewDeps = Omit<MemberDeps, 'mayStart' | 'onExit' | 'onStart' | 'node'> & {
  readonly node?: string
  /** Nobody is started while this says so, whatever is wanted. */
  readonly isHeld?: () => boolean
}
export type Order = 'start' | 'stop' | 'pause' | 'resume' | 'restart'
export interface OrderOptions {
  /** Pause in the middle of a phase. */
  readonly now?: boolean
}

/** How long an end waits for turns that are under way. */
const TURNS_MS = 2_000

export class Crew {
  readonly deps: CrewDeps
  readonly #members = new Map<AgentId, Member>()
  readonly #refused = new Map<AgentId, AgentStatus | null>()
  readonly #turns = new Map<AgentId, Promise<void>>()
  /** Nobody is started: the daemon is ending, or all were killed and nobody has been told to start since. */
  #halted = false
  #followed: Promise<void> = Promise.resolve()
  readonly #reviewers: Reviewers
  readonly cores: OwnCores
  #closed = false

  constructor(deps: CrewDeps) {
    this.deps = deps
    this.cores = new OwnCores({ ...deps, isElsewhere: (row) => this.isElsewhere(row) })
    this.#reviewers = new Reviewers({
      store: deps.store,
      config: deps.config,
      isElsewhere: (row) => this.isElsewhere(row),
      works: async () => (await this.#numbered()).some(({ wanted }) => wanted !== 'stopped'),
      order: (id, order) => this.order(id, order),
    })
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

  judged(row: AgentRow): Agent {
    return { ...row, health: this.healthOf(row), substate: judgeSubstate(row) }
  }

  /** Answered by one query. */
  async health(): Promise<CrewHealth> {
    const agents = (await this.deps.store.agents.list()).map((row) => this.judged(row))
    const count = (health: AgentHealth) => agents.filter((agent) => agent.health === health).length
    return {
      healthy: count('healthy'),
      degraded: count('degraded'),
      unresponsive: count('unresponsive'),
      agents: agents.map((agent) => ({
        agentId: agent.id,
        status: agent.status,
        substate: agent.substate,
        health: agent.health,
        currentProjectNumber: agent.item?.number ?? null,
        timestamp: agent.lastHeartbeatAt,
        memoryUsage: agent.memoryMb,
        cpuUsage: agent.cpuPercent,
        lastError: agent.lastError,
      })),
    }
  }

  /**
   * So many agents are to run, agent-1 and on, but for names that another daemon has; the others stop and give back
   * what they hold. Who is paused stays so.
   */
  async want(count: number): Promise<void> {
    const room = capacityFor(this.deps.config())
    if (count > room.agents) throw new Refusal(`${count} agents were asked for: ${room.why}.`, room.hint)
    const names = await this.#takeNames(count)
    const rows = await this.#numbered()
    const leaving = rows.filter((row) => !names.includes(row.id) && row.wanted !== 'stopped')
    const paused = new Set(rows.filter((row) => row.wanted === 'paused').map((row) => row.id))
    await Promise.all([
      ...names.filter((id) => !paused.has(id)).map((id) => this.order(id, 'start')),
      ...leaving.map((row) => this.order(row.id, 'stop')),
    ])
    await this.followReviewer()
  }

  /** Reviewers are not of the number: they run where the settings leave deliveries to them, beside a crew that works. */
  followReviewer(): Promise<void> {
    return this.#following(() => this.#reviewers.follow())
  }

  /** A crew that is at work grows or shrinks to a new number; who is paused stays so. */
  resize(count: number): Promise<void> {
    return this.#following(async () => {
      const members = await this.#leaveOnly(count)
      if (members.length === 0) return
      const names = await this.#takeNames(Math.min(count, capacityFor(this.deps.config()).agents))
      const free = names.filter((name) => !members.includes(name))
      for (const id of free.slice(0, Math.max(0, count - members.length))) await this.order(id, 'start')
    })
  }

  /** Those beyond the number stop, or beyond what there is room for. */
  shrink(count: number): Promise<void> {
    return this.#following(async () => {
      await this.#leaveOnly(count)
    })
  }

  /** One change of the settings after the other: two at a time would count the same agents. */
  #following(act: () => Promise<void>): Promise<void> {
    const done = this.#followed.then(act)
    this.#followed = done.catch(() => undefined)
    return done
  }

  async #leaveOnly(count: number): Promise<AgentId[]> {
    const members = (await this.#numbered()).filter((row) => row.wanted !== 'stopped').map(({ id }) => id)
    const room = Math.min(count, capacityFor(this.deps.config()).agents)
    for (const id of members.slice(room).reverse()) await this.order(id, 'stop')
    return members.slice(0, room)
  }

  /** True: another daemon on the same database runs it. It is shown, and neither judged nor commanded from here. */
  isElsewhere(row: AgentRow): boolean {
    return isElsewhere(row, this.deps.workspace)
  }

  /** The same order again changes nothing. */
  async order(id: AgentId, order: Order, { now = false }: OrderOptions = {}): Promise<void> {
    if (order === 'start' || order === 'resume' || order === 'restart') this.#halted = false
    await this.#inTurn(id, async (member) => {
      if (order === 'start') await this.#take(id)
      const row = await this.deps.store.agents.find(id)
      if (row === null) return
      if (this.isElsewhere(row)) return this.#orderElsewhere(row, order)
      switch (order) {
        case 'start':
          return member.start()
        case 'stop':
          return member.stop(row)
        case 'pause':
          return member.pause(row, now)
        case 'resume':
          return member.resume(row)
        case 'restart':
          return member.restart(row)
      }
    })
  }

  /** A sign of life: kept, believed as far as it follows from what was, and answered with what is wanted. */
  async heard(beat: Heartbeat): Promise<{ wanted: AgentWanted; runId: string | null }> {
    const { store, now } = this.deps
    const id = beat.agentId
    const row = await store.agents.ensure(id, now())
    const { status: from, wanted, pid, startedAt, runId } = row
    const choice = judgeBeat({ status: from, wanted, pid, supervised: startedAt !== null, said: beat })
    if (choice.is === 'stale') return { wanted, runId }
    // The last words of a process that was ended meanwhile say nothing about the agent any more.
    await store.agents.beat(id, beat, now(), startedAt === null ? undefined : beat.pid)
    // Its claim stands as long as it is well, and so do the files of its claim.
    await store.fileLocks.beat(id, new Date(now().getTime() + this.deps.config().limits.degradedMs))
    if (choice.is === 'change' && (await store.agents.moveStatus(id, row, choice.to)))
      await this.member(id).record({ type: 'agent.status_changed', from, to: choice.to })
    const refused = choice.is === 'refuse' ? beat.status : null
    // Said once, not at every beat that repeats it.
    if (choice.is === 'refuse' && this.#refused.get(id) !== refused)
      await this.member(id).record({ type: 'agent.status_refused', from, to: beat.status, why: choice.why })
    this.#refused.set(id, refused)
    if (beat.drained && wanted === 'paused') this.#freeze(id)
    return { wanted, runId }
  }

  /** The agent has come to a checkpoint and has nothing under way: now it can be halted. */
  #freeze(id: AgentId): void {
    const halting = this.#inTurn(id, async (member) => {
      const row = await this.deps.store.agents.find(id)
      if (row?.wanted === 'paused' && row.frozenAt === null) await member.freeze(row)
    })
    halting.catch((error: unknown) => this.deps.log.error({ err: error, agent: id }, 'freeze'))
  }

  /** One look at everyone. An agent whose turn is not over yet is looked at next time. */
  async tick(): Promise<void> {
    if (this.#isHalted()) return
    try {
      const rows = await this.#mine()
      await Promise.all(rows.filter(({ id }) => !this.#turns.has(id)).map(({ id }) => this.#look(id)))
    } catch (error) {
      this.deps.log.error({ err: error }, 'crew tick')
    }
  }

  /** Ends all processes; what the agents hold stays theirs, to be resumed. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#settle()
    const rows = await this.#mine()
    await Promise.all(rows.map((row) => this.#inTurn(row.id, (member) => member.end(row))))
  }

  /**
   * SIGKILL to everything that belongs to the crew. Waits for no turn and needs no database. Until somebody is told
   * to start, nobody is started again.
   */
  async killAll(): Promise<void> {
    const { paths, log } = this.deps
    this.#halted = true
    const known = [...this.#members.values()].flatMap(({ process }) => process ?? [])
    const roots: ProcessId[] = [...known, ...agentsIn(paths.locks, paths.root).map(({ process }) => process)]
    const left = await crewTree(roots, paths.root).kill()
    if (left.length > 0) log.error({ left }, 'processes that do not end')
  }

  member(id: AgentId): Member {
    const made =
      this.#members.get(id) ??
      new Member(
        {
          ...this.deps,
          node: this.deps.node ?? process.execPath,
          mayStart: () => !this.#isHalted() && this.deps.isHeld?.() !== true,
          onExit: () => void this.#look(id),
          onStart: () => void this.keepToCores(),
        },
        id,
      )
    this.#members.set(id, made)
    return made
  }

  /** Each to its own processors, where there are enough; an agent works without as well. */
  async keepToCores(): Promise<void> {
    try {
      await this.cores.look()
    } catch (error) {
      this.deps.log.error({ err: error }, 'cores of the crew')
    }
  }

  #isHalted(): boolean {
    return this.#halted || this.#closed
  }

  async #look(id: AgentId): Promise<void> {
    try {
      await this.#inTurn(id, (member) => (this.#isHalted() ? Promise.resolve() : member.look()))
    } catch (error) {
      this.deps.log.error({ err: error, agent: id }, 'crew look')
    }
  }

  /** Those of this daemon, and those that are nobody's. */
  async #mine(): Promise<AgentRow[]> {
    return (await this.deps.store.agents.list()).filter((row) => !this.isElsewhere(row))
  }

  /** The reviewer is beside the crew and has no number. */
  async #numbered(): Promise<AgentRow[]> {
    return (await this.#mine()).filter((row) => agentNumber(row.id) !== null)
  }

  /**
   * One that has gone silent can be given up by whoever orders it: what it holds goes back to the queue, so that it is
   * fenced off if it lives, and its name is free.
   */
  async #orderElsewhere(row: AgentRow, order: Order): Promise<void> {
    const { now, config, store } = this.deps
    const silentMs = now().getTime() - Date.parse(row.lastHeartbeatAt ?? row.startedAt ?? '1970-01-01')
    const at = row.workspace?.words ?? 'another place'
    if (order === 'stop' && silentMs > config().limits.unresponsiveMs) {
      const gone = {
        wanted: 'stopped',
        status: 'stopped',
        pid: null,
        pidStarted: null,
        workspace: null,
        frozenAt: null,
      } as const
      await store.agents.patch(row.id, gone)
      return this.member(row.id).giveBack()
    }
    throw new Refusal(
      `${row.id} belongs to the daemon of ${at}, which shares this database.`,
      `Give the order there. An agent of a daemon that is gone can be stopped from here after ${duration(config().limits.unresponsiveMs)} of silence.`,
    )
  }

  /** The first names that no other daemon has. */
  async #takeNames(count: number): Promise<AgentId[]> {
    const elsewhere = new Map(
      (await this.deps.store.agents.list()).flatMap((row) =>
        this.isElsewhere(row) ? [[row.id, row.workspace?.words ?? '']] : [],
      ),
    )
    const max = this.deps.config().limits.agents
    const names = Array.from({ length: max }, (_, at): AgentId => `agent-${at + 1}`)
    const free = names.filter((name) => !elsewhere.has(name)).slice(0, count)
    if (free.length === count) return free
    const taken = [...elsewhere].map(([id, at]) => `${id} (${at})`).join(', ')
    throw new Refusal(
      `${count} agents were asked for, and ${free.length} names are free: other daemons on this database have ${taken}.`,
      'Ask for fewer, or stop agents there.',
    )
  }

  /** A name is taken before anything is started under it. One at a time decides, whichever daemon it is. */
  async #take(id: AgentId): Promise<void> {
    const { store, now, workspace } = this.deps
    await store.tx(async () => {
      // The one lock that every daemon on the database has in common.
      await store.ledger.lock()
      const row = await store.agents.ensure(id, now())
      if (row.workspace === null) await store.agents.patch(id, { workspace: workspaceOf(workspace) })
    })
  }

  /** What is done about one agent never overlaps; different agents do not wait for each other. */
  async #inTurn(id: AgentId, act: (member: Member) => Promise<void>): Promise<void> {
    const member = this.member(id)
    const before = this.#turns.get(id) ?? Promise.resolve()
    const mine = before.then(() => act(member))
    const settled = mine.catch(() => undefined)
    this.#turns.set(id, settled)
    try {
      await mine
    } finally {
      if (this.#turns.get(id) === settled) this.#turns.delete(id)
    }
  }

  async #settle(): Promise<void> {
    const turns = Promise.all(this.#turns.values())
    await Promise.race([turns, sleep(TURNS_MS, undefined, { ref: false })])
  }
}
