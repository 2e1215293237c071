// The figures of a run, as data and as a table.
import type { Row } from './attempt.ts'
import { type BenchRun, wordsFor } from './bench.ts'
import type { Judgement } from './judge.ts'

interface Quantiles {
  readonly p50: number | null
  readonly p90: number | null
}

interface Figures {
  readonly commits: number
  readonly mined: number
  readonly tried: number
  readonly valid: number
  readonly plausible: number
  readonly correctFirst: number
  readonly correctInList: number
  readonly wrongButGreen: number
  /** First patches that are called high, and those of them that are correct. */
  readonly high: number
  readonly highAndRight: number
  readonly notJudged: number
  /** Searches of which it is known whether they saw the failures of the project's own command, and those that did. */
  readonly compared: number
  readonly sameFailures: number
  /** Searches that tried the project's own command for each candidate. */
  readonly slow: number
  readonly broke: number
  /** How the first patches were judged. */
  readonly judgedBy: Readonly<Record<string, number>>
  readonly candidates: Quantiles
  readonly seconds: Quantiles
  readonly firstGreenSeconds: Quantiles
  readonly candidatesPerCpuSecond: Quantiles
}

function figuresOf(run: BenchRun): Figures {
  const valid = run.rows.filter((row) => row.outcome !== 'invalid')
  const plausible = valid.filter((row) => row.outcome === 'plausible')
  const first = (verdict: Judgement['verdict']) =>
    plausible.filter((row) => row.patches[0]?.judgement?.verdict === verdict).length
  const high = plausible.filter((row) => row.patches[0]?.confidence === 'high')
  const searched = valid.filter((row) => row.outcome === 'plausible' || row.outcome === 'none')
  return {
    commits: run.commits,
    mined: run.mined,
    tried: run.rows.length,
    valid: valid.length,
    plausible: plausible.length,
    correctFirst: first('correct'),
    correctInList: plausible.filter(hasCorrect).length,
    high: high.length,
    highAndRight: high.filter((row) => row.patches[0]?.judgement?.verdict === 'correct').length,
    wrongButGreen: first('wrong'),
    compared: valid.filter((row) => row.sameFailures !== null).length,
    sameFailures: valid.filter((row) => row.sameFailures === true).length,
    slow: valid.filter((row) => row.path === 'slow').length,
    notJudged: first('not_judged'),
    broke: valid.filter((row) => row.outcome === 'broke').length,
    judgedBy: countBy(plausible, judgedBy),
    candidates: quantiles(searched.map((row) => row.candidates)),
    seconds: quantiles(searched.map((row) => row.seconds)),
    firstGreenSeconds: quantiles(plausible.flatMap((row) => row.firstGreenSeconds ?? [])),
    candidatesPerCpuSecond: quantiles(searched.flatMap((row) => row.candidatesPerCpuSecond ?? [])),
  }
}

function hasCorrect(row: Row): boolean {
  return row.patches.some((patch) => patch.judgement?.verdict === 'correct')
}

function judgedBy(row: Row): string {
  const judgement = row.patches[0]?.judgement
  if (judgement === undefined || judgement === null || judgement.verdict === 'not_judged') return 'not judged'
  return `${judgement.verdict} by ${judgement.by}`
}

function countBy(rows: readonly Row[], keyOf: (row: Row) => string): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(rows, keyOf)]
      .map(([key, own]) => [key, own.length] as const)
      .sort(([, a], [, b]) => b - a),
  )
}

function quantiles(values: readonly number[]): Quantiles {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? null
  return { p50: at(0.5), p90: at(0.9) }
}

export function dataOf(run: BenchRun) {
  return {
    figures: figuresOf(run),
    skipped: run.skipped,
    invalid: countBy(run.rows.filter(isInvalid), (row) => row.reason.split(':')[0] ?? ''),
    seconds: run.seconds,
    stopped: run.isStopped,
    interrupted: run.interrupted,
    commits: run.rows,
  }
}

function isInvalid(row: Row): boolean {
  return row.outcome === 'invalid'
}

export function tableOf(run: BenchRun): string {
  const { figures, skipped, invalid } = dataOf(run)
  const notTried = figures.mined - figures.tried
  const judged = Object.entries(figures.judgedBy).map(([by, count]) => `${count} ${by}`)
  const lines: [string, string][] = [
    ['commits read', String(figures.commits)],
    ['candidates mined', `${figures.mined}${notTried > 0 ? ` (${notTried} not tried)` : ''}`],
    ['valid', String(figures.valid)],
    ['plausible', share(figures.plausible, figures.valid)],
    ['correct at rank 1', share(figures.correctFirst, figures.valid)],
    ['correct in the list', share(figures.correctInList, figures.valid)],
    ['wrong but green', `${share(figures.wrongButGreen, figures.plausible)} of the plausible`],
    ['called high', `${figures.high}, of these correct ${figures.highAndRight}`],
    ['green, not judged', `${share(figures.notJudged, figures.plausible)} of the plausible`],
    ['same failures as the command', `${share(figures.sameFailures, figures.compared)} of those compared`],
    ['by the slow path', String(figures.slow)],
    ...(figures.broke > 0 ? [['broke', String(figures.broke)] as [string, string]] : []),
    ['candidates, p50 / p90', pair(figures.candidates, 0)],
    ['seconds, p50 / p90', pair(figures.seconds, 1)],
    ['seconds to first green, p50 / p90', pair(figures.firstGreenSeconds, 1)],
    ['candidates per second of the processor, p50 / p90', pair(figures.candidatesPerCpuSecond, 0)],
    ['first patches', judged.join('; ') || '-'],
  ]
  const width = Math.max(...lines.map(([label]) => label.length))
  return [
    ...lines.map(([label, value]) => `${label.padEnd(width)}  ${value}`),
    '',
    `Commits passed over: ${listOf(skipped)}.`,
    `Candidates found unfit: ${listOf(invalid)}.`,
    ...(run.isStopped ? ['Stopped before the end: the figures are those of what was done.'] : []),
    '',
    ...run.rows.filter((row) => !isInvalid(row)).map(lineFor),
    ...(run.rows.some(isInvalid) ? ['', 'Unfit, and why:'] : []),
    ...run.rows
      .filter(isInvalid)
      .map((row) => `${row.commit.slice(0, 10)}  ${row.date}  ${row.source}: ${row.reason}`),
    ...(run.interrupted === null ? [] : ['', ...linesFor(run.interrupted)]),
  ].join('\n')
}

/** The search that a signal ended. */
function linesFor(row: Row): string[] {
  const [best] = row.patches
  const head = `${row.commit.slice(0, 10)}  ${row.date}  ${row.source}: ended by a signal`
  return best === undefined
    ? [`${head}, nothing found by then`]
    : [`${head}, the best by then:`, best.diff.trimEnd()]
}

function lineFor(row: Row): string {
  return `${row.commit.slice(0, 10)}  ${row.date}  ${row.source} (${row.lines} lines): ${wordsFor(row)}${seenBy(row)}`
}

function seenBy({ path, sameFailures, leftOut, outcome }: Row): string {
  if (outcome === 'broke') return ''
  const alone = leftOut > 0 ? `; ${leftOut} failures of the fast path alone left out` : ''
  const seen = sameFailures === false ? '; other failures than the command shows' : ''
  return `${seen}${alone}${path === 'slow' ? '; by the slow path' : ''}`
}

function share(value: number, all: number): string {
  return all === 0 ? String(value) : `${value} (${Math.round((100 * value) / all)} %)`
}

function pair({ p50, p90 }: Quantiles, digits: number): string {
  return p50 === null || p90 === null ? '-' : `${p50.toFixed(digits)} / ${p90.toFixed(digits)}`
}

function listOf(counts: Readonly<Record<string, number>>): string {
  return (
    Object.entries(counts)
      .map(([why, count]) => `${count} ${why}`)
      .join(', ') || 'none'
  )
}
