// What the search of a fix found, also where it was ended in its middle.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RepairResult, searchFigures } from '@treadle/repair/result'
import { answerRivals } from '@treadle/repair/rivals/answer'
import type { FixQuestion, FixQuestions } from './ask-person.ts'

export class FoundBySearch {
  #file: string | null = null
  #green: string | null = null
  #questions: FixQuestions | null = null
  /** True: nothing but a search works here, and nobody has written anything that must be kept. */
  isAlone = false

  get file(): string | null {
    return this.#file
  }

  readFrom(file: string): void {
    this.#file = file
  }

  asks(questions: FixQuestions): void {
    this.#questions = questions
  }

  get asked(): FixQuestion | null {
    return this.#questions?.asked ?? null
  }

  /** The patch that was taken, with the test that an answer has become. */
  taken(answer: string | null): { diff: string; confidence: string; why: string } | null {
    const { result } = this
    const [best] = result?.patches ?? []
    if (result === null || best === undefined) return null
    const picked = answer === null ? null : answerRivals(result, answer)
    if (picked?.is !== 'picked') return best
    const why = `${result.question?.text ?? ''} The answer was ${picked.answer}, and a test says so now.`
    return { diff: picked.diff, confidence: 'high', why }
  }

  /** True: it is the first. */
  sawGreen(diff: string): boolean {
    const isFirst = this.#green === null
    this.#green ??= diff
    return isFirst
  }

  /** The report of the last search; null: there was none, or it has not ended. */
  get result(): RepairResult | null {
    return this.#file === null ? null : readReport(this.#file)
  }

  /** For whoever reads the result of a fix as data. */
  toJSON() {
    const { result } = this
    const best = result?.patches[0] ?? null
    const answer = this.asked?.answer ?? null
    const taken = this.taken(answer)
    const patch =
      best === null
        ? this.#unranked()
        : {
            diff: taken?.diff ?? best.diff,
            confidence: taken?.confidence ?? best.confidence,
            why: taken?.why ?? best.why,
            confirmed: best.isConfirmed,
          }
    return {
      search: result === null ? null : searchFigures(result),
      patch,
      alternatives: (result?.patches.slice(1) ?? []).map(({ diff, confidence }) => ({ diff, confidence })),
      question: result === null || result.question === null ? null : { ...result.question, given: answer },
    }
  }

  /** Green, and no more is known of it. */
  #unranked() {
    if (this.#green === null) return null
    const why = 'All tests pass with it on the fast path; the search was ended before more was known.'
    return { diff: this.#green, confidence: 'low', why, confirmed: false } as const
  }
}

function readReport(file: string): RepairResult | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as RepairResult
  } catch {
    return null
  }
}

/** How many searches at the same commit ended because their time was up, with nothing found. */
export function timesUp(folder: string, commit: string): number {
  return names(folder, '.search.json').filter((name) => {
    const result = readReport(join(folder, name))
    const state = readState(join(folder, name.replace('.search.json', '.json')))
    const isUp = result?.endedBy === 'budget' || result?.endedBy === 'clock'
    return isUp && result.patches.length === 0 && state?.place?.target === commit
  }).length
}

function names(folder: string, end: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(end))
  } catch {
    return []
  }
}

function readState(file: string): { readonly place?: { readonly target?: string } } | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
