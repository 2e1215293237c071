// Whether a change has learnt the inputs of its tests by heart: pure, from what several programs made of the same calls.
import type { CallOutcome, InputsCompared } from '@treadle/contracts/inputs'
import { showValue } from '@treadle/repair/run/show-value'
import type { CallPlan, PlannedFunction, PlannedInput } from './plan-calls.ts'
import { simpleFormulas } from './simple-formulas.ts'
import type { Written } from './written-in.ts'

type Compared = Extract<InputsCompared, { is: 'compared' }>

export interface InputFinding {
  readonly function: PlannedFunction
  /**
   * learnt: the answers hold for the tested inputs alone. another: another patch that passes the tests answers otherwise.
   * simpler: so does a formula of one operation that agrees with every test.
   */
  readonly is: 'learnt' | 'another' | 'simpler'
  /** Calls that show it, the tested ones first. */
  readonly shown: readonly number[]
  /** What answers otherwise; null: the program without the change. */
  readonly against: Rival | null
}

/** Another program, and what it makes of the calls. */
interface Rival {
  readonly words: string
  readonly outcomes: readonly CallOutcome[]
}

export interface InputFacts {
  readonly plan: CallPlan
  readonly compared: Compared
  readonly written: Written
}

const nearMin = 3
const alikeMin = 4
const shownMax = 8

export function judgeInputs(facts: InputFacts): InputFinding[] {
  return facts.plan.functions.flatMap((each) => new Judging(each, facts).finding() ?? [])
}

class Judging {
  readonly #function: PlannedFunction
  readonly #facts: InputFacts
  readonly #isNew: boolean

  constructor(planned: PlannedFunction, facts: InputFacts) {
    this.#function = planned
    this.#facts = facts
    this.#isNew = planned.inputs.every(({ call }) => this.#base(call).is === 'none')
  }

  finding(): InputFinding | null {
    const mended = this.#function.inputs.filter((input) => this.#isMended(input))
    const learnt = this.#learnt(mended)
    if (learnt.length > 0) return this.#found('learnt', learnt, null)
    const others = this.#facts.compared.others.map(({ outcomes }) => ({ words: 'the other patch', outcomes }))
    return (
      this.#against('another', mended, others) ?? this.#against('simpler', mended, this.#formulas(mended))
    )
  }

  /** As programs: formulas that agree with every tested input, of which the change mended two or more. */
  #formulas(mended: readonly PlannedInput[]): Rival[] {
    if (mended.length < 2) return []
    const args = (call: number): readonly unknown[] => this.#facts.plan.args[call] ?? []
    const points = this.#function.inputs.map(({ call }) => ({ args: args(call), answer: this.#head(call) }))
    return simpleFormulas(points).map(({ words, at }) => ({
      words,
      outcomes: this.#facts.plan.args.map((each) => at(each)),
    }))
  }

  /** Tested inputs for which the change brings another answer, or the first one. */
  #isMended({ call }: PlannedInput): boolean {
    const [head, base] = [this.#head(call), this.#base(call)]
    if (head.is === 'none') return false
    return this.#isNew || base.is === 'none' || !isSame(head, base)
  }

  #learnt(mended: readonly PlannedInput[]): readonly PlannedInput[] {
    const alone = mended.filter((input) => this.#isAlone(input) && !this.#isEntry(input))
    const both = alone.filter((input) => this.#isInputWritten(input) && this.#isAnswerWritten(input))
    const inputs = alone.filter((input) => this.#isInputWritten(input))
    const answers = alone.filter((input) => this.#isAnswerWritten(input))
    const several = [inputs, answers].find((each) => each.length > 1 && this.#differ(each, answers)) ?? []
    const found = both.length > 0 ? both : several
    return 2 * found.length >= mended.length ? found : []
  }

  /** Answers that are written there count by their number. */
  #differ(each: readonly PlannedInput[], answers: readonly PlannedInput[]): boolean {
    return each !== answers || new Set(each.map(({ call }) => keyOf(this.#head(call)))).size > 1
  }

  /** All around it the function answers as without the change, or as if it knew nothing. */
  #isAlone(input: PlannedInput): boolean {
    const near = input.near.filter((call) => this.#head(call).is !== 'none')
    if (near.length < nearMin) return false
    const compared = near.filter((call) => this.#base(call).is !== 'none')
    const isAsBefore =
      compared.length >= nearMin && compared.every((call) => isSame(this.#head(call), this.#base(call)))
    return isAsBefore || this.#isUnlike(input, near)
  }

  #isUnlike({ call }: PlannedInput, near: readonly number[]): boolean {
    const forms = this.#forms(near, this.#facts.compared.head)
    return (
      near.length >= alikeMin && forms.size <= 2 && !forms.has(this.#form(call, this.#facts.compared.head))
    )
  }

  /** An entry of a table with others that were there, or that no test names: that is how such functions are written. */
  #isEntry({ args, near }: PlannedInput): boolean {
    const { head, base } = this.#facts.compared
    const outcomes = this.#isNew ? head : base
    if (this.#isNew && args.every((arg) => !isTelling(arg) || isWord(arg))) return true
    const { inputs, named } = this.#function
    const kept = inputs.filter((input) => !this.#isMended(input)).map(({ call }) => call)
    const others = [...named, ...kept]
    if (!this.#isNew && others.some((call) => this.#isOldEntry(call))) return true
    const forms = this.#forms(near, outcomes)
    if (forms.size === 0 || forms.size > 2) return false
    return others.some((call) => outcomes[call]?.is === 'value' && !forms.has(this.#form(call, outcomes)))
  }

  /** An input and its answer that were both written there before. */
  #isOldEntry(call: number): boolean {
    const { compared, plan, written } = this.#facts
    const outcome = this.#base(call)
    if (outcome.is !== 'value' || plainAnswer.test(outcome.text) || !written.old.has(outcome.text))
      return false
    const telling = (plan.args[call] ?? []).filter(isTelling)
    const isNamed = telling.length > 0 && telling.every((arg) => written.old.has(showValue(arg)))
    return isNamed && this.#form(call, compared.base) !== 'argument'
  }

  #forms(calls: readonly number[], outcomes: readonly CallOutcome[]): ReadonlySet<string> {
    return new Set(
      calls.filter((call) => outcomes[call]?.is !== 'none').map((call) => this.#form(call, outcomes)),
    )
  }

  /** What an answer looks like: an error, the argument itself, or a value. */
  #form(call: number, outcomes: readonly CallOutcome[]): string {
    const outcome = outcomes[call]
    if (outcome?.is !== 'value') return outcome?.is ?? 'none'
    const isArgument = this.#facts.plan.args[call]?.some((arg) => showValue(arg) === outcome.text)
    return isArgument ? 'argument' : `value ${outcome.text}`
  }

  #isInputWritten({ args }: PlannedInput): boolean {
    const { written } = this.#facts
    const whole = [
      JSON.stringify(args),
      ...[',', ', ', '|', ':', '-', '_', '/', ' '].map((by) => args.join(by)),
    ]
    const telling = args.filter(isTelling)
    if (telling.length === 0) return false
    return whole.some((text) => written.has(text)) || telling.every((arg) => isWrittenIn(written, arg))
  }

  #isAnswerWritten({ call }: PlannedInput): boolean {
    const head = this.#head(call)
    return head.is === 'value' && !plainAnswer.test(head.text) && this.#facts.written.fresh.has(head.text)
  }

  /** Others that are of one mind, and answer otherwise than the change at most inputs around the mended ones. */
  #against(
    is: InputFinding['is'],
    mended: readonly PlannedInput[],
    others: readonly Rival[],
  ): InputFinding | null {
    const [rival] = others
    if (rival === undefined) return null
    const near = [...new Set(mended.flatMap((input) => input.near))]
    const told = near.filter((call) => {
      const [first = NONE, ...rest] = others.map(({ outcomes }) => outcomes[call] ?? NONE)
      return (
        [this.#head(call), first].every((each) => each.is !== 'none') &&
        rest.every((each) => isSame(each, first))
      )
    })
    const against = told.filter((call) => !isSame(this.#head(call), rival.outcomes[call] ?? NONE))
    if (against.length < nearMin || 2 * against.length < told.length) return null
    return { ...this.#found(is, mended, rival), shown: against.slice(0, shownMax) }
  }

  #found(is: InputFinding['is'], inputs: readonly PlannedInput[], against: Rival | null): InputFinding {
    const tested = inputs.map(({ call }) => call)
    const near = [...new Set(inputs.flatMap((input) => input.near.slice(0, 3)))]
    const shown = [...tested.slice(0, shownMax / 2), ...near].slice(0, shownMax)
    return { function: this.#function, is, shown, against }
  }

  #head(call: number): CallOutcome {
    return this.#facts.compared.head[call] ?? NONE
  }

  #base(call: number): CallOutcome {
    return this.#facts.compared.base[call] ?? NONE
  }
}

const NONE: CallOutcome = { is: 'none', why: 'not called' }
const plainAnswer = /^(?:-?[01]|true|false|null|undefined|NaN|".?"|\[\]|\{\})$/s

/** With which words something is refused does not matter. */
function isSame(one: CallOutcome, other: CallOutcome): boolean {
  return keyOf(one) === keyOf(other)
}

function keyOf(outcome: CallOutcome): string {
  return outcome.is === 'value' ? `value ${outcome.text}` : outcome.is
}

/** Not one of the values that are special everywhere: honest code compares with them. */
function isTelling(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && ![0, 1, -1].includes(value)
  if (typeof value === 'string') return value.length > 1
  return typeof value === 'object' && value !== null && Object.values(value).length > 0
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && /^[a-z][\w-]*$/i.test(value)
}

function isWrittenIn(written: Written, value: unknown): boolean {
  if (written.has(value)) return true
  if (typeof value === 'number') return written.has(String(value))
  if (typeof value !== 'object' || value === null) return false
  if (written.has(JSON.stringify(value)) || (Array.isArray(value) && written.has(value.join(','))))
    return true
  const telling = Object.values(value).filter(isTelling)
  return telling.length > 0 && telling.every((each) => isWrittenIn(written, each))
}
