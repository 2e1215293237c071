// How long the search may go on: seconds, candidates, and not long after the first green patch.
import type { Edit } from '../edits/edit.ts'

const MORE_AFTER_GREEN = 600
/** Several edits together may be a roundabout way to what one edit does. */
const MORE_AFTER_SEVERAL = 2_500
const SHARE_AFTER_GREEN = 0.5
const SECONDS_AFTER_GREEN = 6
const SECONDS_AFTER_SEVERAL = 15

export class Budget {
  #tried = 0
  readonly families: Record<string, number> = {}
  readonly #started = performance.now()
  readonly #endsAt: number
  readonly #max: number
  readonly #signal: AbortSignal | undefined
  readonly #isCounted: boolean
  readonly #watchers = new Set<() => void>()
  readonly #timer: NodeJS.Timeout
  #greenAt: { tried: number; ms: number; more: number } | null = null
  #greenTimer: NodeJS.Timeout | null = null

  /** `isCounted`: after the first green patch only candidates are counted, so that a slow machine comes as far. */
  constructor(seconds: number, max: number, signal?: AbortSignal, isCounted = false) {
    this.#isCounted = isCounted
    this.#endsAt = this.#started + seconds * 1_000
    this.#max = max
    this.#signal = signal
    this.#timer = setTimeout(() => this.#over(), seconds * 1_000)
    signal?.addEventListener('abort', this.#over)
  }

  close(): void {
    clearTimeout(this.#timer)
    if (this.#greenTimer !== null) clearTimeout(this.#greenTimer)
    this.#signal?.removeEventListener('abort', this.#over)
  }

  get tried(): number {
    return this.#tried
  }

  get seconds(): number {
    return (performance.now() - this.#started) / 1_000
  }

  get secondsLeft(): number {
    return Math.max(0, (this.#endsAt - performance.now()) / 1_000)
  }

  get firstGreen(): { candidates: number; seconds: number } | null {
    return this.#greenAt === null
      ? null
      : { candidates: this.#greenAt.tried, seconds: this.#greenAt.ms / 1_000 }
  }

  /** Whether the clock ended it, or whoever asked, and not the candidates. */
  get isCut(): boolean {
    return this.#signal?.aborted === true || this.secondsLeft <= 0
  }

  get isOver(): boolean {
    return this.isCut || this.tried >= this.#max || this.#enoughGreen()
  }

  count(edit: Edit): void {
    this.#tried += 1
    this.families[edit.family] = (this.families[edit.family] ?? 0) + 1
    if (this.isOver) this.#over()
  }

  foundGreen(edits = 1): void {
    if (this.#greenAt !== null) return
    const more = edits > 1 ? MORE_AFTER_SEVERAL : MORE_AFTER_GREEN
    this.#greenAt = { tried: this.tried, ms: performance.now() - this.#started, more }
    if (this.#isCounted) return
    const least = edits > 1 ? SECONDS_AFTER_SEVERAL : SECONDS_AFTER_GREEN
    const seconds = Math.max(least, (this.#greenAt.ms / 1_000) * SHARE_AFTER_GREEN)
    this.#greenTimer = setTimeout(() => this.#over(), seconds * 1_000)
  }

  onOver(act: () => void): () => void {
    this.#watchers.add(act)
    return () => this.#watchers.delete(act)
  }

  readonly #over = (): void => {
    for (const act of this.#watchers) act()
  }

  #enoughGreen(): boolean {
    if (this.#greenAt === null) return false
    return this.tried >= this.#greenAt.tried * (1 + SHARE_AFTER_GREEN) + this.#greenAt.more
  }
}
