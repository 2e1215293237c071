// The lessons that a run is shown of those that fit it, and those kept back so that their effect can be told.
import type { Item } from '@treadle/contracts/item'
import type { Lesson, LessonQuery } from '@treadle/contracts/lesson'
import { isGoal } from '@treadle/contracts/paor'
import type { LeftOut, LessonNote, RunRecall } from '@treadle/contracts/recall'
import { isWithheld } from './draw.ts'
import type { LessonUse, NewUse } from './uses.ts'

/** Lessons beyond the limit that are looked at, to be able to say what was left out. */
const BEYOND = 5
const QUERY_MAX = 100

function foundMax(limit: number): number {
  return Math.min(QUERY_MAX, limit + BEYOND)
}

/** One question for each error or path; all of them together are what fits. */
export function queriesOf(asked: RunRecall): LessonQuery[] {
  const { type, action, text, minConfidence, topics } = asked
  const limit = foundMax(asked.limit)
  const about: LessonQuery = {
    limit,
    ...(type === undefined ? {} : { type }),
    ...(action === undefined ? {} : { action }),
    ...(text === undefined ? {} : { text }),
    ...(minConfidence === undefined ? {} : { minConfidence }),
    ...(topics.length === 0 ? {} : { topics }),
  }
  const errors = [
    ...asked.signatures.map((signature) => ({ ...about, signature })),
    ...asked.similarTo.map((similarTo) => ({ ...about, similarTo })),
  ]
  const bases = errors.length === 0 ? [about] : errors
  return asked.paths.length === 0
    ? bases
    : bases.flatMap((base) => asked.paths.map((path) => ({ ...base, path })))
}

/** The best of each answer, then the second of each, and so on; each lesson once, and no more than one question finds. */
export function merged(answers: readonly (readonly Lesson[])[], limit: number): Lesson[] {
  const found = new Map<string, Lesson>()
  const longest = Math.max(0, ...answers.map(({ length }) => length))
  for (let place = 0; place < longest; place += 1)
    for (const answer of answers) {
      const lesson = answer[place]
      if (lesson !== undefined && !found.has(lesson.id)) found.set(lesson.id, lesson)
    }
  return [...found.values()].slice(0, foundMax(limit))
}

const KINDS = ['bug', 'fix', 'feature', 'enhancement', 'refactor', 'docs', 'test', 'chore', 'performance']

/** Runs are compared with their like. */
export function stratumOf(repository: string, item: Pick<Item, 'labels'>): string {
  const labels = item.labels.map((label) => label.toLowerCase())
  const kind = isGoal(item) ? 'goal' : (KINDS.find((each) => labels.includes(each)) ?? 'item')
  return `${repository} ${kind}`
}

export interface ShowFacts {
  /** Best first. */
  readonly ranked: readonly Lesson[]
  readonly limit: number
  /** Uses that were decided for this run before. */
  readonly known: readonly LessonUse[]
  readonly runId: string
  readonly attempt: number
  readonly stratum: string
  /** For how many runs of the stratum each was drawn before. */
  readonly drawn: ReadonlyMap<string, number>
  readonly trial: { readonly on: boolean; readonly withheldShare: number }
  readonly now: Date
}

export interface Shown {
  readonly shown: readonly Lesson[]
  readonly withheld: readonly LessonNote[]
  readonly leftOut: readonly LeftOut[]
  /** Uses that are decided now and were not before. */
  readonly decided: readonly NewUse[]
}

/** Decided once for each run and lesson: the same question later has the same answer. */
export function decideShown(facts: ShowFacts): Shown {
  const before = new Map(facts.known.map((use) => [use.lessonId, use]))
  const shown: Lesson[] = []
  const withheld: LessonNote[] = []
  const leftOut: LeftOut[] = []
  const decided: NewUse[] = []
  for (const [place, lesson] of facts.ranked.entries()) {
    const old = before.get(lesson.id)
    const stands = old !== undefined && old.given !== 'left_out'
    const fits = place < facts.limit
    const use = stands && fits ? old : useOf(facts, lesson, fits)
    // A decision that stands is not undone by an answer that has no room for it.
    if (!stands && !(use.given === 'left_out' && old !== undefined)) decided.push(use)
    if (use.given === 'shown') shown.push(lesson)
    else if (use.given === 'withheld') withheld.push(noteOf(lesson))
    else leftOut.push({ lessonId: lesson.id, why: use.why ?? '' })
  }
  return { shown, withheld, leftOut, decided }
}

function useOf(facts: ShowFacts, lesson: Lesson, fits: boolean): NewUse {
  const { runId, stratum, attempt, trial, now } = facts
  const nth = facts.drawn.get(lesson.id) ?? 0
  const use = { lessonId: lesson.id, runId, stratum, nth, attempt, at: now }
  if (!fits) return { ...use, given: 'left_out', drawn: false, why: `${facts.limit} others fit better` }
  if (lesson.verdict === 'retired')
    return { ...use, given: 'left_out', drawn: false, why: 'it was found not to help' }
  if (!trial.on) return { ...use, given: 'shown', drawn: false, why: 'there is no trial' }
  if (lesson.verdict !== 'on_trial') return { ...use, given: 'shown', drawn: false, why: lesson.verdict }
  const { withheldShare } = trial
  const kept = isWithheld({ lessonId: lesson.id, stratum, nth, withheldShare })
  return { ...use, given: kept ? 'withheld' : 'shown', drawn: true, why: null }
}

export function noteOf({ id, type, topic }: Pick<Lesson, 'id' | 'type' | 'topic'>): LessonNote {
  return { lessonId: id, type, topic }
}
