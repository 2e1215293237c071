// Questions of a search in `treadle fix`: answered beforehand, on a terminal, or left in the result.
import { createInterface } from 'node:readline/promises'
import type { Engine, EngineAnswer, EngineQuestion } from '@treadle/flow/ports/engine'
import { RIVALS_TAG } from '@treadle/repair/turn'

export interface FixAsking {
  /** Given with the order; null: nothing was. */
  readonly answer: string | null
  readonly hasTerminal: boolean
  readonly signal: AbortSignal
  readonly tell: (text: string) => void
}

/** What was asked, and by whom it was answered; null: nobody. */
export interface FixQuestion {
  readonly text: string
  readonly options: readonly string[]
  readonly answer: string | null
}

export class FixQuestions {
  readonly #asking: FixAsking
  asked: FixQuestion | null = null

  constructor(asking: FixAsking) {
    this.#asking = asking
  }

  /** The same engine; of its questions only those about rivals are a person's here. */
  around(engine: Engine): Engine {
    return {
      ...engine,
      ...(engine.isFree === undefined ? {} : { isFree: () => engine.isFree?.() === true }),
      probe: () => engine.probe(),
      open: (options) =>
        engine.open({
          ...options,
          onQuestion: (question) =>
            question.detail?.tags.includes(RIVALS_TAG) === true
              ? this.#answer(question)
              : options.onQuestion(question),
        }),
    }
  }

  async #answer({ title, options }: EngineQuestion): Promise<EngineAnswer> {
    this.asked = { text: title, options, answer: null }
    const said = this.#asking.answer ?? (await this.#onTerminal(title, options))
    if (said === null || said.trim() === '') return { text: '', unasked: 'Nobody can be asked here.' }
    // A number is the place of an option only where no option is a number.
    const isPlace = /^\d$/.test(said.trim()) && !options.some((option) => /^\d+$/.test(option))
    const text = (isPlace ? options[Number(said) - 1] : undefined) ?? said
    this.asked = { text: title, options, answer: text }
    return { text }
  }

  async #onTerminal(title: string, options: readonly string[]): Promise<string | null> {
    if (!this.#asking.hasTerminal) return null
    const { signal, tell } = this.#asking
    tell(['', title, ...options.map((option) => `  ${option}`), ''].join('\n'))
    const terminal = createInterface({ input: process.stdin, output: process.stderr })
    try {
      return await terminal.question('Your answer (empty: keep the likeliest): ', { signal })
    } catch (error) {
      if (signal.aborted) return null
      throw error
    } finally {
      terminal.close()
    }
  }
}
