// The brief of an idea, as people write and edit it: its features, what makes it done, its risks.
import { type Bullet, headingName, plainText, readSections, type Section } from './markdown.ts'

export interface BriefFeature {
  readonly name: string
  readonly description: string
  readonly details: readonly string[]
}

export interface Brief {
  readonly title: string
  readonly features: readonly BriefFeature[]
  readonly criteria: readonly string[]
  readonly risks: readonly string[]
  /** Names of features, and criteria, that are too many to be planned at once. */
  readonly beyond: { readonly features: readonly string[]; readonly criteria: readonly string[] }
  readonly targetUser: string
  readonly problem: string
  readonly solution: string
  /** Everything in it as plain text. */
  readonly text: string
}

type Part = 'features' | 'criteria' | 'risks' | 'user' | 'problem' | 'solution' | 'excluded' | 'other'

/** The first that fits counts: what is out of scope is no feature. */
const PARTS: readonly (readonly [Part, RegExp])[] = [
  ['excluded', /\b(?:out of scope|not in scope|non-goals?|later|won't|excluded)\b/],
  ['criteria', /\b(?:done when|done|acceptance|success criteria|criteria|definition of done)\b/],
  ['risks', /\brisks?\b/],
  ['user', /\b(?:target users?|users?|audience|customers?|who it is for|personas?)\b/],
  ['problem', /\bproblem\b/],
  ['features', /\b(?:features?|scope|functionality|capabilities|what it does|mvp|commands|user stories)\b/],
  ['solution', /\b(?:solution|concept|approach|overview|summary)\b/],
]

const FEATURES_MAX = 60
const CRITERIA_MAX = 100
const NAME_MAX = 70

export function readBrief(text: string): Brief {
  const sections = readSections(text)
  const parts = partsOf(sections)
  const of = (part: Part) => sections.filter((_, nth) => parts[nth]?.part === part)
  const features = unique(
    sections.flatMap((section, nth) => {
      const at = parts[nth]
      return at?.part === 'features' ? featuresIn(section, at.own) : []
    }),
  )
  const criteria = of('criteria').flatMap(itemsOf)
  const prose = (part: Part) => of(part).flatMap(linesOf).join(' ').slice(0, 4_000)
  return {
    title: titleOf(sections),
    features: features.slice(0, FEATURES_MAX),
    criteria: criteria.slice(0, CRITERIA_MAX),
    risks: of('risks').flatMap(itemsOf).slice(0, CRITERIA_MAX),
    beyond: {
      features: features.slice(FEATURES_MAX).map(({ name }) => name),
      criteria: criteria.slice(CRITERIA_MAX),
    },
    targetUser: prose('user'),
    problem: prose('problem'),
    solution: prose('solution'),
    text: sections.flatMap((section) => [section.heading, ...linesOf(section)]).join('\n'),
  }
}

interface BriefPlace {
  readonly part: Part
  /** The heading names the part itself; false: it stands below one that does. */
  readonly own: boolean
}

function partsOf(sections: readonly Section[]): BriefPlace[] {
  const title = titleAt(sections)
  let above: { part: Part; level: number } = { part: 'other', level: 0 }
  return sections.map((section, nth): BriefPlace => {
    const { heading, level } = section
    if (nth === title) return { part: 'other', own: true }
    const part = partOf(heading, level)
    const isBelow = level > above.level && !(level === BOLD && part !== 'other')
    // Below the features every heading is a feature, whatever it is called.
    if (isBelow && above.part === 'features') return { part: 'features', own: false }
    if (isBelow && part === 'other' && above.part !== 'other') return { part: above.part, own: false }
    above = { part, level }
    return { part, own: true }
  })
}

/** The level of a line that is nothing but bold. */
const BOLD = 6

/** The heading that is the brief's title: the only one of the first level, or the first if it says so. */
function titleAt(sections: readonly Section[]): number {
  const first = sections.findIndex(({ level }) => level > 0)
  const { level, heading } = sections[first] ?? { level: 0, heading: '' }
  if (/^brief\b/i.test(heading)) return first
  return level === 1 && sections.filter((each) => each.level === 1).length === 1 ? first : -1
}

function partOf(heading: string, level: number): Part {
  if (level === 0) return 'other'
  const name = headingName(heading)
  return PARTS.find(([, pattern]) => pattern.test(name))?.[0] ?? 'other'
}

function titleOf(sections: readonly Section[]): string {
  const first = sections.find(({ level, heading }) => level > 0 && heading !== '')
  const heading = first?.heading ?? sections[0]?.prose[0] ?? ''
  return heading
    .replace(/^(?:[a-z]+ )?brief\s*[:–—-]\s*/i, '')
    .trim()
    .slice(0, 300)
}

function linesOf({ prose, bullets }: Section): string[] {
  return [...prose, ...bullets.flatMap(({ text, nested }) => [text, ...nested])].map(plainText)
}

function itemsOf(section: Section): string[] {
  const bullets = section.bullets.map(({ text, nested }) => plainText([text, ...nested].join(' ')))
  return (bullets.length > 0 ? bullets : section.prose.map(plainText)).filter((text) => isSaid(text))
}

/** What stands for an answer that nobody gave. */
function isSaid(text: string): boolean {
  return text !== '' && !/^(?:none(?: yet)?|n\/?a|tbd|-|…|nothing yet|not yet known|unknown)\.?$/i.test(text)
}

function featuresIn(section: Section, own: boolean): BriefFeature[] {
  if (!own) return [headedFeature(section)]
  const { bullets, prose } = section
  if (bullets.length > 0) return bullets.flatMap((bullet) => bulletFeature(bullet) ?? [])
  const rows = prose.filter((line) => line.startsWith('|'))
  if (rows.length > 0) return rows.slice(1).flatMap((row) => rowFeature(row) ?? [])
  return prose.flatMap(listedIn).flatMap((text) => bulletFeature({ text, nested: [] }) ?? [])
}

function headedFeature({ heading, prose, bullets }: Section): BriefFeature {
  const name = heading.replace(/^(?:feature\s*)?\d+[.):]?\s*[:.–—-]?\s*/i, '').trim() || heading
  const description = prose.map(plainText).join(' ')
  return { name: name.slice(0, NAME_MAX), description, details: bullets.map(({ text }) => plainText(text)) }
}

function rowFeature(row: string): BriefFeature | null {
  const [name = '', ...rest] = row
    .split('|')
    .map(plainText)
    .filter((cell) => cell !== '')
  if (name === '' || /^:?-+:?$/.test(name)) return null
  return { name: name.slice(0, NAME_MAX), description: rest.join(', '), details: [] }
}

/** `a, b and c` in one line, as somebody answers who is asked for features. */
function listedIn(line: string): string[] {
  const parts = line.split(/\s*[;,]\s*(?:and\s+)?|\.\s+/).map((part) => part.replace(/\.$/, '').trim())
  const few = parts.filter((part) => part !== '')
  return few.length > 1 && few.every((part) => part.length <= NAME_MAX) ? few : [line]
}

function bulletFeature({ text, nested }: Bullet): BriefFeature | null {
  if (!isSaid(plainText(text))) return null
  const details = nested.map(plainText).filter(isSaid)
  const bold = /^(?:\*\*|__)(.+?)(?:\*\*|__)\s*(?:[:–—-]\s*)?(.*)$/.exec(text)
  const split = bold ?? /^([^:.]{2,60}?)\s*(?::\s+|\s[–—-]\s)(.+)$/.exec(plainText(text))
  if (split !== null) {
    const name = plainText(split[1] ?? '').replace(/[:.]+$/, '')
    if (name !== '') return { name: name.slice(0, NAME_MAX), description: plainText(split[2] ?? ''), details }
  }
  const whole = plainText(text).replace(/\.$/, '')
  return { name: shortName(whole), description: whole, details }
}

/** The first words of a sentence, up to where it goes on to explain. */
function shortName(sentence: string): string {
  const clause = sentence.split(/[,;(.]\s?|\s(?:so that|which|because|in order to)\s/)[0]?.trim() ?? sentence
  const words = (clause === '' ? sentence : clause).split(' ')
  let name = ''
  for (const word of words) {
    if (`${name} ${word}`.trim().length > NAME_MAX) break
    name = `${name} ${word}`.trim()
  }
  return name === '' ? sentence.slice(0, NAME_MAX) : name
}

function unique(features: readonly BriefFeature[]): BriefFeature[] {
  const byName = new Map<string, BriefFeature>()
  for (const feature of features) {
    const key = feature.name.toLowerCase()
    if (!byName.has(key)) byName.set(key, feature)
  }
  return [...byName.values()]
}
