// Which lessons answer an error: those kept under its very signature, then those kept under one much like it.
import { type TermWeights, termsOf, trigramSimilarity, trigramsOf } from './terms.ts'

/** A vague match costs more than a cold start, so weaker lessons are not followed. */
export const RESOLUTION_CONFIDENCE_MIN = 0.6

export interface Candidate {
  readonly id: string
  /** The text of a signature, see `signatureFrom`. */
  readonly signature: string
  readonly confidence: number
  readonly occurrences: number
}

export interface Match {
  readonly is: 'exact' | 'similar'
  readonly candidate: Candidate
  /** From 0, nothing in common, to 1. */
  readonly similarity: number
}

export interface MatchQuery {
  readonly limit?: number
  readonly confidenceMin?: number
  readonly similarityMin?: number
}

export interface MatchSettings extends TermWeights {
  /** The weight of shared words; the rest is for shared runs of three letters. */
  readonly words: number
  /** The weight of the asked side in what two texts could share. */
  readonly asked: number
  /** A word that only one of all texts has is likely a name: so much of it counts as missing elsewhere. */
  readonly lonely: number
  /** Below it nothing is returned: a vague match costs more than a cold start. */
  readonly similarityMin: number
}

/** Found on the tuning half of bench/hindsight. */
export const MATCHING: MatchSettings = {
  errorClass: 0.5,
  pair: 0.5,
  name: 0.1,
  mask: 0.6,
  frame: 0.05,
  words: 0.85,
  asked: 0.65,
  lonely: 0.5,
  similarityMin: 0.5,
}

const LIMIT = 5

/** One signature, whatever the number of lessons under it. */
interface Entry {
  readonly signature: string
  readonly terms: ReadonlyMap<string, number>
  readonly trigrams: ReadonlySet<string>
  readonly candidates: Map<string, Candidate>
}

interface Near {
  readonly entry: Entry
  readonly words: number
}

/** Built once, added to as lessons come; it gives the same answers as one built anew. */
export class MatchIndex {
  readonly #settings: MatchSettings
  readonly #entries: Entry[] = []
  readonly #placeOf = new Map<string, number>()
  readonly #entryOf = new Map<string, Entry>()
  /** Places of the entries with a term, in ascending order. */
  readonly #places = new Map<string, number[]>()
  /** In how many entries that still have a candidate the term is. */
  readonly #spread = new Map<string, number>()
  #live = 0
  /** The weight that each entry could share; null after a change, as each change moves the weights of terms. */
  #sizes: Float64Array | null = null

  constructor(candidates: Iterable<Candidate> = [], settings: MatchSettings = MATCHING) {
    this.#settings = settings
    for (const candidate of candidates) this.add(candidate)
  }

  /** One with a known id takes the place of the older one. */
  add(candidate: Candidate): void {
    const known = this.#entryOf.get(candidate.id)
    // Counted once more: what it is compared by stays as it is.
    if (known?.signature === candidate.signature) {
      known.candidates.set(candidate.id, candidate)
      return
    }
    this.remove(candidate.id)
    const entry = this.#entryFor(candidate.signature)
    if (entry.candidates.size === 0) this.#count(entry, 1)
    entry.candidates.set(candidate.id, candidate)
    this.#entryOf.set(candidate.id, entry)
  }

  remove(id: string): void {
    const entry = this.#entryOf.get(id)
    if (entry === undefined) return
    this.#entryOf.delete(id)
    entry.candidates.delete(id)
    if (entry.candidates.size === 0) this.#count(entry, -1)
  }

  /** Best first. */
  find(signature: string, query: MatchQuery = {}): Match[] {
    const { limit = LIMIT, confidenceMin = RESOLUTION_CONFIDENCE_MIN } = query
    const { similarityMin = this.#settings.similarityMin } = query
    const exact = this.#entries[this.#placeOf.get(signature) ?? -1]
    const found = exact === undefined ? [] : matchesOf(exact, 'exact', 1, confidenceMin)
    const trigrams = trigramsOf(signature)
    let least = similarityMin
    for (const near of this.#nearest(signature, similarityMin)) {
      if (near.entry === exact) continue
      // In descending order of words: no later one can come up to what is there.
      if (this.#blend(near.words, 1) < least) break
      const similarity = this.#blend(near.words, trigramSimilarity(trigrams, near.entry.trigrams))
      if (similarity < least) continue
      found.push(...matchesOf(near.entry, 'similar', similarity, confidenceMin))
      if (found.length >= limit) {
        found.sort(better)
        found.length = limit
        least = Math.max(similarityMin, found.at(-1)?.similarity ?? 0)
      }
    }
    return found.sort(better).slice(0, limit)
  }

  #entryFor(signature: string): Entry {
    const known = this.#entries[this.#placeOf.get(signature) ?? -1]
    if (known !== undefined) return known
    const terms = termsOf(signature, this.#settings)
    const entry: Entry = { signature, terms, trigrams: trigramsOf(signature), candidates: new Map() }
    const place = this.#entries.push(entry) - 1
    this.#placeOf.set(signature, place)
    for (const term of terms.keys()) {
      const places = this.#places.get(term)
      if (places === undefined) this.#places.set(term, [place])
      else places.push(place)
    }
    return entry
  }

  #count({ terms }: Entry, change: 1 | -1): void {
    this.#live += change
    this.#sizes = null
    for (const term of terms.keys()) this.#spread.set(term, (this.#spread.get(term) ?? 0) + change)
  }

  #rarity(term: string): number {
    return Math.log(1 + this.#live / Math.max(1, this.#spread.get(term) ?? 0))
  }

  #sizeOf(terms: ReadonlyMap<string, number>): number {
    let size = 0
    for (const [term, weight] of terms) {
      const lonely = (this.#spread.get(term) ?? 0) <= 1
      size += weight * this.#rarity(term) * (lonely ? this.#settings.lonely : 1)
    }
    return size
  }

  /** Entries that share words with the signature, those with the most first. */
  #nearest(signature: string, similarityMin: number): Near[] {
    this.#sizes ??= Float64Array.from(this.#entries, ({ terms }) => this.#sizeOf(terms))
    const terms = termsOf(signature, this.#settings)
    const shared = new Float64Array(this.#entries.length)
    for (const [term, weight] of terms) {
      const worth = weight * this.#rarity(term)
      for (const place of this.#places.get(term) ?? []) shared[place] = (shared[place] ?? 0) + worth
    }
    const { asked } = this.#settings
    const own = asked * this.#sizeOf(terms)
    const near: Near[] = []
    for (const [place, entry] of this.#entries.entries()) {
      const could = own + (1 - asked) * (this.#sizes[place] ?? 0)
      const words = Math.min(1, (shared[place] ?? 0) / Math.max(could, Number.MIN_VALUE))
      if (words > 0 && entry.candidates.size > 0 && this.#blend(words, 1) >= similarityMin)
        near.push({ entry, words })
    }
    return near.sort((a, b) => b.words - a.words)
  }

  #blend(words: number, trigrams: number): number {
    return this.#settings.words * words + (1 - this.#settings.words) * trigrams
  }
}

function matchesOf(
  { candidates }: Entry,
  is: Match['is'],
  similarity: number,
  confidenceMin: number,
): Match[] {
  return [...candidates.values()]
    .filter(({ confidence }) => confidence >= confidenceMin)
    .map((candidate) => ({ is, candidate, similarity }))
}

/** Exact first, then by likeness; among equals the one that has proved itself more. */
function better(a: Match, b: Match): number {
  if (a.is !== b.is) return a.is === 'exact' ? -1 : 1
  const [one, other] = [a.candidate, b.candidate]
  return (
    b.similarity - a.similarity ||
    other.confidence - one.confidence ||
    other.occurrences - one.occurrences ||
    (one.id < other.id ? -1 : 1)
  )
}

/** For a question that is asked once. */
export function rankMatches(
  signature: string,
  candidates: Iterable<Candidate>,
  query: MatchQuery = {},
): Match[] {
  return new MatchIndex(candidates).find(signature, query)
}
