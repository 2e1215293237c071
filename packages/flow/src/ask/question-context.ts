// Answers that are already written down: in CLAUDE.md, AGENTS.md or the item itself.
import type { NewQuestion } from '@treadle/contracts/question'

export interface WrittenAnswer {
  readonly text: string
  readonly option: string | null
}

type AnswerableQuestion = Pick<NewQuestion, 'tags' | 'options' | 'type'>

/** Less would match by chance. */
const LABEL_MIN = 3
const LINES_MAX = 5_000
const DOUBT = /\b(not|never|no|none|except|unless|avoid|cannot|instead of)\b|n['’]t\b|\?/i

/**
 * "tag: option"; where nobody is held up also a line that names the tag and exactly one of the options, and where a
 * way of doing things is asked for "tag: words".
 */
export function answerIn(
  { tags, options, type }: AnswerableQuestion,
  texts: readonly string[],
  isBlocking: boolean,
): WrittenAnswer | null {
  const lines = texts.flatMap((text) => text.split('\n')).slice(0, LINES_MAX)
  const labels = options.map(({ label }) => label)
  for (const tag of tags) {
    for (const line of lines) {
      const found = isBlocking ? statedIn(line, tag, labels) : foundIn(line, tag, labels)
      if (found !== null && (found.option !== null || type === 'preference')) return found
    }
  }
  return null
}

/** What holds somebody up is answered only by an option as it stands. */
function statedIn(line: string, tag: string, labels: readonly string[]): WrittenAnswer | null {
  const value = valueIn(line, tag)?.toLowerCase()
  const option = labels.find((label) => label.toLowerCase() === value)
  return option === undefined ? null : { text: option, option }
}

function foundIn(line: string, tag: string, labels: readonly string[]): WrittenAnswer | null {
  const value = valueIn(line, tag)
  if (value !== null) {
    const option = optionIn(labels, value)
    return { text: option ?? value, option }
  }
  const option = hasWords(line, tag) && !DOUBT.test(line) ? optionIn(labels, line) : null
  return option === null ? null : { text: option, option }
}

function valueIn(line: string, tag: string): string | null {
  const found = /^[\s>*+-]*([^:]{1,100}?)\s*:\s*(\S.*)$/.exec(line)
  const name = found?.[1]?.replace(/[*_`]/g, '').trim().toLowerCase()
  const value = found?.[2]?.replace(/^[*_`\s]+|[*_`\s.]+$/g, '') ?? ''
  return name === tag.toLowerCase() && value !== '' && !DOUBT.test(value) ? value : null
}

/** As whole words. */
function hasWords(text: string, words: string): boolean {
  const plain = (given: string) =>
    given
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_-]+/gu, ' ')
      .trim()
  return plain(words) !== '' && ` ${plain(text)} `.includes(` ${plain(words)} `)
}

function optionIn(labels: readonly string[], text: string): string | null {
  const within = text.toLowerCase()
  const exact = labels.find((label) => label.toLowerCase() === within)
  if (exact !== undefined) return exact
  const named = labels.filter((label) => label.length >= LABEL_MIN && hasWords(text, label))
  return named.length === 1 ? (named[0] ?? null) : null
}
