// Questions of a search in `treadle fix`: answered beforehand, on a terminal, or left in the result.
import { createInterface } from 'node:readline/promises'
import type { Engine, EngineAnswer, EngineQuestion } from '@treadle/flow/ports/engine'
import { aboutInput, answerAbout } from '@treadle/repair/rivals/answer'
import { RIVALS_TAG } from '@treadle/repair/turn'

export interface FixAsking {
  /** Given with the order as `<input> = <value>`; null: nothing was. */
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
  #isUsed = false
  asked: FixQuestion | null = null

  constructor(asking: FixAsking) {
    this.#asking = asking
  }

  /** The answer that was given with the order, where it was for no question that came up; null: there is none. */
  get unused(): string | null {
    return this.#isUsed ? null : this.#asking.answer
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

  async #answer({ title, options, input = '' }: EngineQuestion): Promise<EngineAnswer> {
    this.asked = { text: title, options, answer: null }
    const given = this.#given(input)
    if (given !== null) {
      this.asked = { text: title, options, answer: given }
      return { text: given }
    }
    const said = await this.#onTerminal(title, options)
    if (said === null || said.trim() === '') return { text: '', unasked: 'Nobody can be asked here.' }
    // A number is the place of an option only where no option is a number.
    const isPlace = /^\d$/.test(said.trim()) && !options.some((option) => /^\d+$/.test(option))
    const text = (isPlace ? options[Number(said) - 1] : undefined) ?? said
    this.asked = { text: title, options, answer: text }
    return { text }
  }

  /** What the order says about this input. Each search may ask about another, and an answer is for one alone. */
  #given(input: string): string | null {
    const { answer, tell } = this.#asking
    if (answer === null) return null
    const value = answerAbout(input, answer)
    if (value !== null) this.#isUsed = true
    else
      tell(
        `--answer "${answer}" was not used: the question is about ${input}. Name it with the answer: ${aboutInput(input, '…')}`,
      )
    return value
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
