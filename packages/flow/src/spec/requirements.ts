// Requirements out of the documents of an idea: what it does, and how well it has to do it.
import type { Requirement } from '@treadle/contracts/specification'
import type { Feature } from './features.ts'
import { headingName, plainText, readSections } from './markdown.ts'
import { tellingWords } from './names.ts'

/** Words of quality, with the name that each has. */
const QUALITIES: readonly (readonly [string, RegExp])[] = [
  [
    'Works offline',
    /\b(?:offline|without (?:an? )?(?:network|internet|connection|signal)|no (?:signal|connection|internet))\b/i,
  ],
  [
    'Fast',
    /\b(?:fast|quick(?:ly)?|instant(?:ly)?|performan(?:t|ce)|latency|responsive|within \d+ ?(?:ms|milliseconds?|s|seconds?)|under \d+ ?(?:ms|milliseconds?|s|seconds?))\b/i,
  ],
  ['Secure', /\b(?:secure(?:ly)?|security|encrypt\w*|password|permissions?|authori[sz]\w+|tamper\w*)\b/i],
  ['Private', /\b(?:priva(?:te|cy)|gdpr|personal data|no tracking|on the device only)\b/i],
  ['Accessible', /\b(?:accessib\w+|screen readers?|wcag|a11y|keyboard (?:only|users?|navigation))\b/i],
  [
    'Reliable',
    /\b(?:reliab\w+|never los\w+|no data loss|crash\w*|recover\w*|retr(?:y|ies)|idempoten\w+|fault[- ]toleran\w+)\b/i,
  ],
  ['Scales', /\b(?:scal(?:e|es|able|ability)|thousands of|millions? of|large (?:files|amounts|data))\b/i],
  [
    'Portable',
    /\b(?:cross[- ]platform|windows, mac|macos and (?:linux|windows)|any browser|all browsers|browsers? and node)\b/i,
  ],
  ['Small', /\b(?:lightweight|zero[- ]dependenc\w+|no dependencies|tree[- ]shak\w+|small bundle)\b/i],
  ['In several languages', /\b(?:i18n|locali[sz]\w+|translat(?:ed|ions?)|multilingual|several languages)\b/i],
]

const GENERAL_MAX = 20
const TEXT_MAX = 500

interface RequirementSource {
  readonly features: readonly Feature[]
  readonly readme: string
  readonly brief: string
  readonly development: string | null
  /** Other documents, searched for words of quality only. */
  readonly others: readonly string[]
}

export function requirementsOf(source: RequirementSource): Requirement[] {
  const { features, readme, brief, development } = source
  const functional = features.map(({ name, description, details }) => ({
    feature: name.slice(0, 200),
    text: clipped(
      [name, description === name ? '' : description, ...details].filter((part) => part !== '').join(': '),
    ),
  }))
  const said = [readme, brief, development ?? ''].flatMap(statedIn)
  const general = said
    .filter((text) => !features.some((feature) => isAbout(text, feature)))
    .filter((text) => qualityOf(text) === null)
    .slice(0, GENERAL_MAX)
    .map((text) => ({ feature: null, text: clipped(text) }))
  const qualities = qualitiesIn([brief, readme, development ?? '', ...source.others])
  return [
    ...[...functional, ...general].map((each, nth) => ({
      id: `FR-${nth + 1}`,
      kind: 'functional' as const,
      ...each,
    })),
    ...qualities.map((text, nth) => ({
      id: `NFR-${nth + 1}`,
      kind: 'non_functional' as const,
      text,
      feature: null,
    })),
  ]
}

function clipped(text: string): string {
  return text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX - 1)}…`
}

function sentencesIn(text: string): string[] {
  return readSections(text)
    .flatMap(({ prose, bullets }) => [
      ...prose.join(' ').split(/(?<=[.!?])\s+/),
      ...bullets.map((bullet) => bullet.text),
    ])
    .map(plainText)
    .filter((sentence) => sentence !== '')
}

/** Sentences that demand something, and what stands under a heading of requirements. */
function statedIn(text: string): string[] {
  const demanded = sentencesIn(text).filter((sentence) =>
    /\b(?:must|shall|has to|have to|needs? to)\b/i.test(sentence),
  )
  const listed = readSections(text)
    .filter(({ heading }) => /\b(?:requirements?|constraints?)\b/.test(headingName(heading)))
    .flatMap(({ bullets }) => bullets.map((bullet) => plainText(bullet.text)))
  return [...new Set([...listed, ...demanded])].filter((sentence) => sentence.length >= 8)
}

function isAbout(text: string, { name, description }: Feature): boolean {
  const words = new Set(tellingWords(text))
  if (description !== '' && text.includes(description)) return true
  const own = tellingWords(name)
  return own.length > 0 && own.every((word) => words.has(word))
}

function qualityOf(text: string): string | null {
  return QUALITIES.find(([, pattern]) => pattern.test(text))?.[0] ?? null
}

/** Each quality once, in the first sentence that names it. */
function qualitiesIn(texts: readonly string[]): string[] {
  const sentences = texts.flatMap(sentencesIn)
  return QUALITIES.flatMap(([name, pattern]) => {
    const sentence = sentences.find((each) => pattern.test(each))
    return sentence === undefined ? [] : [clipped(`${name}: ${sentence}`)]
  })
}
