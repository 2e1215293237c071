// A lesson as a Markdown file: front matter with all its facts, then the sentence itself.
import { createHash } from 'node:crypto'
import { Lesson, NewLesson } from '@treadle/contracts/lesson'
import { parseDocument, stringify } from 'yaml'

/** The size limit of a file: more than any valid lesson comes to. */
export const FILE_BYTES_MAX = 2_097_152
const OPEN = '---\n'
const CLOSE = '\n---\n'

export type LessonRead =
  | { readonly is: 'read'; readonly lesson: Lesson }
  | { readonly is: 'bad'; readonly why: string }

export function fileNameOf({ id, type, topic, content }: Lesson): string {
  const words =
    (topic ?? content)
      .toLowerCase()
      .normalize('NFKD')
      .match(/[a-z0-9]+/g) ?? []
  const slug = words.slice(0, 6).join('-').slice(0, 50)
  return `${[type, slug, id.slice(0, 8)].filter((part) => part !== '').join('-')}.md`
}

export function writeLesson({ content, ...facts }: Lesson): string {
  const head = stringify(facts, { lineWidth: 0, aliasDuplicateObjects: false })
  return `${OPEN}${head.trimEnd()}${CLOSE}\n${content}\n`
}

/** A file of ours, or one that somebody wrote by hand: only the type is needed there. */
export function readLesson(text: string, at: Date): LessonRead {
  const plain = unix(text.replace(/^\uFEFF/, ''))
  if (!plain.startsWith(OPEN)) return bad('it does not begin with a line of three dashes')
  const end = plain.indexOf(CLOSE, OPEN.length - 1)
  if (end === -1) return bad('the front matter has no end: a line of three dashes is missing')
  const head = frontMatter(plain.slice(OPEN.length, end + 1))
  if (head.is === 'bad') return head
  const content = plain
    .slice(end + CLOSE.length)
    .replace(/^\n/, '')
    .replace(/\n$/, '')
  if ('content' in head.facts) return bad('content belongs below the front matter')
  return typeof head.facts.id === 'string'
    ? whole({ ...head.facts, content })
    : byHand(head.facts, content, at)
}

/** Windows editors and git may have changed how lines end. */
function unix(text: string): string {
  return text.startsWith('---\r\n') ? text.replaceAll('\r\n', '\n') : text
}

type Facts = Readonly<Record<string, unknown>>

function frontMatter(text: string): { is: 'facts'; facts: Facts } | { is: 'bad'; why: string } {
  try {
    const document = parseDocument(text, { uniqueKeys: true, strict: true, logLevel: 'silent' })
    const [error] = document.errors
    if (error !== undefined) return bad(`the front matter is not YAML: ${error.message.split('\n')[0]}`)
    // Aliases make small files big; an exported one has none.
    const facts: unknown = document.toJS({ maxAliasCount: 0 })
    return isRecord(facts)
      ? { is: 'facts', facts }
      : bad('the front matter is not a list of names and values')
  } catch (error) {
    return bad(`the front matter cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function isRecord(value: unknown): value is Facts {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function whole(facts: Facts): LessonRead {
  const read = Lesson.safeParse(facts)
  return read.success ? { is: 'read', lesson: read.data } : bad(said(read.error))
}

/** The same text gives the same id, so that taking it in again adds nothing. */
function byHand(facts: Facts, content: string, at: Date): LessonRead {
  const read = NewLesson.omit({ seenAt: true }).safeParse({ discoveredBy: 'imported', ...facts, content })
  if (!read.success) return bad(said(read.error))
  if (content.trim() === '') return bad('it says nothing: the sentence belongs below the front matter')
  const { type, glob, action, topic, signature, payload } = read.data
  const sum = createHash('sha256')
    .update(JSON.stringify([type, glob, action, topic, signature, payload, content]))
    .digest('hex')
  const variant = ((Number.parseInt(sum.slice(16, 17), 16) & 3) | 8).toString(16)
  const id = [
    sum.slice(0, 8),
    sum.slice(8, 12),
    `8${sum.slice(13, 16)}`,
    `${variant}${sum.slice(17, 20)}`,
    sum.slice(20, 32),
  ].join('-')
  const times = { createdAt: at.toISOString(), updatedAt: at.toISOString() }
  return whole({ ...read.data, id, occurrences: 1, supersededBy: null, ...times })
}

interface Refused {
  readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]
}

function said({ issues }: Refused): string {
  const told = issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join('.') || 'front matter'}: ${message}`)
  return told.join('; ')
}

function bad(why: string): { is: 'bad'; why: string } {
  return { is: 'bad', why }
}
