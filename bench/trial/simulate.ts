// The life of a lesson on trial whose effect is known, because it was planted.

import { decideTrial, LOOKS, type TrialChoice, type TrialSettings } from '@treadle/memory/trial/decide'
import { isWithheld, randomFrom } from '@treadle/memory/trial/draw'
import { probabilityOfUplift, type Tally, type TrialCounts } from '@treadle/memory/trial/posterior'
import { WIRED } from './wired.ts'

export interface Planted {
  /** Chance of a first-attempt pass without the lesson. */
  readonly without: number
  /** What the lesson adds to it. */
  readonly effect: number
}

export interface Life {
  readonly end: Extract<TrialChoice['is'], 'promote' | 'retire' | 'unproven'>
  /** Eligible runs until then. */
  readonly runs: number
}

const WITHHELD = WIRED.withheldShare
/** Runs come from a few kinds of items, some of which are easier. */
const STRATA = [-0.1, 0, 0.1] as const

/** Lived by the same rules as in a crew: the same coin, the same looks, the same verdict. */
export function live(planted: Planted, seed: number, settings: TrialSettings): Life {
  const random = randomFrom(seed)
  const eligible = STRATA.map(() => 0)
  let counts: TrialCounts = { shown: { good: 0, bad: 0 }, withheld: { good: 0, bad: 0 } }
  let looked = 0
  for (let run = 1; ; run += 1) {
    const stratum = Math.floor(random() * STRATA.length)
    const nth = eligible[stratum] ?? 0
    eligible[stratum] = nth + 1
    const draw = { lessonId: `lesson-${seed}`, stratum: String(stratum), nth, withheldShare: WITHHELD }
    const withheld = isWithheld(draw)
    const chance = planted.without + (STRATA[stratum] ?? 0) + (withheld ? 0 : planted.effect)
    const good = random() < chance
    counts = withheld
      ? { ...counts, withheld: more(counts.withheld, good) }
      : { ...counts, shown: more(counts.shown, good) }
    if (run < (LOOKS[looked] ?? Number.POSITIVE_INFINITY)) continue
    const choice = decideTrial({ counts, looks: looked }, settings)
    looked += 1
    if (choice.is === 'promote' || choice.is === 'retire' || choice.is === 'unproven')
      return { end: choice.is, runs: run }
  }
}

function more({ good, bad }: Tally, isGood: boolean): Tally {
  return isGood ? { good: good + 1, bad } : { good, bad: bad + 1 }
}

/** The same lesson, looked at after every run from the tenth on: what must not be done. */
export function liveWatched(planted: Planted, seed: number, settings: TrialSettings): Life {
  const random = randomFrom(seed)
  let counts: TrialCounts = { shown: { good: 0, bad: 0 }, withheld: { good: 0, bad: 0 } }
  const last = LOOKS.at(-1) ?? 0
  for (let run = 1; run <= last; run += 1) {
    const draw = { lessonId: `lesson-${seed}`, stratum: '', nth: run - 1, withheldShare: WITHHELD }
    const withheld = isWithheld(draw)
    const good = random() < planted.without + (withheld ? 0 : planted.effect)
    counts = withheld
      ? { ...counts, withheld: more(counts.withheld, good) }
      : { ...counts, shown: more(counts.shown, good) }
    if (run < 10) continue
    if (probabilityOfUplift(counts) >= settings.promoteAt) return { end: 'promote', runs: run }
  }
  return { end: 'unproven', runs: last }
}
