// Which models rest, until when, and who tries next. One book for a crew, or one for an agent that is alone.
import type { Config } from '@treadle/contracts/config'
import type { RestAnswer, RestPlace, Trouble } from '@treadle/flow/ports/provider-rest'

export interface RestTimes {
  /** The first rest; it doubles with every try that fails. */
  readonly firstMs: number
  /** Longer than this only if the provider says so: a wait that grows without end sleeps through the end of the trouble. */
  readonly maxMs: number
}

export function restTimes({
  providerRestMs: firstMs,
  providerRestMsMax: maxMs,
}: Pick<Config['limits'], 'providerRestMs' | 'providerRestMsMax'>): RestTimes {
  return { firstMs, maxMs }
}

/** A provider that names its time is believed up to here. */
const TOLD_MS_MAX = 900_000
/** Whoever tries and is not heard of again has been killed. */
const TRY_MS = 120_000
/** How long the others wait while one tries, before they ask again. */
const WHILE_TRIED_MS = 500
/** A rest that nobody has asked for any more. */
const FORGET_MS = 3_600_000

interface Entry {
  readonly place: RestPlace
  readonly engines: Set<string>
  since: number
  until: number
  waitMs: number
  why: string
  /** Somebody tries, and is heard of again by then. */
  triedUntil: number
}

/** A model that rests, for people. */
export interface ModelRest extends RestPlace {
  readonly engines: readonly string[]
  readonly why: string
  readonly until: string
}

export class RestBook {
  readonly #now: () => Date
  readonly #times: () => RestTimes
  readonly #entries = new Map<string, Entry>()

  constructor(now: () => Date, times: () => RestTimes) {
    this.#now = now
    this.#times = times
  }

  /** After a rest one call tries; the others go on only when that one has succeeded. */
  ask(place: RestPlace): RestAnswer {
    const entry = this.#entries.get(keyOf(place))
    if (entry === undefined) return { is: 'go' }
    const now = this.#now().getTime()
    if (entry.until > now) return waitOf(entry, entry.until - now)
    if (entry.triedUntil > now) return waitOf(entry, WHILE_TRIED_MS)
    entry.triedUntil = now + TRY_MS
    return { is: 'try' }
  }

  failed(place: RestPlace, { why, retryAfterMs }: Trouble, engine: string): void {
    const now = this.#now().getTime()
    const entry = this.#entryOf(place)
    entry.engines.add(engine)
    entry.triedUntil = 0
    // Calls that were under way together fail together: that is one trouble, not five.
    if (entry.until > now && retryAfterMs <= entry.until - now) return
    const { firstMs, maxMs } = this.#times()
    entry.waitMs = Math.min(maxMs, entry.waitMs === 0 ? firstMs : entry.waitMs * 2)
    entry.since = now
    entry.until = now + Math.max(entry.waitMs, Math.min(retryAfterMs, TOLD_MS_MAX))
    entry.why = why
  }

  /** False: it did not rest. A call that went out before the trouble says nothing about its end. */
  succeeded(place: RestPlace, sentAt: Date): boolean {
    const entry = this.#entries.get(keyOf(place))
    if (entry === undefined || sentAt.getTime() < entry.since) return false
    return this.#entries.delete(keyOf(place))
  }

  leave(place: RestPlace): void {
    const entry = this.#entries.get(keyOf(place))
    if (entry !== undefined) entry.triedUntil = 0
  }

  clear(): void {
    this.#entries.clear()
  }

  list(): ModelRest[] {
    const now = this.#now().getTime()
    for (const [key, { until }] of this.#entries) if (until + FORGET_MS < now) this.#entries.delete(key)
    return [...this.#entries.values()].map(({ place, engines, why, until }) => ({
      ...place,
      engines: [...engines],
      why,
      until: new Date(until).toISOString(),
    }))
  }

  #entryOf(place: RestPlace): Entry {
    const found = this.#entries.get(keyOf(place))
    if (found !== undefined) return found
    const entry: Entry = { place, engines: new Set(), since: 0, until: 0, waitMs: 0, why: '', triedUntil: 0 }
    this.#entries.set(keyOf(place), entry)
    return entry
  }
}

const keyOf = ({ provider, model }: RestPlace) => `${provider} ${model}`

const waitOf = ({ until, why }: Entry, forMs: number): RestAnswer => ({
  is: 'wait',
  forMs,
  until: new Date(until).toISOString(),
  why,
})
