// Names of features as they appear in paths: slugs, and the ways in which languages write them.
import { plainLetters } from '../work/plain-letters.ts'

const SLUG_MAX = 48

/** Small letters, digits and single hyphens; `fallback` where nothing of the text can be written so. */
export function slugOf(text: string, fallback: string): string {
  const plain = plainLetters(text)
    .replace(/['’`]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  if (plain === '') return fallback
  if (plain.length <= SLUG_MAX) return plain
  const cut = plain.slice(0, SLUG_MAX + 1)
  return (cut.includes('-') ? cut.slice(0, cut.lastIndexOf('-')) : cut.slice(0, SLUG_MAX)).replace(/-+$/, '')
}

/** Letters and digits of whatever script, as they are, and single hyphens; empty where there are none. */
export function writtenSlugOf(text: string): string {
  const parts = text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)
  return [...(parts ?? []).join('-')].slice(0, SLUG_MAX).join('').replace(/-+$/, '')
}

/** A slug that is not among those taken: `-2`, `-3` and so on behind it. */
export function uniqueSlug(slug: string, taken: ReadonlySet<string>): string {
  let unique = slug
  for (let nth = 2; taken.has(unique); nth += 1) unique = `${slug}-${nth}`
  return unique
}

export function pascalOf(slug: string): string {
  return slug
    .split('-')
    .map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`)
    .join('')
}

export type Spelling = 'kebab' | 'snake' | 'camel' | 'pascal'

export function spell(slug: string, spelling: Spelling): string {
  switch (spelling) {
    case 'kebab':
      return slug
    case 'snake':
      return slug.replaceAll('-', '_')
    case 'pascal':
      return pascalOf(slug)
    case 'camel': {
      const pascal = pascalOf(slug)
      return `${pascal.charAt(0).toLowerCase()}${pascal.slice(1)}`
    }
  }
}

/** Without capitals and signs, so that one name is found in a title and in a path, however it is written there. */
export function bareName(text: string): string {
  return plainLetters(text).replace(/[^\p{L}\p{N}\p{M}]/gu, '')
}

/** Whether two names are those of one feature: C++ is not C#, and what has no letters is told apart by its signs. */
export function isSameName(one: string, other: string): boolean {
  const keyOf = (name: string) =>
    plainLetters(name).replace(/[^\p{L}\p{N}\p{M}+#]/gu, '') || name.trim().toLowerCase()
  return keyOf(one) === keyOf(other)
}

const STOP_WORDS = new Set(
  `a an and any app are as at be been but by can could do does done each every for from get gets go has have if in
  into is it its just make makes may more must new no not of on one only or our out own people person project read see should
  show shows so some still such than that the their them then there these they this those to two up us use used
  user users uses using via want was way we what when where which who will with without work works would you your`.split(
    /\s+/,
  ),
)

/** Words that say something, in small letters, without plural endings. */
export function tellingWords(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}[\p{L}\p{N}]+/gu) ?? []
  return words.filter((word) => word.length > 2 && !STOP_WORDS.has(word)).map(singular)
}

export function singular(word: string): string {
  if (/ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|us|is)$/.test(word) || !word.endsWith('s') || word.length < 4) return word
  return word.slice(0, -1)
}

const PACKAGE_WORDS = 2
/** Words of a title that say what kind of thing it is, and not which. */
const KIND_WORDS =
  /^(?:tool|application|program|package|library|module|service|command|line|small|simple|new|python|rust|say|tell|let|help)s?$/

/** The name of a package: the first words of a title that say something. */
export function packageNameOf(title: string): string {
  const words = slugOf(title, 'app').split('-')
  const telling = words.filter((word) => word.length > 1 && !STOP_WORDS.has(word) && !KIND_WORDS.test(word))
  const name = (telling.length === 0 ? words : telling).slice(0, PACKAGE_WORDS).join('_')
  // A name that begins with a digit can be imported nowhere.
  return /^\d/.test(name) ? `app_${name}` : name
}

const TOPICS_MAX = 20

/** What a text is about: its most frequent telling words, as they are and in the singular. */
export function topicsOf(text: string): string[] {
  const counts = new Map<string, number>()
  for (const word of tellingWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const words = [...counts].sort((a, b) => b[1] - a[1]).map(([word]) => word)
  const asWritten = new Set(text.toLowerCase().match(/\p{L}[\p{L}\p{N}]+/gu) ?? [])
  const topics = words.flatMap((word) => (asWritten.has(`${word}s`) ? [word, `${word}s`] : [word]))
  return [...new Set(topics)].slice(0, TOPICS_MAX)
}
