// How long the search may go on: seconds of the processor, candidates, and not long after the first green patch.
import type { Edit } from '../edits/edit.ts'
import type { EndedBy } from '../result.ts'

const MORE_AFTER_GREEN = 600
/** Several edits together may be a roundabout way to what one edit does. */
const MORE_AFTER_SEVERAL = 2_500
const SHARE_AFTER_GREEN = 0.5
const SECONDS_AFTER_GREEN = 6
const SECONDS_AFTER_SEVERAL = 15

/** How much longer than the processor's time the search may last on a machine that has much else to do. */
const WALL_TIMES = 20

export interface BudgetLimits {
  /** Of the processor, in each process; of the clock where nobody counts the processor's. */
  readonly seconds: number
  readonly candidates: number
  /** Processes that search side by side; null: they are not ours to count. */
  readonly processes: number | null
  /** After the first green patch only candidates are counted, so that a slow machine comes as far. */
  readonly isCounted?: boolean
  /** Of the clock, whatever the processor did; left out: far more than the processor's. */
  readonly wallSeconds?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export class Budget {
  #tried = 0
  #cpuMs = 0
  readonly families: Record<string, number> = {}
  #started = performance.now()
  readonly #limits: BudgetLimits
  readonly #cpuMsMax: number
  readonly #watchers = new Set<() => void>()
  #timer: NodeJS.Timeout
  #greenAt: { tried: number; ms: number; cpuMs: number; more: number } | null = null
  #greenTimer: NodeJS.Timeout | null = null

  constructor(limits: BudgetLimits) {
    this.#limits = limits
    this.#cpuMsMax =
      limits.processes === null ? Number.POSITIVE_INFINITY : limits.seconds * 1_000 * limits.processes
    this.#timer = setTimeout(this.#over, this.#wallMs)
    limits.signal?.addEventListener('abort', this.#over)
  }

  /** Begins anew: what came before, as the run of the untouched program, is no part of the search. */
  restart(): void {
    clearTimeout(this.#timer)
    this.#started = performance.now()
    this.#timer = setTimeout(this.#over, this.#wallMs)
  }

  close(): void {
    clearTimeout(this.#timer)
    if (this.#greenTimer !== null) clearTimeout(this.#greenTimer)
    this.#limits.signal?.removeEventListener('abort', this.#over)
  }

  get #wallMs(): number {
    const { seconds, processes, wallSeconds = Number.POSITIVE_INFINITY } = this.#limits
    return Math.min(wallSeconds, seconds * (processes === null ? 1 : WALL_TIMES)) * 1_000
  }

  get tried(): number {
    return this.#tried
  }

  get seconds(): number {
    return (performance.now() - this.#started) / 1_000
  }

  /** Of the processor; null: nobody counted. */
  get cpuSeconds(): number | null {
    return this.#limits.processes === null ? null : this.#cpuMs / 1_000
  }

  /** At most, if nobody else wanted the processor. */
  get secondsLeft(): number {
    const wall = this.#started + this.#wallMs - performance.now()
    const cpu = (this.#cpuMsMax - this.#cpuMs) / (this.#limits.processes ?? 1)
    return Math.max(0, Math.min(wall, cpu) / 1_000)
  }

  get firstGreen(): { candidates: number; seconds: number } | null {
    return this.#greenAt === null
      ? null
      : { candidates: this.#greenAt.tried, seconds: this.#greenAt.ms / 1_000 }
  }

  /** Whether the clock ended it, or whoever asked, and not the candidates. */
  get isCut(): boolean {
    return this.#limits.signal?.aborted === true || this.secondsLeft <= 0
  }

  /** What ended it before all was tried; enough green patches are no such end. */
  get endedBy(): EndedBy | null {
    if (this.#limits.signal?.aborted === true) return 'signal'
    if (this.#cpuMs >= this.#cpuMsMax || this.tried >= this.#limits.candidates) return 'budget'
    if (this.secondsLeft > 0) return null
    const isClock = this.#limits.processes !== null || this.#limits.wallSeconds !== undefined
    return isClock ? 'clock' : 'budget'
  }

  get isOver(): boolean {
    return this.isCut || this.left <= 0
  }

  /** Candidates that may still be tried; none where the processor's time is used up. */
  get left(): number {
    const { processes, candidates } = this.#limits
    const green = this.#greenAt
    const isSpent = this.#cpuMs >= Math.min(this.#cpuMsMax, green?.cpuMs ?? Number.POSITIVE_INFINITY)
    if (processes !== null && isSpent) return 0
    const last = green === null ? candidates : green.tried * (1 + SHARE_AFTER_GREEN) + green.more
    return Math.max(0, Math.ceil(Math.min(candidates, last)) - this.tried)
  }

  /** One more candidate was tried, and took so much of the processor's time. */
  count(edit: Edit, cpuMs = 0): void {
    this.#tried += 1
    this.#cpuMs += cpuMs
    this.families[edit.family] = (this.families[edit.family] ?? 0) + 1
    if (this.isOver) this.#over()
  }

  foundGreen(edits = 1): void {
    if (this.#greenAt !== null) return
    const more = edits > 1 ? MORE_AFTER_SEVERAL : MORE_AFTER_GREEN
    const ms = performance.now() - this.#started
    const least = edits > 1 ? SECONDS_AFTER_SEVERAL : SECONDS_AFTER_GREEN
    const { processes } = this.#limits
    const wall = Math.max(least * 1_000, ms * SHARE_AFTER_GREEN)
    const cpu = Math.max(least * 1_000 * (processes ?? 1), this.#cpuMs * SHARE_AFTER_GREEN)
    const isCounted = this.#limits.isCounted === true
    const cpuMs = isCounted ? Number.POSITIVE_INFINITY : this.#cpuMs + cpu
    this.#greenAt = { tried: this.tried, ms, cpuMs, more }
    // Where the processor's time is counted, how busy the machine is does not matter.
    if (!isCounted && processes === null) this.#greenTimer = setTimeout(this.#over, wall)
  }

  onOver(act: () => void): () => void {
    this.#watchers.add(act)
    return () => this.#watchers.delete(act)
  }

  readonly #over = (): void => {
    for (const act of this.#watchers) act()
  }
}
