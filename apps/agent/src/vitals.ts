// The agent's signs of life: to the daemon every half minute and at every change, to the session file as well.
import type { AgentStatus, Heartbeat } from '@treadle/contracts/agent'
import type { AgentId } from '@treadle/contracts/ids'
import type { SessionFile } from '@treadle/contracts/session-file'
import type { Home } from './home.ts'
import type { AgentSessionFile } from './session-file.ts'

export interface VitalsDeps {
  readonly id: AgentId
  readonly engine: string
  readonly home: Home
  readonly session: AgentSessionFile
  readonly everyMs: number
  readonly log: (message: string) => void
  /** The run that this agent believes to hold. */
  readonly heldRun: () => string | null
  /** The daemon no longer sees that claim: it expired, or somebody took the item away. */
  readonly onLost: (runId: string) => void
}

type Changes = Partial<Omit<SessionFile, 'agentId' | 'lastHeartbeat'>>

export class Vitals {
  readonly deps: VitalsDeps
  #now: {
    status: AgentStatus
    phase: string | null
    tasksCompleted: number
    errorCount: number
    lastError: string | null
  }
  #timer: NodeJS.Timeout | null = null
  #cpu = process.cpuUsage()
  #cpuAt = performance.now()

  constructor(deps: VitalsDeps, last: SessionFile) {
    this.deps = deps
    this.#now = {
      status: 'idle',
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
    this.#timer = setInterval(() => this.#beat({}), this.deps.everyMs)
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
  }

  /** Nothing in hand; said once, not at every look into an empty queue. */
  rest(status: 'idle' | 'paused'): void {
    if (this.#now.status !== status) this.change({ status, currentPhase: null })
  }

  /** Shows a change to everyone who looks. Never waits: neither a slow disk nor an absent daemon holds up the work. */
  change(changes: Changes): void {
    const { status, currentPhase, tasksCompleted, errorCount, lastError } = changes
    this.#now = {
      status: status ?? this.#now.status,
      phase: currentPhase === undefined ? this.#now.phase : currentPhase,
      tasksCompleted: tasksCompleted ?? this.#now.tasksCompleted,
      errorCount: errorCount ?? this.#now.errorCount,
      lastError: lastError === undefined ? this.#now.lastError : lastError,
    }
    this.#beat(changes)
  }

  #beat(changes: Changes): void {
    const { session, home, id, log } = this.deps
    session.update(changes).catch((error: unknown) => log(`session file: ${String(error)}`))
    const held = this.deps.heldRun()
    home
      .client()
      .heartbeat({ params: { id }, body: this.#measure() })
      .then(
        ({ runId }) => {
          // Only an answer to a beat that was sent under the claim says anything about it.
          if (held !== null && runId !== held && this.deps.heldRun() === held) this.deps.onLost(held)
        },
        (error: unknown) => log(`heartbeat: ${error instanceof Error ? error.message : String(error)}`),
      )
  }

  #measure(): Heartbeat {
    const used = process.cpuUsage(this.#cpu)
    const elapsedMs = Math.max(1, performance.now() - this.#cpuAt)
    this.#cpu = process.cpuUsage()
    this.#cpuAt = performance.now()
    return {
      pid: process.pid,
      engine: this.deps.engine,
      memoryMb: Math.round(process.memoryUsage.rss() / 1_048_576),
      cpuPercent: Math.round((used.user + used.system) / 10 / elapsedMs),
      ...this.#now,
    }
  }
}
