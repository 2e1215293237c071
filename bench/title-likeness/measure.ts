// How well a likeness of titles tells those of one issue from all others: its precision and recall over the pairs.
import { likenessOf, titleLikeness } from '@treadle/flow/idea/category/title-likeness'
import { titleWords } from '@treadle/flow/idea/category/title-words'
import { trigramSimilarity, trigramsOf } from '@treadle/memory/terms'
import { PAIRS, type TitlePair } from './pairs.ts'

type Likeness = (one: string, other: string) => number

export const OURS = 'ours'
const METHODS: Readonly<Record<string, Likeness>> = {
  [OURS]: titleLikeness,
  'token Jaccard': jaccard,
  'Levenshtein ratio': levenshteinRatio,
  'letter trigrams': (one, other) => trigramSimilarity(trigramsOf(one), trigramsOf(other)),
}

export interface TitleScore {
  readonly method: string
  readonly side: TitlePair['side']
  /** Over it two titles are called the same. */
  readonly over: number
  readonly pairs: number
  readonly called: number
  readonly precision: number | null
  readonly recall: number
}

/** Ours and its peers over 0.8, and the peers also over the limit that is best for them on the tuning half. */
export function measure(): TitleScore[] {
  return (['tuning', 'aside'] as const).flatMap((side) =>
    Object.entries(METHODS).flatMap(([method, likeness]) => {
      const best = method === OURS ? 0.8 : bestLimit(likeness)
      return [...new Set([0.8, best])].map((over) => scoreOf(method, { side, over, likeness }))
    }),
  )
}

function scoreOf(
  method: string,
  { side, over, likeness }: Pick<TitleScore, 'side' | 'over'> & { readonly likeness: Likeness },
): TitleScore {
  const pairs = PAIRS.filter((pair) => pair.side === side)
  const called = pairs.filter(({ one, other }) => likeness(one, other) > over)
  const right = called.filter(({ kind }) => kind === 'same').length
  const same = pairs.filter(({ kind }) => kind === 'same').length
  return {
    method,
    side,
    over,
    pairs: pairs.length,
    called: called.length,
    precision: called.length === 0 ? null : right / called.length,
    recall: right / same,
  }
}

/** The limit of the highest F-measure on the tuning half. */
function bestLimit(likeness: Likeness): number {
  const limits = Array.from({ length: 19 }, (_, at) => (at + 1) / 20)
  const f = (over: number) => {
    const { precision, recall } = scoreOf('', { side: 'tuning', over, likeness })
    return precision === null ? 0 : (2 * precision * recall) / Math.max(precision + recall, 1e-9)
  }
  return limits.reduce((best, limit) => (f(limit) > f(best) ? limit : best))
}

/** What ours says wrongly of the tuning half. The other half is not looked at. */
export function tuningErrors(): TitlePair[] {
  return PAIRS.filter(
    ({ side, kind, one, other }) =>
      side === 'tuning' && titleLikeness(one, other) > 0.8 !== (kind === 'same'),
  )
}

/** Each title with each other one that it is in no pair with: how many there are, and which ours calls the same. */
export function crossed(): {
  readonly pairs: number
  readonly called: readonly (readonly [string, string])[]
} {
  const known = new Set(PAIRS.flatMap(({ one, other }) => [`${one}\n${other}`, `${other}\n${one}`]))
  const titles = [...new Set(PAIRS.flatMap(({ one, other }) => [one, other]))].map((title) => ({
    title,
    words: titleWords(title),
  }))
  const pairs = titles.flatMap((one, at) =>
    titles
      .slice(at + 1)
      .flatMap((other) => (known.has(`${one.title}\n${other.title}`) ? [] : [{ one, other }])),
  )
  const called = pairs
    .filter(({ one, other }) => likenessOf(one.words, other.words) > 0.8)
    .map(({ one, other }) => [one.title, other.title] as const)
  return { pairs: pairs.length, called }
}

function jaccard(one: string, other: string): number {
  const [mine, theirs] = [one, other].map((title) => new Set(title.toLowerCase().match(/[\p{L}\p{N}]+/gu)))
  const all = new Set([...(mine ?? []), ...(theirs ?? [])])
  return [...all].filter((word) => mine?.has(word) && theirs?.has(word)).length / Math.max(1, all.size)
}

function levenshteinRatio(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()]
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return 1 - (row[b.length] ?? 0) / Math.max(1, a.length, b.length)
}
