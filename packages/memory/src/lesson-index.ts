// Lessons kept at hand: which of them answer an error like this one.
import type { Lesson, LessonQuery, LessonType, LessonVerdict } from '@treadle/contracts/lesson'
import { leastConfidence } from '@treadle/contracts/lesson'
import { compileFit, type FitOf, readPath } from './fit.ts'
import type { LessonMark, Lessons } from './lessons.ts'
import { type Candidate, type Match, MatchIndex } from './match.ts'

const BATCH = 500
/** The most likely lessons that are looked at; those that fit the rest of the question are taken. */
const LIKELY_MAX = 200
const RANK: Readonly<Record<LessonVerdict, number>> = { promoted: 0, on_trial: 1, unproven: 2, retired: 3 }

interface Known extends Candidate {
  readonly type: LessonType
  readonly action: string | null
  readonly topic: string | null
  readonly verdict: LessonVerdict
  readonly unconfirmed: boolean
  readonly fitOf: FitOf | null
}

/** Another daemon may write too: what was written since is read before each answer. */
export class LessonIndex {
  readonly #lessons: Lessons
  /** Turns what somebody asks about into the signature that it would be kept under. */
  readonly #signatureAsked: (text: string) => string
  readonly #known = new Map<string, Known>()
  readonly #byError = new Map<LessonType, MatchIndex>()
  readonly #byWords = new Map<LessonType, MatchIndex>()
  #mark: LessonMark | null = null
  #reading: Promise<void> = Promise.resolve()

  constructor(lessons: Lessons, signatureAsked: (text: string) => string) {
    this.#lessons = lessons
    this.#signatureAsked = signatureAsked
  }

  async recall(query: LessonQuery): Promise<Lesson[]> {
    const { similarTo, ...rest } = query
    if (similarTo !== undefined && similarTo.trim() !== '') return this.#similar(similarTo, rest)
    const found = await this.#lessons.recall(rest)
    if (found.length > 0 || rest.text === undefined) return found
    return this.#wordy(rest.text, rest)
  }

  async #similar(text: string, query: LessonQuery): Promise<Lesson[]> {
    await this.#refresh()
    return this.#best(this.#byError, this.#signatureAsked(text), query)
  }

  /** No lesson has all the words: those that have the most telling ones. */
  async #wordy(text: string, query: LessonQuery): Promise<Lesson[]> {
    await this.#refresh()
    return this.#best(this.#byWords, text, query)
  }

  async #best(
    indexes: ReadonlyMap<LessonType, MatchIndex>,
    asked: string,
    query: LessonQuery,
  ): Promise<Lesson[]> {
    const asking = query.type === undefined ? [...indexes.keys()] : [query.type]
    const confidenceMin = leastConfidence(query)
    const matches = asking.flatMap(
      (type) => indexes.get(type)?.find(asked, { limit: LIKELY_MAX, confidenceMin }) ?? [],
    )
    const fitting = matches.filter(({ candidate }) => this.#fits(candidate.id, query))
    const ids = fitting.sort((a, b) => this.#order(a, b)).map(({ candidate }) => candidate.id)
    return this.#lessons.some(ids.slice(0, query.limit))
  }

  #fits(id: string, { path, action, topic, topics, signature, unconfirmed }: LessonQuery): boolean {
    const known = this.#known.get(id)
    if (known === undefined || (known.unconfirmed && unconfirmed !== 'included')) return false
    const named = [...(topics ?? []), ...(topic === undefined ? [] : [topic])]
    return (
      (path === undefined || known.fitOf === null || known.fitOf(readPath(path)) !== null) &&
      (action === undefined || known.action === null || known.action === action) &&
      (named.length === 0 || known.topic === null || named.includes(known.topic)) &&
      (signature === undefined || known.signature === signature)
    )
  }

  #order(a: Match, b: Match): number {
    if (a.is !== b.is) return a.is === 'exact' ? -1 : 1
    const [one, other] = [this.#known.get(a.candidate.id), this.#known.get(b.candidate.id)]
    return (
      b.similarity - a.similarity ||
      RANK[one?.verdict ?? 'retired'] - RANK[other?.verdict ?? 'retired'] ||
      b.candidate.confidence - a.candidate.confidence ||
      b.candidate.occurrences - a.candidate.occurrences
    )
  }

  /** One at a time; a failed reading does not stand in the way of the next. */
  #refresh(): Promise<void> {
    const next = this.#reading.catch(() => undefined).then(() => this.#read())
    this.#reading = next
    return next
  }

  async #read(): Promise<void> {
    for (;;) {
      const written = await this.#lessons.writtenSince(this.#mark, BATCH)
      for (const { lesson, mark } of written) {
        this.#take(lesson)
        this.#mark = mark
      }
      if (written.length < BATCH) return
    }
  }

  #take(lesson: Lesson): void {
    const { id, type, action, topic, verdict, confidence, occurrences, signature, content, glob } = lesson
    const { unconfirmed } = lesson
    const gone = lesson.supersededAt !== null || verdict === 'retired'
    const candidate = { id, confidence, occurrences }
    if (gone) this.#known.delete(id)
    else {
      const fitOf = glob === null ? null : compileFit(glob)
      this.#known.set(id, {
        ...candidate,
        signature: signature ?? '',
        type,
        action,
        topic,
        verdict,
        unconfirmed,
        fitOf,
      })
    }
    put(this.#byError, type, gone || signature === null ? id : { ...candidate, signature })
    put(this.#byWords, type, gone || content === '' ? id : { ...candidate, signature: content })
  }
}

/** An id alone is taken out. */
function put(indexes: Map<LessonType, MatchIndex>, type: LessonType, given: string | Candidate): void {
  const index = indexes.get(type) ?? new MatchIndex()
  indexes.set(type, index)
  if (typeof given === 'string') index.remove(given)
  else index.add(given)
}
