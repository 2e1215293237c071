// Green patches by what they do: those that do the same on every probe are one, and where two remain there is an input
// on which they differ.
import type { Outcome } from './observe-rivals.ts'
import type { Probe } from './probes.ts'

/** A patch with what it makes of each probe. */
export interface Behaviour<P> {
  readonly patch: P
  readonly outcomes: readonly Outcome[]
}

export interface Apart<P> {
  /** The best of those that do the same, best first. */
  readonly first: P
  readonly alike: readonly P[]
  readonly outcomes: readonly Outcome[]
  /** On how many probes it fails or gives nothing where the program did give something and others still do. */
  readonly broken: number
}

/** Fewer different answers than these, and patches that agree may only not have been asked. */
const TELLING_MIN = 4

/** Whether the probes say enough to call patches the same. */
function isTelling({ outcomes }: Pick<Behaviour<unknown>, 'outcomes'>): boolean {
  const known = outcomes.filter(({ is }) => is !== 'none')
  return new Set(known.map(keyOf)).size >= TELLING_MIN
}

/** Best first, as they are given; what breaks something goes behind those that do not. */
export function tellApart<P>(behaviours: readonly Behaviour<P>[], base: readonly Outcome[]): Apart<P>[] {
  const groups = Map.groupBy(behaviours, (each) =>
    isTelling(each) ? each.outcomes.map(keyOf).join('\n') : behaviours.indexOf(each),
  )
  const sorted = [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ first, others }],
  )
  const apart = sorted.map(({ first, others }) => ({
    first: first.patch,
    alike: others.map(({ patch }) => patch),
    outcomes: first.outcomes,
    broken: brokenBy(
      first,
      sorted.map((group) => group.first),
      base,
    ),
  }))
  return apart.toSorted((a, b) => Math.sign(a.broken) - Math.sign(b.broken))
}

function brokenBy<P>(own: Behaviour<P>, all: readonly Behaviour<P>[], base: readonly Outcome[]): number {
  return own.outcomes.filter(
    (outcome, at) =>
      isNothing(outcome) &&
      isSomething(base[at]) &&
      all.some((other) => other !== own && isSomething(other.outcomes[at])),
  ).length
}

const isNothing = (outcome: Outcome | undefined): boolean =>
  outcome?.is === 'threw'
    ? /^(Type|Reference|Syntax)Error/.test(outcome.text)
    : outcome?.is === 'value' && /^(NaN|undefined)$/.test(outcome.text)
const isSomething = (outcome: Outcome | undefined): boolean =>
  outcome?.is === 'value' && !/^(NaN|undefined|null)$/.test(outcome.text)

/** Two ways to the same number may differ in the last digits. */
function keyOf(outcome: Outcome): string {
  const text = outcome.is === 'none' ? '' : outcome.text
  const rounded = text.replace(/-?\d+\.\d{9,}(?:e[-+]?\d+)?/g, (number) =>
    String(Number(Number(number).toPrecision(11))),
  )
  return `${outcome.is} ${outcome.is === 'threw' ? (rounded.split(':', 1)[0] ?? '') : rounded}`
}

export interface Distinguishing {
  readonly probe: Probe
  /** Places in the list that was given, each with what it would answer. */
  readonly answers: readonly { readonly answer: string; readonly of: readonly number[] }[]
}

const ANSWER_CHARS_MAX = 120
const ANSWERS_MAX = 4

/** The plainest input on which the first two differ; null: there is none whose answers can be written out. */
export function distinguish(
  probes: readonly Probe[],
  rivals: readonly { readonly outcomes: readonly Outcome[] }[],
): Distinguishing | null {
  const found = probes.flatMap((probe, at) => {
    const outcomes = rivals.map((rival) => rival.outcomes[at] ?? { is: 'none' as const })
    const [first, second] = outcomes
    if (first === undefined || second === undefined || keyOf(first) === keyOf(second)) return []
    const asked = outcomes.map((outcome) => answerFor(outcome, probe))
    if (asked[0] === null || asked[1] === null) return []
    // Whoever answers is not to be asked for capitals and spaces.
    if (plain(asked[0] ?? '') === plain(asked[1] ?? '')) return []
    const of = Map.groupBy(outcomes.keys(), (index) => asked[index] ?? null)
    const answers = [...of].flatMap(([answer, own]) => (answer === null ? [] : [{ answer, of: [...own] }]))
    return [{ probe, answers: answers.slice(0, ANSWERS_MAX), strangeness: strangeness(probe, answers) }]
  })
  const [best] = found.toSorted((a, b) => a.strangeness - b.strangeness)
  return best ?? null
}

const plain = (answer: string): string => answer.toLowerCase().replaceAll(/['"\s]/g, '')

function strangeness(
  { oddness, seen, given }: Probe,
  answers: readonly { readonly answer: string }[],
): number {
  const letters = answers.reduce((sum, { answer }) => sum + answer.length, seen.length + (given?.length ?? 0))
  const odd = answers.filter(({ answer }) => /^(NaN|undefined|null|throws )|\d\.\d{7}/.test(answer)).length
  // Each answer that is told apart spares a question.
  return oddness * 20 + odd * 15 + letters / 10 - answers.length
}

function answerFor(outcome: Outcome, { seen, given }: Probe): string | null {
  if (outcome.is === 'value') return outcome.text.length <= ANSWER_CHARS_MAX ? outcome.text : null
  // What is awaited is thrown later, and what a statement before the assertion throws is past its reach.
  return outcome.is === 'threw' && given === null && !/\bawait\b/.test(seen)
    ? `throws ${outcome.text.slice(0, ANSWER_CHARS_MAX)}`
    : null
}
