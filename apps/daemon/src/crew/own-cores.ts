// Keeps each agent, and with it all that it starts from then on, to processors of its own, where there are enough.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Config } from '@treadle/contracts/config'
import { type AgentId, agentNumber } from '@treadle/contracts/ids'
import { messageOf } from '@treadle/flow/fault'
import type { AgentRow } from '@treadle/flow/ports/agents'
import type { Store } from '@treadle/flow/ports/store'
import { coreList, coresIn, notKeptWords, ownCores } from '@treadle/flow/supervise/own-cores'
import { isRunning } from '@treadle/process/table'
import type { Logger } from 'pino'

const run = promisify(execFile)
const TASKSET_MS = 5_000

interface CoreDeps {
  readonly store: Pick<Store, 'agents'>
  readonly config: () => Config
  readonly log: Logger
  readonly isElsewhere: (row: AgentRow) => boolean
}

export interface FoundCores {
  readonly count: number
  readonly agents: Readonly<Record<AgentId, string>>
  readonly why: string | null
}

export class OwnCores {
  readonly deps: CoreDeps
  /** Those that this daemon may use, and so all that it starts. */
  readonly #cores = coresIn(allowedFor('self') ?? '')
  #agents: Readonly<Record<AgentId, string>> = {}
  #why: string | null = null
  /** Why it cannot be done on this machine. */
  #fault: string | null = null
  #looking: Promise<void> = Promise.resolve()

  constructor(deps: CoreDeps) {
    this.deps = deps
    if (this.#cores.length === 0) this.#fault = 'only Linux keeps a program to cores'
  }

  /** Part of every sweep, and of each start of an agent: what holds is read from the system, so that nothing is done twice. */
  look(): Promise<void> {
    const looked = this.#looking.then(() => this.#look())
    this.#looking = looked.catch(() => undefined)
    return looked
  }

  found(): FoundCores {
    return { count: this.#cores.length, agents: this.#agents, why: this.#fault ?? this.#why }
  }

  async #look(): Promise<void> {
    const { store, config, isElsewhere } = this.deps
    if (this.#fault !== null) return
    const rows = (await store.agents.list())
      .filter((row) => agentNumber(row.id) !== null && row.wanted !== 'stopped' && !isElsewhere(row))
      .toSorted((a, b) => (agentNumber(a.id) ?? 0) - (agentNumber(b.id) ?? 0))
    const isOn = config().agents.ownCores
    this.#why = isOn ? notKeptWords(this.#cores.length, rows.length) : 'agents.ownCores is false'
    const kept: Record<AgentId, string> = {}
    for (const [nth, row] of rows.entries()) {
      const own = isOn ? ownCores(this.#cores, rows.length, nth) : null
      const list = coreList(own ?? this.#cores)
      if ((await this.#keep(row, list)) && own !== null) kept[row.id] = list
    }
    this.#agents = kept
  }

  /** False: it has no process, or this machine cannot do it. */
  async #keep({ id, pid, pidStarted }: AgentRow, list: string): Promise<boolean> {
    if (this.#fault !== null || pid === null || pidStarted === null) return false
    if (!isRunning({ pid, started: pidStarted })) return false
    if (allowedFor(pid) === list) return true
    try {
      await run('taskset', ['-a', '-c', '-p', list, String(pid)], { timeout: TASKSET_MS })
      return true
    } catch (error) {
      // One that has just ended is no fault of the machine.
      if (!isRunning({ pid, started: pidStarted })) return false
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      this.#fault = isMissing
        ? 'taskset is not installed (util-linux)'
        : `taskset: ${messageOf(error)}`.slice(0, 400)
      this.deps.log.warn({ agent: id, why: this.#fault }, 'agents are not kept to cores of their own')
      return false
    }
  }
}

/** The processors that a process may use, as Linux writes them; null where it does not say. */
function allowedFor(pid: number | 'self'): string | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? null
  } catch {
    return null
  }
}
