// The agent's signs of life: to the daemon every half minute and at every change, to the session file as well.
import type { AgentStatus, AgentWanted, Heartbeat } from '@treadle/contracts/agent'
import type { AgentId } from '@treadle/contracts/ids'
import type { SessionFile } from '@treadle/contracts/session-file'
import { messageOf } from '@treadle/flow/fault'
import type { Clock } from '@treadle/flow/ports/clock'
import type { Home } from './home.ts'
import type { AgentSessionFile } from './session-file.ts'

export interface HeartbeatsDeps {
  readonly id: AgentId
  readonly engine: string
  readonly home: Home
  readonly clock: Clock
  readonly session: Pick<AgentSessionFile, 'update'>
  readonly everyMs: number
  readonly log: (message: string) => void
  /** The run that this agent believes to hold. */
  readonly heldRun: () => string | null
  /** The daemon no longer sees that claim: it expired, or somebody took the item away. */
  readonly onLost: (runId: string) => void
  readonly onWanted: (wanted: AgentWanted) => void
}

type Changes = Partial<Omit<SessionFile, 'agentId' | 'lastHeartbeat'>>
interface Waiting {
  readonly beat: Heartbeat
  /** Answered, or tried once without an answer. */
  readonly tried: (wanted: AgentWanted | null) => void
}

const RETRY_MS = [1_000, 2_000, 4_000]
const ERROR_CHARS_MAX = 4_000

export class Heartbeats {
  readonly deps: HeartbeatsDeps
  #now: {
    status: AgentStatus
    currentProjectNumber: number | null
    phase: string | null
    tasksCompleted: number
    errorCount: number
    lastError: string | null
  }
  /** Shown instead of what it is doing, while it is on its way to a checkpoint and there. */
  #paused = false
  /** Not sent yet, oldest first. While the daemon is away only the last is kept: it says it all. */
  #waiting: Waiting[] = []
  #sending = false
  #awaySince: number | null = null
  #timer: NodeJS.Timeout | null = null
  #cpu = process.cpuUsage()
  #cpuAt = performance.now()

  constructor(deps: HeartbeatsDeps, last: SessionFile) {
    this.deps = deps
    this.#now = {
      status: 'idle',
      currentProjectNumber: null,
      phase: null,
      tasksCompleted: last.tasksCompleted,
      errorCount: last.errorCount,
      lastError: last.lastError,
    }
  }

  get tasksCompleted(): number {
    return this.#now.tasksCompleted
  }
  get errorCount(): number {
    return this.#now.errorCount
  }

  start(): void {
    this.#timer = setInterval(() => this.change({}), this.deps.everyMs)
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
  }

  /** Nothing in hand; said once, not at every look into an empty queue. */
  rest(): void {
    if (this.#now.status !== 'idle') this.change({ status: 'idle', currentPhase: null })
  }

  pause(paused: boolean): void {
    this.#paused = paused
    this.change({})
  }

  /** Shows a change to everyone who looks. Never waits: neither a slow disk nor an absent daemon holds up the work. */
  change(changes: Changes): void {
    void this.say(changes)
  }

  /** As change; resolves to what is wanted of the agent, or to null if nobody answered. */
  say(changes: Changes, drained = false): Promise<AgentWanted | null> {
    const { session, log } = this.deps
    const { status, currentProjectNumber, currentPhase, tasksCompleted, errorCount, lastError } = changes
    const or = <T>(given: T | undefined, before: T): T => (given === undefined ? before : given)
    this.#now = {
      status: status ?? this.#now.status,
      currentProjectNumber: or(currentProjectNumber, this.#now.currentProjectNumber),
      phase: or(currentPhase, this.#now.phase),
      tasksCompleted: tasksCompleted ?? this.#now.tasksCompleted,
      errorCount: errorCount ?? this.#now.errorCount,
      lastError: or(lastError, this.#now.lastError)?.slice(0, ERROR_CHARS_MAX) ?? null,
    }
    session
      .update({ ...changes, status: this.#shown() })
      .catch((error: unknown) => log(`session file: ${messageOf(error)}`))
    const { promise, resolve } = Promise.withResolvers<AgentWanted | null>()
    // The last word does not wait behind others that it makes pointless.
    if (status === 'stopped' || status === 'crashed') this.#dropWaiting()
    this.#waiting.push({ beat: this.#measure(drained), tried: resolve })
    if (!this.#sending) void this.#sendAll()
    return promise
  }

  /** An end is shown as it is, also by one that was paused. */
  #shown(): AgentStatus {
    const { status } = this.#now
    return this.#paused && status !== 'stopped' && status !== 'crashed' ? 'paused' : status
  }

  /** One after the other, so that none overtakes another. */
  async #sendAll(): Promise<void> {
    this.#sending = true
    for (let failed = 0; this.#waiting.length > 0; ) {
      const [first] = this.#waiting
      if (first === undefined) break
      if (await this.#send(first)) {
        failed = 0
        this.#waiting = this.#waiting.filter((waiting) => waiting !== first)
        continue
      }
      for (const { tried } of this.#waiting) tried(null)
      this.#waiting = this.#waiting.slice(-1)
      await this.deps.clock.sleep(RETRY_MS[Math.min(failed, RETRY_MS.length - 1)] ?? 0)
      failed += 1
    }
    this.#sending = false
  }

  /** Forgets what waits behind the one that may be under way. */
  #dropWaiting(): void {
    for (const { tried } of this.#waiting.slice(1)) tried(null)
    this.#waiting = this.#waiting.slice(0, 1)
  }

  async #send({ beat, tried }: Waiting): Promise<boolean> {
    const { home, id, onLost, onWanted, heldRun, clock, log } = this.deps
    const held = heldRun()
    try {
      const { wanted, runId } = await home.client().heartbeat({ params: { id }, body: beat })
      if (this.#awaySince !== null)
        log(`the daemon answers again after ${clock.now().getTime() - this.#awaySince} ms`)
      this.#awaySince = null
      // Only an answer to a beat that was sent under the claim says anything about it.
      if (held !== null && runId !== held && heldRun() === held) onLost(held)
      onWanted(wanted)
      tried(wanted)
      return true
    } catch (error) {
      if (this.#awaySince === null) log(`warning: heartbeat: ${messageOf(error)}; work goes on`)
      this.#awaySince ??= clock.now().getTime()
      return false
    }
  }

  #measure(drained: boolean): Heartbeat {
    const used = process.cpuUsage(this.#cpu)
    const elapsedMs = Math.max(1, performance.now() - this.#cpuAt)
    this.#cpu = process.cpuUsage()
    this.#cpuAt = performance.now()
    return {
      agentId: this.deps.id,
      timestamp: this.deps.clock.now().toISOString(),
      memoryUsage: Math.round(process.memoryUsage.rss() / 1_048_576),
      cpuUsage: Math.round((used.user + used.system) / 10 / elapsedMs),
      pid: process.pid,
      engine: this.deps.engine,
      ...this.#now,
      status: this.#shown(),
      drained,
    }
  }
}
