// Did the measure of an item improve? Read from runs on the base and on the head. Pure.
import type { Better, MeasureFound } from '@treadle/contracts/measure'

/** One run of a measure's command. */
export interface MeasureRun {
  readonly exitCode: number | null
  readonly timedOut: boolean
  /** The end of what it printed. */
  readonly tail: string
}

export interface MeasureRuns {
  readonly base: readonly MeasureRun[]
  readonly head: readonly MeasureRun[]
}

/** The shell's own: the command was not found, or may not be executed. */
const notStarted: readonly number[] = [126, 127]

/** Noise is no improvement: the worse of the head's runs has to beat the better of the base's. */
export function judgeMeasure(better: Better | null, { base, head }: MeasureRuns): MeasureFound {
  const read = (where: string, runs: readonly MeasureRun[]) =>
    better === null ? exitCodesOf(where, runs) : numbersOf(where, runs)
  const [before, after] = [read('base', base), read('head', head)]
  if ('why' in before) return { is: 'unknown', why: before.why }
  if ('why' in after) return { is: 'unknown', why: after.why }
  return better === null
    ? byExitCode(before.values, after.values)
    : byNumber(better, before.values, after.values)
}

function byExitCode(base: readonly number[], head: readonly number[]): MeasureFound {
  // One good run on the base is good before; one bad run on the head is bad after.
  const before = base.find((code) => code === 0) ?? base[0] ?? 0
  const after = head.find((code) => code !== 0) ?? 0
  return { is: before !== 0 && after === 0 ? 'improved' : 'not_improved', before, after, better: null }
}

function byNumber(better: Better, base: readonly number[], head: readonly number[]): MeasureFound {
  const lower = better === 'lower'
  const before = lower ? Math.min(...base) : Math.max(...base)
  const after = lower ? Math.max(...head) : Math.min(...head)
  const improved = lower ? after < before : after > before
  return { is: improved ? 'improved' : 'not_improved', before, after, better }
}

type Values = { readonly values: readonly number[] } | { readonly why: string }

function exitCodesOf(where: string, runs: readonly MeasureRun[]): Values {
  const values: number[] = []
  for (const run of runs) {
    const wrong = brokenWords(run)
    if (wrong !== null) return { why: `on the ${where} its command ${wrong}` }
    values.push(run.exitCode ?? 0)
  }
  return values.length === 0 ? { why: `it was not run on the ${where}` } : { values }
}

function numbersOf(where: string, runs: readonly MeasureRun[]): Values {
  const values: number[] = []
  for (const run of runs) {
    const wrong = brokenWords(run) ?? (run.exitCode === 0 ? null : `failed with exit code ${run.exitCode}`)
    if (wrong !== null) return { why: `on the ${where} its command ${wrong}` }
    const value = lastNumber(run.tail)
    if (value === null) return { why: `on the ${where} its command printed no number` }
    values.push(value)
  }
  return values.length === 0 ? { why: `it was not run on the ${where}` } : { values }
}

/** How a run ended that says neither good nor bad. */
function brokenWords({ exitCode, timedOut }: MeasureRun): string | null {
  if (timedOut) return 'did not end in time'
  if (exitCode === null) return 'was ended by a signal'
  return notStarted.includes(exitCode) ? 'could not be started' : null
}

const number = /(?<![\w.])-?(?:\d{1,3}(?:,\d{3})+|\d+|(?=\.\d))(?:\.\d+)?(?:e[+-]?\d+)?/gi

/** The last number in a text; digits within a word, such as `utf8`, are none. */
export function lastNumber(text: string): number | null {
  const last = text.match(number)?.at(-1)
  const value = last === undefined ? Number.NaN : Number(last.replaceAll(',', ''))
  return Number.isFinite(value) ? value : null
}
