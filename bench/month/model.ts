// The model of the month, with good days and bad ones. What each answer deserves is known before the product reads it.
import { CATEGORIES, type Category } from '@treadle/contracts/categories'
import type { Chance } from './chance.ts'
import type { Scale } from './settings.ts'

const DAY = 24 * 3_600_000

/** What an answer deserves: an item, a second try, or that the category is left alone. */
export type Verdict =
  | 'idea'
  | 'none'
  | 'duplicate'
  | 'unreadable'
  | 'too_long'
  | 'too_few_criteria'
  | 'unknown_dependency'

export interface Said {
  readonly text: string
  readonly verdict: Verdict
  /** The title, of what has one. */
  readonly title: string | null
}

/** `repeats`: what it said before. `empty`: nothing is worth doing. `silent`: hours in which nobody answers. */
export type Mood = 'good' | 'nonsense' | 'repeats' | 'empty' | 'dear' | 'silent'

const PRICE_RISE = 5
const LOOK_USD = 0.16
const BUILD_USD = 0.9

/** A stretch in one mood. */
interface Stretch {
  readonly mood: Mood
  /** The part of it without an answer, from 0 to 1. */
  readonly silentFrom: number
  readonly silentTo: number
}

type Shares = Partial<Readonly<Record<Verdict, number>>>
const USUAL: Shares = {
  none: 0.03,
  duplicate: 0.05,
  unreadable: 0.03,
  too_long: 0.03,
  too_few_criteria: 0.02,
  unknown_dependency: 0.02,
}
const SHARES: Readonly<Record<Mood, Shares>> = {
  good: USUAL,
  dear: USUAL,
  silent: USUAL,
  nonsense: { ...USUAL, unreadable: 0.45, too_few_criteria: 0.15 },
  repeats: { ...USUAL, duplicate: 0.6 },
  empty: { ...USUAL, none: 0.4 },
}

export class Model {
  readonly #chance: Chance
  readonly #began: number
  readonly #moodMs: number
  readonly #stretches: readonly Stretch[]
  readonly #titles: string[]
  /** How much is still worth doing. */
  readonly #wells = new Map<Category, number>()
  readonly #said: string[] = []

  constructor(chance: Chance, { began, days, scale }: { began: Date; days: number; scale: Scale }) {
    this.#chance = chance
    this.#began = began.getTime()
    this.#moodMs = scale.moodMs
    this.#stretches = stretchesOf(chance, scale.moods, Math.ceil((days * DAY) / scale.moodMs) + 1)
    this.#titles = titlesOf(chance)
    for (const category of CATEGORIES) this.#wells.set(category, chance.whole(14, 34))
  }

  mood(at: Date): Mood {
    return this.#stretch(at).mood
  }

  isSilent(at: Date): boolean {
    const { mood, silentFrom, silentTo } = this.#stretch(at)
    const part = ((at.getTime() - this.#began) % this.#moodMs) / this.#moodMs
    return mood === 'silent' && part >= silentFrom && part < silentTo
  }

  /** The most that a call costs at the prices of that day. */
  lookUSD(at: Date): number {
    return this.mood(at) === 'dear' ? LOOK_USD * PRICE_RISE : LOOK_USD
  }

  buildUSD(at: Date): number {
    return this.mood(at) === 'dear' ? BUILD_USD * PRICE_RISE : BUILD_USD
  }

  answer(category: Category, at: Date): Said {
    const verdict = this.#verdict(category, this.mood(at))
    switch (verdict) {
      case 'none':
        return { text: 'I have looked at all of it.\n\nNO_IDEA_AVAILABLE', verdict, title: null }
      case 'unreadable':
        return { text: 'It could be better. Somebody should see to it.', verdict, title: null }
      case 'duplicate': {
        const title = this.#chance.one(this.#said)
        return { text: ideaText({ title: otherwise(title, this.#chance) }), verdict, title }
      }
      default: {
        const title = this.#titles.pop()
        if (title === undefined) throw new Error('the model has no further titles')
        if (verdict === 'idea') {
          this.#said.push(title)
          this.#wells.set(category, (this.#wells.get(category) ?? 0) - 1)
        }
        return { text: ideaText({ title, ...WRONG[verdict] }), verdict, title }
      }
    }
  }

  /** Each day brings a little that is worth doing. */
  refill(): void {
    for (const category of CATEGORIES)
      if (this.#chance.is(0.4)) this.#wells.set(category, (this.#wells.get(category) ?? 0) + 1)
  }

  #verdict(category: Category, mood: Mood): Verdict {
    if ((this.#wells.get(category) ?? 0) <= 0) return 'none'
    let left = this.#chance.between(0, 1)
    for (const [verdict, share] of Object.entries(SHARES[mood])) {
      left -= share
      if (left < 0) return verdict === 'duplicate' && this.#said.length === 0 ? 'idea' : (verdict as Verdict)
    }
    return 'idea'
  }

  #stretch(at: Date): Stretch {
    const found = this.#stretches[Math.floor((at.getTime() - this.#began) / this.#moodMs)]
    if (found === undefined) throw new Error(`the month has no mood for ${at.toISOString()}`)
    return found
  }
}

function stretchesOf(chance: Chance, moods: readonly Mood[], count: number): Stretch[] {
  return Array.from({ length: count }, (_, nth) => {
    const silentFrom = chance.between(0.1, 0.6)
    const silentTo = silentFrom + chance.between(0.1, 0.3)
    // The first ones are as they are written down, so that a short month has bad days as well.
    return { mood: moods[nth] ?? chance.one(moods), silentFrom, silentTo }
  })
}

interface Idea {
  readonly title: string
  readonly hours?: number
  readonly criteria?: number
  readonly approach?: string
}

const WRONG: Readonly<Record<Exclude<Verdict, 'none' | 'unreadable' | 'duplicate'>, Partial<Idea>>> = {
  idea: {},
  too_long: { hours: 40 },
  too_few_criteria: { criteria: 1 },
  unknown_dependency: { approach: 'Use the existing `left-pad-forever` package.' },
}

function ideaText({ title, hours = 4, criteria = 3, approach = 'Change one function.' }: Idea): string {
  const lines = Array.from({ length: criteria }, (_, at) => `- AC-1.${'abcdef'[at]}: Part ${at + 1} works`)
  return `Here it is.

**Title:** ${title}
**Description:** It is slow. It need not be.
**Acceptance Criteria:**
${lines.join('\n')}
**Technical Approach:** ${approach}
**Estimated Effort:** ${hours} hours`
}

/** The same in slightly other words. */
function otherwise(title: string, chance: Chance): string {
  return chance.one([title, title.toUpperCase(), `${title}.`, title.replace(' of ', ' of the ')])
}

const ASPECTS =
  'retries rounding paging caching sorting totals headings labels contrast shortcuts backups timeouts encoding margins currencies weekdays passwords cookies tokens indexes migrations thumbnails receipts discounts invoices refunds addresses barcodes coupons widgets'.split(
    ' ',
  )
const PLACES =
  'basket checkout catalogue warehouse newsletter dashboard scheduler importer exporter mailer printer scanner gateway ledger calendar glossary directory archive registry planner editor viewer composer translator forecast inspector recorder balancer notifier console'.split(
    ' ',
  )

function titlesOf(chance: Chance): string[] {
  const pairs = ASPECTS.flatMap((aspect) => PLACES.map((place) => `Improve the ${aspect} of ${place}`))
  return chance.shuffled(pairs)
}
