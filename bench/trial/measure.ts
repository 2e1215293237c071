// Many lives of lessons with planted effects: how many are judged rightly, how soon, and how often luck wins.
import { LOOKS, type TrialSettings } from '@treadle/memory/trial/decide'
import { percentile, round, table } from '../start/numbers.ts'
import { type Life, live, liveWatched, type Planted } from './simulate.ts'
import { WIRED } from './wired.ts'

const EFFECTS: readonly number[] = [0.3, 0.15, 0, -0.15, -0.3]
const BASES: readonly number[] = [0.3, 0.5, 0.65]
/** Over the whole life of a lesson. */
export const FALSE_PROMOTIONS_MAX = 0.05

export interface Row {
  readonly planted: Planted
  readonly lives: readonly Life[]
}

export interface Trials {
  readonly rows: readonly Row[]
  /** Useless lessons, looked at after every run. */
  readonly watched: readonly Life[]
}

export function measure(lives: number, settings: TrialSettings = WIRED): Trials {
  const planted = EFFECTS.flatMap((effect) => BASES.map((without) => ({ without, effect })))
  const seeds = Array.from({ length: lives }, (_, index) => index)
  return {
    rows: planted.map((each, row) => ({
      planted: each,
      lives: seeds.map((seed) => live(each, seed + row * 1_000_003, settings)),
    })),
    watched: seeds.map((seed) => liveWatched({ without: 0.5, effect: 0 }, seed, settings)),
  }
}

export function promotedBy({ lives }: Pick<Row, 'lives'>, runs: number): number {
  return lives.filter((life) => life.end === 'promote' && life.runs <= runs).length / lives.length
}

/** Promoted though it does not help: the worst of the bases. */
export function falsePromotions({ rows }: Trials): number {
  const useless = rows.filter(({ planted }) => planted.effect <= 0)
  return Math.max(...useless.map((row) => promotedBy(row, Number.POSITIVE_INFINITY)))
}

/** Helpful ones are to be promoted, harmful ones retired, useless ones anything but promoted. */
function right({ planted: { effect }, lives }: Row, runs: number): number {
  const judged = (life: Life) => life.runs <= runs
  const good = (life: Life) => {
    if (effect > 0) return judged(life) && life.end === 'promote'
    if (effect < 0) return judged(life) && life.end === 'retire'
    return !(judged(life) && life.end === 'promote')
  }
  return lives.filter(good).length / lives.length
}

/** Eligible runs until promotion: of those that are promoted, the middle and nine of ten. */
function needed({ lives }: Row): string {
  const runs = lives.filter(({ end }) => end === 'promote').map((life) => life.runs)
  return runs.length === 0 ? '-' : `${percentile(runs, 50)} / ${percentile(runs, 90)}`
}

const share = (value: number) => `${round(value * 100)} %`

export function printed(trials: Trials): string {
  const rows = trials.rows.map((row) => {
    const { effect, without } = row.planted
    const end = (is: Life['end']) =>
      share(row.lives.filter((life) => life.end === is).length / row.lives.length)
    return [
      `${effect > 0 ? '+' : ''}${round(effect * 100, 0)} points at ${round(without * 100, 0)} %`,
      ...LOOKS.map((runs) => share(right(row, runs))),
      end('promote'),
      end('retire'),
      end('unproven'),
      effect > 0 ? needed(row) : '-',
    ]
  })
  const head = [
    'planted',
    ...LOOKS.map((runs) => `right after ${runs}`),
    'promoted',
    'retired',
    'unproven',
    'runs p50 / p90',
  ]
  const worst = falsePromotions(trials)
  const watched = promotedBy({ lives: trials.watched }, Number.POSITIVE_INFINITY)
  return [
    table(`lessons on trial, ${trials.watched.length} lives each`, [head, ...rows]),
    `false promotions over a whole life: ${share(worst)} at worst (at most ${share(FALSE_PROMOTIONS_MAX)})`,
    `; looked at after every run instead: ${share(watched)}\n`,
  ].join('')
}
