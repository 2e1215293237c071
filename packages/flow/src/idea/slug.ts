// Names of folders, made of what people write.
import { plainLetters } from '../work/plain-letters.ts'
import { whole } from './answer-lines.ts'

const SLUG_MAX = 40
const WORDS_MAX = 5
const TRIES_MAX = 1_000

/** Words that say nothing in a name. */
const STOP_WORDS = new Set(
  'a an and are as at be but by can for from i in into is it its just me my of on or our so some that the their them then there they this to us want wants was we what which who will with would you your'.split(
    ' ',
  ),
)

/** Names that a file system takes for devices. */
const TAKEN = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** The first words of its first sentence as small letters, digits and hyphens; never empty. */
export function slugOf(text: string, fallback = 'idea'): string {
  const words = wordsOf(firstSentence(text))
  const telling = words.filter((word) => !STOP_WORDS.has(word))
  return joined(telling.length > 0 ? telling : words) || fallback
}

/** A person's name as the name of a folder. */
export function userSlugOf(name: string | null): string {
  return joined(wordsOf(name ?? '')) || 'owner'
}

/** The name, or the name with the first number that is free. */
export function* freeSlugs(slug: string): Generator<string> {
  yield slug
  for (let count = 2; count < TRIES_MAX; count += 1) yield `${slug}-${count}`
}

/** The sentence that an idea begins with, in one line. */
export function titleOf(text: string, max: number): string {
  const sentence = firstSentence(text).replace(/\s+/g, ' ').trim()
  const all = sentence === '' ? text.replace(/\s+/g, ' ').trim() : sentence
  return all.length > max ? `${whole(all.slice(0, max - 1)).trimEnd()}…` : all
}

function firstSentence(text: string): string {
  const [line = ''] = text.trim().split('\n', 1)
  return /^.*?[^\s.!?][.!?](?=\s)/.exec(line)?.[0].replace(/\.$/, '') ?? line.replace(/\.$/, '')
}

function wordsOf(text: string): string[] {
  const plain = plainLetters(text).replace(/['’]/g, '')
  return plain.split(/[^a-z0-9]+/).filter((word) => word !== '')
}

function joined(words: readonly string[]): string {
  let slug = ''
  for (const word of words.slice(0, WORDS_MAX)) {
    const longer = slug === '' ? word.slice(0, SLUG_MAX) : `${slug}-${word}`
    if (longer.length > SLUG_MAX) break
    slug = longer
  }
  return TAKEN.test(slug) ? `${slug}-1` : slug
}
