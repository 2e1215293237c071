// Checks how the crew, the queue and the budgets are, beside everything else: it holds nobody up, whatever fails.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '@treadle/contracts/config'
import { CheckName, type HealthReport } from '@treadle/contracts/health'
import type { AgentId } from '@treadle/contracts/ids'
import { HealthAlert } from '@treadle/contracts/notification'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import { hasSlept } from '@treadle/flow/supervise/health/decide'
import {
  endHealthAlerts,
  type HealthCheckResult,
  MONITOR_CHECKS,
  runHealthChecks,
} from '@treadle/flow/supervise/health/health.run'
import type { HealthWorld } from '@treadle/flow/supervise/health/health-world'
import { LEVELS } from '@treadle/flow/supervise/health/judge'
import { readWatched } from '@treadle/flow/supervise/health/monitor-facts.run'
import type { OpenStore } from '@treadle/store/connect'
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import type { Crew } from '../crew/crew.ts'
import { readSession } from '../crew/session-note.ts'
import { claimHolds } from '../offers/holds.ts'
import type { BudgetGuard } from './budget-guard.ts'
import type { GitWatch } from './git-watch.ts'
import type { Notices } from './notices.ts'
import { Loop } from './notices-loop.ts'
import type { PressureWatch } from './pressure-watch.ts'
import type { ReadinessWatch } from './readiness-watch.ts'

export interface HealthDeps {
  readonly store: OpenStore
  readonly config: () => Config
  readonly now: () => Date
  readonly clock: Clock
  readonly crew: Crew
  readonly budget: BudgetGuard
  readonly readiness: ReadinessWatch
  readonly pressure: PressureWatch
  readonly notices: Pick<Notices, 'redact' | 'wake'>
  readonly paths: WorkspacePaths
  readonly gitWatch: Pick<GitWatch, 'changes'>
  readonly log: Logger
}

/** Between two rounds that are asked for, however often that is. */
const SOON_MS = 1_000
/** One check may take so long; it is skipped then. */
const CHECK_MS_MAX = 4_000
const DAY_MS = 24 * 3_600_000
const NOISE_DAYS = 7
/** Over before the next check but one. */
const BRIEF_CHECKS = 2

type Round = Pick<HealthCheckResult, 'found' | 'skipped'> & { readonly at: Date; readonly tookMs: number }

export class HealthWatch {
  readonly deps: HealthDeps
  readonly #loop: Loop
  readonly #world: HealthWorld
  readonly #said = new Map<string, string>()
  #last: Round | null = null
  #running: Promise<void> = Promise.resolve()
  #settings: string
  #dueAt = 0
  /** When the monitor looks at tasks, components and waiting. */
  #tasksDueAt = 0
  /** When somebody should have looked again at the latest. */
  #expectedAt = Number.POSITIVE_INFINITY
  #lookedAt = 0
  #awakeSince: Date

  constructor(deps: HealthDeps) {
    this.deps = deps
    this.#awakeSince = deps.now()
    this.#settings = this.#wanted()
    const { clock, log } = deps
    this.#loop = new Loop({ restMs: 0, lookMs: DAY_MS, clock, log, what: 'health' }, () => this.#round())
    this.#world = {
      ...deps,
      awakeSince: () => this.#awakeSince,
      isMine: (row) => !deps.crew.isElsewhere(row),
      holds: () => claimHolds(deps),
      damaged: (agents) => this.#damaged(agents),
      gitChanges: () => deps.gitWatch.changes(),
      redact: (text) => deps.notices.redact(text),
      within: (work) => within(work),
      onSkipped: (check, error) => this.#complain(check, error),
    }
  }

  /** The first check is made after the time between two: whoever has just been started may be given that long. */
  start(): void {
    const { checkMs, tasksMs } = this.deps.config().monitoring
    const at = this.deps.now().getTime()
    this.#dueAt = at + checkMs
    this.#tasksDueAt = at + tasksMs
    this.#expectedAt = this.#dueAt
    this.#loop.wake()
  }

  /** The settings have changed. */
  reload(): void {
    const wanted = this.#wanted()
    if (wanted === this.#settings) return
    this.#settings = wanted
    this.#dueAt = 0
    this.#tasksDueAt = 0
    this.#loop.wake()
  }

  /** Something was done about it: if anything is amiss it is looked at again, as soon as that may be. */
  soon(): void {
    const last = this.#last
    if (last === null || last.found.every(({ alert }) => alert === null)) return
    this.#dueAt = Math.min(this.#dueAt, last.at.getTime() + SOON_MS)
    this.#loop.wake()
  }

  /** A check that began after the call. */
  check(wanted: readonly CheckName[] = CheckName.options): Promise<void> {
    const mine = this.#running.then(() => this.#check(wanted))
    this.#running = mine.catch(() => undefined)
    return mine
  }

  async report(): Promise<HealthReport> {
    const { store, now, config } = this.deps
    const { checkMs } = config().monitoring
    const since = new Date(now().getTime() - NOISE_DAYS * DAY_MS)
    const noise = await store.notifications.noise(HealthAlert.options, since, BRIEF_CHECKS * checkMs)
    const last = this.#last
    return {
      off: this.#off(),
      checkedAt: last?.at.toISOString() ?? null,
      tookMs: last?.tookMs ?? null,
      everyMs: checkMs,
      ...(await readWatched(this.#world)),
      checks: (last?.found ?? []).map(({ check, subject, agentId, health, text, alert }) => ({
        check,
        subject,
        agentId,
        health,
        text: this.deps.notices.redact(text),
        alert,
        level: alert === null ? null : LEVELS[alert],
      })),
      skipped: [...(last?.skipped ?? [])],
      noise: noise.flatMap(({ type, ...counts }) => {
        const known = HealthAlert.safeParse(type)
        return known.success ? [{ type: known.data, ...counts }] : []
      }),
    }
  }

  async close(): Promise<void> {
    await this.#loop.close()
    await this.#running
  }

  async #round(): Promise<Date> {
    const { checkMs, tasksMs } = this.deps.config().monitoring
    const at = this.deps.now().getTime()
    const isDue = at >= this.#dueAt
    const areTasksDue = at >= this.#tasksDueAt
    if (this.#wakesUp()) {
      this.#dueAt = at + checkMs
      this.#tasksDueAt = at + tasksMs
    } else if (isDue || areTasksDue) {
      if (isDue) this.#dueAt = at + checkMs
      if (areTasksDue) this.#tasksDueAt = at + tasksMs
      await this.check(CheckName.options.filter((check) => (MONITOR_CHECKS.has(check) ? areTasksDue : isDue)))
    }
    return new Date(Math.min(this.#dueAt, this.#tasksDueAt))
  }

  /** Everybody was away as long as the watch was; they are judged once they have had time to say something. */
  #wakesUp(): boolean {
    const { now, log, config } = this.deps
    const at = now()
    const { checkMs } = config().monitoring
    const slept = hasSlept({ now: at.getTime(), dueAt: this.#expectedAt, checkMs })
    // Somebody has set the clock back: what was due is due by the new one.
    const wentBack = at.getTime() < this.#lookedAt
    if (slept) log.info({ lateMs: at.getTime() - this.#expectedAt }, 'nothing was checked for a while')
    if (wentBack) log.info({ backMs: this.#lookedAt - at.getTime() }, 'the clock was set back')
    if (slept || wentBack) this.#awakeSince = at
    this.#expectedAt = at.getTime() + checkMs
    this.#lookedAt = at.getTime()
    return slept || wentBack
  }

  async #check(wanted: readonly CheckName[]): Promise<void> {
    const { now, log, notices } = this.deps
    this.#wakesUp()
    if (this.#off() !== null) {
      if (this.#last !== null) await endHealthAlerts(this.#world)
      this.#last = null
      return
    }
    const began = performance.now()
    const at = now()
    const { found, skipped, raised, resolved } = await runHealthChecks(this.#world, wanted)
    // What was not looked at now is as it was found before.
    const isOld = ({ check }: { readonly check: CheckName }) => !wanted.includes(check)
    this.#last = {
      found: [...(this.#last?.found.filter(isOld) ?? []), ...found],
      skipped: [...(this.#last?.skipped.filter(isOld) ?? []), ...skipped],
      at,
      tookMs: Math.round(performance.now() - began),
    }
    for (const { check } of found) this.#said.delete(check)
    for (const { alert, subject, text, details } of raised)
      log.warn({ alert, subject, details: details.map((line) => notices.redact(line)) }, text)
    if (resolved > 0) log.info({ resolved }, 'health alerts are over')
    if (raised.length > 0) notices.wake()
  }

  #off(): string | null {
    return this.deps.config().flags.enable_advanced_monitoring === false
      ? 'flags.enable_advanced_monitoring is false, so nothing is checked'
      : null
  }

  async #damaged(agents: readonly AgentId[]): Promise<string[]> {
    const { store, paths } = this.deps
    const files = agents.flatMap((id) => {
      const found = readSession(paths.sessions, id)
      return found.is === 'invalid' ? [`the session file of ${id} cannot be read (${found.why})`] : []
    })
    const { ok } = await store.health()
    // An alert would have to be written there; that the check is skipped says it.
    if (!ok) throw new Error('the database does not answer')
    return files
  }

  /** Said when it begins, not each time. */
  #complain(check: string, error: unknown): void {
    const why = String(error)
    if (this.#said.get(check) === why) return
    this.#said.set(check, why)
    this.deps.log.error({ err: error, check }, 'a health check could not be made and is skipped')
  }

  #wanted(): string {
    const { monitoring, flags, limits } = this.deps.config()
    const { degradedMs, unresponsiveMs } = limits
    return JSON.stringify({ monitoring, flags, degradedMs, unresponsiveMs })
  }
}

async function within<T>(work: Promise<T>): Promise<T> {
  const over = new AbortController()
  const late = sleep(CHECK_MS_MAX, undefined, { ref: false, signal: over.signal }).then(() => {
    throw new Error(`it took longer than ${CHECK_MS_MAX} ms`)
  })
  late.catch(() => undefined)
  // What comes of it afterwards concerns nobody.
  work.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    over.abort()
  }
}
