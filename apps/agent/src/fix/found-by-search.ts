// What the search of a fix found, also where it was ended in its middle.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Patch, type RepairResult, searchFigures } from '@treadle/repair/result'
import { aboutInput, answerRivals } from '@treadle/repair/rivals/answer'
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
  #taken(result: RepairResult, answer: string | null): Taken | null {
    const [best] = result.patches
    if (best === undefined) return null
    const picked = answer === null ? null : answerRivals(result, answer)
    if (picked?.is !== 'picked') return { ...best, patch: best }
    const { diff, confidence, chosen } = picked
    const why = `${result.question?.text ?? ''} The answer was ${picked.answer}, and a test says so now.`
    return { diff, confidence, why, patch: chosen }
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
    const answer = this.asked?.answer ?? null
    const taken = result === null ? null : this.#taken(result, answer)
    const others = result?.patches.filter((patch) => patch !== taken?.patch) ?? []
    return {
      search: result === null ? null : searchFigures(result),
      patch: taken === null ? this.#unranked() : told(taken),
      alternatives: others.map(({ diff, confidence }) => ({ diff, confidence })),
      question: result === null || result.question === null ? null : { ...result.question, given: answer },
      unusedAnswer: this.#questions?.unused ?? null,
    }
  }

  /** Green, and no more is known of it. */
  #unranked() {
    if (this.#green === null) return null
    const why = 'All tests pass with it on the fast path; the search was ended before more was known.'
    return { diff: this.#green, confidence: 'low', why, confirmed: false } as const
  }
}

/** What would tell more, if nobody has answered it. */
export function wouldTell({ result, asked }: Pick<FoundBySearch, 'result' | 'asked'>): string[] {
  const question = result?.question ?? null
  if (question === null || (asked?.answer ?? null) !== null) return []
  const answer = aboutInput(question.input, question.options[0]?.answer ?? '')
  return [`One answer would tell: ${question.text}`, `  treadle fix --answer ${quotedForShell(answer)}`, '']
}

function quotedForShell(text: string): string {
  // Easier to read where nothing in it means anything to a shell.
  if (text.includes("'") && !/["$`\\!]/.test(text)) return `"${text}"`
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** A patch as it went into the change. */
interface Taken extends Pick<Patch, 'diff' | 'confidence' | 'why'> {
  readonly patch: Patch
}

const told = ({ diff, confidence, why, patch }: Taken) => ({
  diff,
  confidence,
  why,
  confirmed: patch.isConfirmed,
})

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
