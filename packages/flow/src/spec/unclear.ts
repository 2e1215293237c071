// Words of requirements that can be read in more than one way, and requirements that cannot both hold: pure.
import type { Specification } from '@treadle/contracts/specification'
import { tellingWords } from './names.ts'

type UnclearKind = 'speed' | 'quantity' | 'quality' | 'person' | 'open_list'

export interface Unclear {
  readonly kind: UnclearKind
  readonly text: string
  readonly term: string
}

interface Rule {
  readonly kind: UnclearKind
  readonly words: RegExp
  /** A number beside the word says what is meant. */
  readonly numberSaysIt: boolean
}

const RULES: readonly Rule[] = [
  {
    kind: 'speed',
    words:
      /\b(fast|faster|quick|quickly|instant|instantly|responsive|snappy|promptly|performant|real[- ]time|low[- ]latency|performs well|(?:good|high) performance)\b/i,
    numberSaysIt: true,
  },
  {
    kind: 'quantity',
    words:
      /\b(lots of|a lot of|plenty of|(?<!\bhow |-)many(?!-)(?= \w)|a (?:large|huge|great|high) (?:number|amount|volume) of|(?:large|huge|big) (?:files?|lists?|data|amounts?|numbers?|tables?|images?|projects?|repositor(?:y|ies))|heavy load|high[- ](?:volume|load|traffic)|scal(?:es|able)|regularly|frequently|from time to time|once in a while|periodically|as (?:many|much|few|little|often) as possible)\b/i,
    numberSaysIt: true,
  },
  {
    kind: 'quality',
    words:
      /\b(user[- ]friendly|friendly|eas(?:y|ily)(?: to \w+)?|intuitive(?:ly)?|seamless(?:ly)?|robust|reliabl[ey]|(?:is|are|be|stays?|kept|stored|sent|remains?) secure(?:ly)?|securely|flexible|efficient(?:ly)?|adequate(?:ly)?|appropriate(?:ly)?|reasonabl[ey]|good[- ]looking|beautiful|state[- ]of[- ]the[- ]art|modern|attractive|(?:as|where|when|if) (?:needed|necessary|possible|appropriate|required))\b/i,
    numberSaysIt: true,
  },
  {
    kind: 'person',
    words:
      /(?:^|:\s|\bby |\bto )((?:someone|somebody)(?= )|the (?:right|relevant|responsible|appropriate|necessary) (?:people|persons?|users?|staff|teams?|parties)|(?:certain|some|selected|special) (?:people|persons?|users?|roles?)|stakeholders?|all parties)\b/i,
    numberSaysIt: false,
  },
  {
    kind: 'open_list',
    words:
      /(?:^|[\s,(])(etc\.?|and so (?:on|forth)|and (?:much )?more(?=[.)]*$)|and the like|or (?:something )?similar(?=[.)]*$)|tbd|to be (?:decided|defined|determined))(?=$|[\s,.;)])/i,
    numberSaysIt: false,
  },
]

const UNCLEAR_MAX = 20

type SpecWords = Pick<Specification, 'requirements' | 'criteria'>

/** Requirements and criteria with a word that nobody can check, each once; criteria come first. */
export function unclearIn(said: SpecWords): Unclear[] {
  const texts = textsOf(said)
  return texts
    .filter((text) => !texts.some((other) => goesOn(other, text) || goesOn(text, other)))
    .flatMap((text) => unclear(text) ?? [])
    .slice(0, UNCLEAR_MAX)
}

function unclear(text: string): Unclear | null {
  for (const { kind, words, numberSaysIt } of RULES) {
    const term = numberSaysIt && /\d/.test(text) ? undefined : words.exec(text)?.[1]
    if (term !== undefined) return { kind, text, term }
  }
  return null
}

function textsOf({ criteria, requirements }: SpecWords): string[] {
  const own = requirements.map(({ kind, feature, text }) => {
    if (feature !== null) return text.startsWith(`${feature}: `) ? text.slice(feature.length + 2) : text
    // A quality has its name before the sentence that names it.
    return kind === 'non_functional' ? text.replace(/^[^:]{1,40}: /, '') : text
  })
  return [...new Set([...criteria.map(({ text }) => text), ...own].map((text) => text.trim()))]
}

/** The one says what the other means: it is the other with an answer behind it. */
function goesOn(text: string, other: string): boolean {
  return text !== other && text.startsWith(`${other.replace(/[.!]+$/, '')}: `)
}

export interface Opposed {
  readonly one: string
  readonly other: string
}

/** What one says is ruled out by what the other says. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\b(?:offline|without (?:an? )?(?:network|internet|connection))\b/i,
    /\b(?:only (?:works )?online|works? only online|online only|does not work offline)\b/i,
  ],
  [
    /\b(?:no|without) (?:accounts|log[- ]?ins|registration)\b/i,
    /\b(?:logs? in|log[- ]in (?:page|form)|signs? up|creates? an account|registers? (?:an account|with))\b/i,
  ],
  [
    /\b(?:(?:nothing|no data) leaves the (?:device|phone|computer|machine)|(?:on|stays? on) the (?:device|phone|computer) only)\b/i,
    /\b(?:in the cloud|(?:sent|uploaded|synced) to (?:the|our|a) (?:server|cloud))\b/i,
  ],
  [
    /\b(?:no|without(?: an?)?|needs? no) database\b/i,
    /(?<!\b(?:no|without|without a) )\b(?:in|from|to|uses?) (?:a|the) (?:\w+ )?database\b/i,
  ],
]

const DENIAL = /\b(?:not|never|no|cannot|without)\b|n['’]t\b/gi
const OPPOSED_MAX = 3
const COMPARED_MAX = 80
/** Fewer words say too little to be held against each other. */
const WORDS_MIN = 3

/** Pairs that cannot both hold, told by fixed opposites, or by the same words once with and once without a denial. */
export function opposedIn(said: SpecWords): Opposed[] {
  const texts = textsOf(said).slice(0, COMPARED_MAX)
  return texts
    .flatMap((one, nth) =>
      texts.slice(nth + 1).flatMap((other) => (areOpposed(one, other) ? [{ one, other }] : [])),
    )
    .slice(0, OPPOSED_MAX)
}

function areOpposed(one: string, other: string): boolean {
  const ruledOut = OPPOSITES.some(
    ([says, not]) =>
      (says.test(one) && not.test(other) && !says.test(other)) ||
      (says.test(other) && not.test(one) && !says.test(one)),
  )
  return ruledOut || isDenial(one, other)
}

function isDenial(one: string, other: string): boolean {
  const [mine, theirs] = [wordsOf(one), wordsOf(other)]
  if (mine.length < WORDS_MIN || mine.join(' ') !== theirs.join(' ')) return false
  return denials(one) % 2 !== denials(other) % 2
}

function wordsOf(text: string): string[] {
  return [
    ...new Set(tellingWords(text.replace(DENIAL, ' ').replace(/\b(?:can|does|do|is|are|may|must)\b/gi, ' '))),
  ].sort()
}

function denials(text: string): number {
  return text.match(DENIAL)?.length ?? 0
}
