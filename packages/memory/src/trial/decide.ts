// Whether a lesson on trial has earned its place. Judged only at looks that were planned before it began.
import { probabilityOfUplift, type Tally, type TrialCounts } from './posterior.ts'

/**
 * Eligible runs after which one looks. Looking after every run would promote three times as many useless lessons,
 * since sooner or later luck is on the side of each.
 */
export const LOOKS: readonly number[] = [50, 100, 200]

/** With fewer on either side there is nothing to compare with but what one believed before. */
const SIDE_MIN = 10

export interface TrialSettings {
  /** Promoted where it helps with at least this probability. */
  readonly promoteAt: number
  /** Retired where it helps with at most this one. */
  readonly retireAt: number
}

/** Calibrated by bench/trial, and what the settings say if nobody changes them. */
const TRIAL: TrialSettings = { promoteAt: 0.98, retireAt: 0.1 }

export type TrialChoice =
  /** A look that is not due yet. */
  | { readonly is: 'wait'; readonly runs: number }
  | { readonly is: 'promote'; readonly probability: number }
  | { readonly is: 'retire'; readonly probability: number }
  | { readonly is: 'go_on'; readonly probability: number; readonly runs: number }
  /** The last look: kept, below those that are proven. */
  | { readonly is: 'unproven'; readonly probability: number }

export interface TrialFacts {
  readonly counts: TrialCounts
  /** Looks that were taken before. */
  readonly looks: number
}

export function decideTrial({ counts, looks }: TrialFacts, settings: TrialSettings = TRIAL): TrialChoice {
  const at = LOOKS[looks]
  if (at === undefined || eligibleIn(counts) < at) return { is: 'wait', runs: at ?? 0 }
  if (Math.min(settledIn(counts.shown), settledIn(counts.withheld)) < SIDE_MIN)
    return { is: 'wait', runs: at }
  const probability = probabilityOfUplift(counts)
  if (probability >= settings.promoteAt) return { is: 'promote', probability }
  if (probability <= settings.retireAt) return { is: 'retire', probability }
  const next = LOOKS[looks + 1]
  return next === undefined ? { is: 'unproven', probability } : { is: 'go_on', probability, runs: next }
}

function eligibleIn({ shown, withheld }: TrialCounts): number {
  return settledIn(shown) + settledIn(withheld)
}

function settledIn({ good, bad }: Tally): number {
  return good + bad
}
