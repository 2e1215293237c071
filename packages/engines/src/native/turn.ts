// One turn of the native engine: its end, its breaks, what was said meanwhile, and what it may spend.
import type { Observation } from '@treadle/contracts/run'
import type {
  EngineAnswer,
  EngineEvent,
  EngineOpen,
  EngineQuestion,
  TurnEnd,
} from '@treadle/flow/ports/engine'
import { Watchdog } from '../watchdog.ts'

const OBSERVATIONS_MAX = 500

/** Thrown through everything that is under way when the turn is over; `prompt` returns what it carries. */
export class TurnOver extends Error {
  readonly end: TurnEnd
  constructor(end: TurnEnd) {
    super(end.text)
    this.end = end
  }
}

export const INTERRUPTED: TurnEnd = { outcome: 'interrupted', text: 'The turn was interrupted.' }

export class NativeTurn {
  readonly options: EngineOpen
  readonly #abort = new AbortController()
  readonly #watch: Watchdog
  /** Words of people in this turn, for the next plan. */
  readonly words: string[] = []
  /** Which of them the model asked for, and has. */
  readonly answers: string[] = []
  #end: TurnEnd | null = null
  #waits = 0
  #unheard: string[] = []
  #observations: Observation[] = []
  #pause: PromiseWithResolvers<void> | null = null
  #calls = 0
  #spentUSD = 0
  #warned = false
  #line: Promise<unknown> = Promise.resolve()
  #questions = 0
  #isConcluded = false

  constructor(options: EngineOpen) {
    this.options = options
    this.#watch = new Watchdog(options.stallMs, () =>
      this.end({ outcome: 'stalled', text: `The model was silent for ${options.stallMs} ms.` }),
    )
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** The first end counts. */
  end(end: TurnEnd): void {
    if (this.#end !== null) return
    this.#end = end
    this.#watch.pause()
    this.#abort.abort()
  }

  /** Ends all of a turn, so that nothing goes on after it. */
  close(): void {
    this.end(INTERRUPTED)
  }

  /** Waits for something no longer than the turn lasts. */
  async within<T>(work: Promise<T>): Promise<T> {
    const over = Promise.withResolvers<never>()
    const stop = () => over.reject(new TurnOver(this.#end ?? INTERRUPTED))
    if (this.signal.aborted) stop()
    else this.signal.addEventListener('abort', stop, { once: true })
    try {
      return await Promise.race([work, over.promise])
    } finally {
      this.signal.removeEventListener('abort', stop)
    }
  }

  /** Work during which nobody is called stalled: a person, a tool or money is waited for. */
  async unwatched<T>(work: () => Promise<T>): Promise<T> {
    this.#waits += 1
    this.#watch.pause()
    try {
      return await work()
    } finally {
      this.#waits -= 1
      if (this.#waits === 0 && this.#end === null) this.#watch.reset()
    }
  }

  /** Somebody else holds its calls, or lets them go. */
  hold(isHeld: boolean): void {
    this.#waits += isHeld ? 1 : -1
    if (isHeld) this.#watch.pause()
    else this.alive()
  }

  alive(): void {
    if (this.#waits === 0 && this.#end === null) this.#watch.reset()
  }

  pause(): void {
    this.#pause ??= Promise.withResolvers<void>()
  }

  resume(): void {
    this.#pause?.resolve()
    this.#pause = null
  }

  check(): void {
    if (this.#end !== null) throw new TurnOver(this.#end)
  }

  /** Before a tool: here it can be held. */
  async boundary(): Promise<void> {
    this.check()
    while (this.#pause !== null) {
      const { promise } = this.#pause
      await this.unwatched(() => this.within(promise))
    }
  }

  /** Held back until a call may be paid for; one after another, because money is set aside for one. */
  async call<T>(make: () => Promise<T>): Promise<T> {
    const { beforeCall, maxTurns, budgetUSD } = this.options
    const held = async () => {
      this.check()
      if (maxTurns !== undefined && this.#calls >= maxTurns)
        throw new TurnOver({ outcome: 'max_turns', text: `All ${maxTurns} calls are used up.` })
      if (budgetUSD !== undefined && this.#spentUSD >= budgetUSD)
        throw new TurnOver({ outcome: 'budget', text: `The budget of ${budgetUSD} dollars is used up.` })
      if (beforeCall !== undefined)
        await this.unwatched(() => this.within(Promise.resolve(this.options.beforeCall?.())))
      this.#calls += 1
      return make()
    }
    if (beforeCall === undefined) return held()
    const mine = this.#line.then(held, held)
    this.#line = mine.catch(() => undefined)
    return mine
  }

  /** Adds up the costs; that a price is not known is said once. */
  spent(usd: number, warning: string | null): void {
    this.#spentUSD += usd
    if (warning !== null && !this.#warned) this.tell({ is: 'noted', text: warning })
    this.#warned ||= warning !== null
  }

  tell(event: EngineEvent): void {
    this.alive()
    this.options.onEvent(event)
  }

  observed(observation: Observation): void {
    if (this.#observations.length < OBSERVATIONS_MAX) this.#observations.push(observation)
    this.tell({ is: 'observed', observation })
  }

  /** All since the last time. */
  takeObservations(): Observation[] {
    const observations = this.#observations
    this.#observations = []
    return observations
  }

  async ask(question: Omit<EngineQuestion, 'id'>): Promise<EngineAnswer> {
    this.#questions += 1
    const whole = { id: `q${this.#questions}`, ...question }
    this.tell({ is: 'asked', question: whole })
    return this.unwatched(() => this.within(this.options.onQuestion(whole)))
  }

  answered(text: string): void {
    this.words.push(text)
    this.answers.push(text)
  }

  /** Words for the model, at the next boundary; and for every later plan. False: there will be none. */
  steer(text: string): boolean {
    if (this.#isConcluded) return false
    this.words.push(text)
    this.#unheard.push(text)
    return true
  }

  conclude(): void {
    this.#isConcluded = true
  }

  takeWords(): string[] {
    const words = this.#unheard
    this.#unheard = []
    return words
  }
}
