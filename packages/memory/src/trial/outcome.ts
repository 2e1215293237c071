// The end of a run, and what it says about a lesson that was shown to it or kept from it.

import type { LessonTrial, LessonVerdict } from '@treadle/contracts/lesson'
import type { Run } from '@treadle/contracts/run'
import { LOOKS } from './decide.ts'
import { upliftOf } from './posterior.ts'
import type { UseCounts } from './uses.ts'

type Ended = Pick<Run, 'outcome' | 'iteration' | 'history' | 'usage'>

/** The attempt with which it passed; null: it did not. */
export function passedAt({ outcome, iteration }: Pick<Run, 'outcome' | 'iteration'>): number | null {
  return outcome === 'success' ? iteration + 1 : null
}

/**
 * Good: it passed with the first attempt that was shown the lesson, or would have been. For a lesson that fits from the
 * start that is the first attempt of all. Null: the run was taken away, or nothing was tried.
 */
export function outcomeOf(run: Ended, attempt: number): 'good' | 'bad' | null {
  const passed = passedAt(run)
  if (passed !== null) return passed <= attempt ? 'good' : 'bad'
  const tried = run.history.some(({ phase }) => phase === 'build' || phase === 'improve')
  return tried && (run.outcome === 'escalation' || run.outcome === 'failed') ? 'bad' : null
}

export function costOf({ usage }: Pick<Run, 'usage'>): number {
  return usage.reduce((sum, { usd }) => sum + (usd ?? 0), 0)
}

/** For people: what the trial has shown so far, and when it is looked at next. */
export function trialOf(lesson: { verdict: LessonVerdict; looks: number }, counts: UseCounts): LessonTrial {
  const { shown, withheld } = counts
  const runs = shown.good + shown.bad + withheld.good + withheld.bad
  const uplift = runs === 0 ? null : upliftOf(counts)
  return {
    verdict: lesson.verdict,
    looks: lesson.looks,
    ...counts,
    uplift: uplift === null ? null : { mean: uplift.middle, low: uplift.low, high: uplift.high },
    nextLookAt: lesson.verdict === 'on_trial' ? (LOOKS[lesson.looks] ?? null) : null,
  }
}
