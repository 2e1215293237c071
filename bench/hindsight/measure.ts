// How often the right lesson comes first, or among the first five; and what is said when no lesson fits.
import { MatchIndex } from '@treadle/memory/match'
import { median, percentile, round, table } from '../start/numbers.ts'
import { type Case, dealt, type Side, signatureIn } from './cases.ts'
import { OURS, openSearches, type Search } from './peers.ts'

const FIRST = 5

export interface Score {
  readonly search: string
  readonly side: Side
  readonly questions: number
  /** Questions whose first answer is right. */
  readonly first: number
  /** Questions with the right one among the first five. */
  readonly amongFive: number
  /** Questions that got an answer. */
  readonly answered: number
  /** Questions that got an answer though the right lesson had been taken away. */
  readonly misled: number
}

/** The right lesson is taken away afterwards, so that one search serves for both. */
export async function scoreOf(
  search: Search,
  questions: readonly Case[],
): Promise<Omit<Score, 'search' | 'side'>> {
  let [first, amongFive, answered, misled] = [0, 0, 0, 0]
  for (const { id, asked } of questions) {
    const found = await search(asked, FIRST)
    if (found[0] === id) first += 1
    if (found.includes(id)) amongFive += 1
    if (found.length > 0) answered += 1
    if (found.some((each) => each !== id)) misled += 1
  }
  return { questions: questions.length, first, amongFive, answered, misled }
}

export async function measure(cases: readonly Case[]): Promise<Score[]> {
  const { questions, distractors } = dealt(cases)
  const scores: Score[] = []
  for (const side of ['tuning', 'aside'] as const) {
    const searches = await openSearches([...questions[side], ...distractors])
    for (const [name, search] of searches.byName)
      scores.push({ search: name, side, ...(await scoreOf(search, questions[side])) })
    await searches.close()
  }
  return scores
}

/** On both halves more right first answers, and no fewer right ones among five. */
export function isAhead(scores: readonly Score[]): boolean {
  return scores.every(({ search, side, first, amongFive }) => {
    const ours = scores.find((each) => each.search === OURS && each.side === side)
    return ours !== undefined && (search === OURS || (ours.first > first && ours.amongFive >= amongFive))
  })
}

const share = (part: number, whole: number) => (whole === 0 ? '-' : `${round((100 * part) / whole)} %`)

export function printedScores(scores: readonly Score[]): string {
  const sides: readonly Side[] = ['tuning', 'aside']
  return sides
    .map((side) => {
      const own = scores.filter((score) => score.side === side)
      const rows = own.map(({ search, questions, first, amongFive, answered, misled }) => [
        search,
        share(first, questions),
        share(amongFive, questions),
        share(first, answered),
        share(misled, questions),
      ])
      const head = ['search', 'precision@1', 'recall@5', 'right of answered', 'answers to the unknown']
      return table(`${side} half, ${own[0]?.questions ?? 0} questions`, [head, ...rows])
    })
    .join('')
}

export interface Speed {
  readonly lessons: number
  readonly buildMs: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly scanMs: number
}

/** Lessons as in a long life: the printed texts, each again and again with other names in it. */
export function measureSpeed(cases: readonly Case[], lessons = 10_000, scans = 30): Speed {
  const candidates = Array.from({ length: lessons }, (_, at) => {
    const text = signatureIn(cases[at % cases.length]?.recorded ?? '')
    const signature = at < cases.length ? text : `${text} @ call${at} (src/part-${at % 97}/file-${at}.ts)`
    return { id: String(at), signature, confidence: 0.7, occurrences: 1 }
  })
  const asked = cases.map((each) => signatureIn(each.asked))
  const start = performance.now()
  const index = new MatchIndex(candidates)
  index.find(asked[0] ?? '')
  const buildMs = performance.now() - start
  const times = asked.map((signature) => timed(() => index.find(signature)))
  const all = { limit: lessons, similarityMin: 0 }
  const scan = asked.slice(0, scans).map((signature) => timed(() => index.find(signature, all)))
  return { lessons, buildMs, p50Ms: median(times), p95Ms: percentile(times, 95), scanMs: median(scan) }
}

function timed(body: () => unknown): number {
  const start = performance.now()
  body()
  return performance.now() - start
}

export function printedSpeed({ lessons, buildMs, p50Ms, p95Ms, scanMs }: Speed): string {
  const times = `p50 ${round(p50Ms)} ms, p95 ${round(p95Ms)} ms`
  const scan = `comparing with each of them takes ${round(scanMs / p50Ms, 0)} times as long`
  return `\n${lessons} lessons: built in ${round(buildMs, 0)} ms, asked in ${times}; ${scan}\n`
}
