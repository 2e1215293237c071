// Finds the questions in what an agent wrote. What cannot be understood is reported, never thrown.
import { NewQuestion } from '@treadle/contracts/question'
import { z } from 'zod'

/** Who wrote it and where in its work; the rest of a question is in its words. */
export type Asker = Pick<
  z.input<typeof NewQuestion>,
  'agent' | 'phase' | 'sessionId' | 'ideaId' | 'runId' | 'item'
>

export type ParsedQuestion =
  | { is: 'question'; question: NewQuestion }
  | { is: 'broken'; why: string; excerpt: string }

const RESPONSE_MAX = 1_000_000
const OBJECT_MAX = 50_000
const FOUND_MAX = 10
const STARTS_MAX = 50
const EXCERPT_MAX = 200

const JSON_FENCES = new Set(['', 'json', 'jsonc', 'json5'])

const maybe = <T extends z.ZodType>(schema: T) => schema.nullish().transform((given) => given ?? undefined)

// Looser than the contract: models leave things out, write null, and give options as bare words.
const Spoken = z.object({
  type: z
    .string()
    .transform((type) => type.trim().toLowerCase())
    .pipe(NewQuestion.shape.type),
  text: z.string(),
  context: maybe(z.string()),
  options: maybe(
    z.array(
      z.union([
        z.string().transform((label) => ({ label })),
        z
          .object({
            label: z.string(),
            description: maybe(z.string()),
            recommended: maybe(z.boolean()),
            implications: maybe(z.string()),
          })
          .transform((option) => withoutGaps(option)),
      ]),
    ),
  ),
  default: maybe(z.string()),
  allowFreeText: maybe(z.boolean()),
})

export function questionsIn(response: string, asker: Asker): ParsedQuestion[] {
  // What is asked stands at the end, so of a huge answer the end is read.
  const text = withoutOtherCode(response.slice(-RESPONSE_MAX))
  const found: ParsedQuestion[] = []
  let from = 0
  for (let starts = 0; starts < STARTS_MAX && found.length < FOUND_MAX; starts += 1) {
    const start = nextStart(text, from)
    if (start === -1) break
    const end = endOfObject(text, start)
    found.push(end === -1 ? broken(text, start, 'it is not closed') : read(text, start, end, asker))
    from = end === -1 ? start + 1 : end
  }
  return found
}

function nextStart(text: string, from: number): number {
  const start = /\{\s{0,200}"question"\s{0,20}:\s{0,200}\{/g
  start.lastIndex = from
  return start.exec(text)?.index ?? -1
}

/** A question quoted in a program, a diff or a shell session is not one that is asked. */
function withoutOtherCode(text: string): string {
  let language: string | null = null
  const kept = text.split('\n').map((line) => {
    const fence = /^\s*(?:```+|~~~+)\s*([\w+-]*)/.exec(line)?.[1]?.toLowerCase()
    // Within a block only a bare fence ends it.
    if (fence === undefined || (language !== null && fence !== '')) {
      return language === null || JSON_FENCES.has(language) ? line : ''
    }
    language = language === null ? fence : null
    return ''
  })
  return kept.join('\n')
}

/** Behind the brace that closes the one at `start`, or -1; braces in strings do not count. */
function endOfObject(text: string, start: number): number {
  let depth = 0
  const within = text.slice(start, start + OBJECT_MAX)
  for (const match of within.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}]/g)) {
    if (match[0] === '{') depth += 1
    if (match[0] === '}') depth -= 1
    if (depth === 0) return start + match.index + 1
  }
  return -1
}

function read(text: string, start: number, end: number, asker: Asker): ParsedQuestion {
  let value: unknown
  try {
    value = JSON.parse(text.slice(start, end))
  } catch (error) {
    return broken(text, start, error instanceof Error ? error.message : String(error))
  }
  const spoken = z.object({ question: Spoken }).safeParse(value)
  if (!spoken.success) return broken(text, start, z.prettifyError(spoken.error))
  const { default: given, options = [], allowFreeText = true, ...rest } = spoken.data.question
  const fallback = rest.type === 'clarifying' ? options.find(isRecommended)?.label : undefined
  const defaultOption = given ?? fallback
  const question = NewQuestion.safeParse({
    ...asker,
    ...withoutGaps(rest),
    options,
    allowFreeText,
    ...(defaultOption === undefined ? {} : { defaultOption }),
  })
  return question.success
    ? { is: 'question', question: question.data }
    : broken(text, start, z.prettifyError(question.error))
}

function isRecommended(option: { label: string; recommended?: unknown }): boolean {
  return option.recommended === true
}

function withoutGaps<T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}

function broken(text: string, start: number, why: string): ParsedQuestion {
  return { is: 'broken', why, excerpt: text.slice(start, start + EXCERPT_MAX) }
}
