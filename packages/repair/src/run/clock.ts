// Time that does not have to be waited for: timers fire as soon as nothing else is left to do.

interface Timer {
  readonly id: number
  at: number
  readonly every: number | null
  readonly act: () => void
}

const real = {
  setTimeout: globalThis.setTimeout,
  setImmediate: globalThis.setImmediate,
  Date: globalThis.Date,
  now: globalThis.performance.now.bind(globalThis.performance),
}

class Clock {
  #timers = new Map<number, Timer>()
  #next = 1
  #jumped = 0
  #frozen: number | null = null

  /** Forgets everything of the candidate before. */
  reset(): void {
    this.#timers.clear()
    this.#jumped = 0
    this.#frozen = null
  }

  now(): number {
    return this.#frozen ?? real.Date.now() + this.#jumped
  }

  /** Under the test's own hand: time stands still until it is moved. */
  get isManual(): boolean {
    return this.#frozen !== null
  }

  freeze(at: number = this.now()): void {
    this.#frozen = at
  }

  thaw(): void {
    if (this.#frozen !== null) this.#timers.clear()
    this.#frozen = null
  }

  get count(): number {
    return this.#timers.size
  }

  clearAll(): void {
    this.#timers.clear()
  }

  set(act: () => void, ms: unknown, repeats: boolean): object {
    const wait = Math.max(1, Number(ms) || 0)
    const id = this.#next++
    this.#timers.set(id, { id, at: this.now() + wait, every: repeats ? wait : null, act })
    const handle = {
      ref: () => handle,
      unref: () => handle,
      hasRef: () => true,
      refresh: () => handle,
      close: () => this.clear(id),
      [Symbol.toPrimitive]: () => id,
      [Symbol.dispose]: () => this.clear(id),
    }
    return handle
  }

  clear(handle: unknown): void {
    if (handle !== null && handle !== undefined) this.#timers.delete(Number(handle))
  }

  /** Fires the next timer, if there is one up to a moment. */
  step(until = Number.POSITIVE_INFINITY): boolean {
    let next: Timer | null = null
    for (const timer of this.#timers.values()) if (next === null || timer.at < next.at) next = timer
    if (next === null || next.at > until) return false
    this.#moveTo(next.at)
    if (next.every === null) this.#timers.delete(next.id)
    else next.at += next.every
    next.act()
    return true
  }

  advance(ms: number): void {
    const until = this.now() + ms
    for (let steps = 0; steps < 100_000 && this.step(until); steps += 1);
    this.#moveTo(until)
  }

  #moveTo(at: number): void {
    if (this.#frozen !== null) this.#frozen = Math.max(this.#frozen, at)
    else this.#jumped += Math.max(0, at - this.now())
  }
}

export const clock = new Clock()

/** Lets the real event loop turn once. */
export function turn(): Promise<void> {
  return new Promise((resolve) => real.setImmediate(resolve))
}

export function realNow(): number {
  return real.now()
}

export function sleepPromise(ms?: number, value?: unknown): Promise<unknown> {
  return new Promise((resolve) => clock.set(() => resolve(value), ms, false))
}

type Act = (...args: unknown[]) => void

export const timers: Record<string, unknown> = {
  setTimeout: (act: Act, ms?: unknown, ...args: unknown[]) => clock.set(() => act(...args), ms, false),
  setInterval: (act: Act, ms?: unknown, ...args: unknown[]) => clock.set(() => act(...args), ms, true),
  clearTimeout: (handle: unknown) => clock.clear(handle),
  clearInterval: (handle: unknown) => clock.clear(handle),
}

function VirtualDate(this: unknown, ...args: unknown[]): unknown {
  if (new.target === undefined) return new real.Date(clock.now()).toString()
  return Reflect.construct(real.Date, args.length === 0 ? [clock.now()] : args, new.target)
}

export function installClock(): void {
  const { parse, UTC } = real.Date
  Object.assign(VirtualDate, { now: () => clock.now(), parse, UTC })
  VirtualDate.prototype = real.Date.prototype
  Object.defineProperty(real.Date.prototype, 'constructor', {
    value: VirtualDate,
    configurable: true,
    writable: true,
  })
  Object.assign(globalThis, timers, { Date: VirtualDate })
  const started = clock.now()
  Object.defineProperty(globalThis.performance, 'now', {
    value: () => clock.now() - started,
    configurable: true,
  })
}
