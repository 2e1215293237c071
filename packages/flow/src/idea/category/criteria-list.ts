// The acceptance criteria of an idea as one line each, under ids that the review of a delivery knows: `AC-1.a: …`.
import { visibleLine } from '@treadle/contracts/category-idea'
import { isMarkedLine } from './idea-labels.ts'
import type { IdeaLine } from './idea-lines.ts'

const HEAD_CHARS = 80
const BULLET = /^(?:[-*+•]|\d{1,3}[.)]|[a-z]\))\s+/
const BOX = /^\[[ xX✓✔]?\]\s*/
/** AC-1.a, AC-1.1.a, AC-1 or AC1 at the beginning, in whatever brackets or emphasis. */
const ID =
  /^[*_`([]{0,4}AC[\s-]?(\d{1,4}(?:\.\d{1,4}){0,2}(?:\.?[a-z](?![a-z]))?)[\])`*_]{0,5}(\s?[:.)]|\s?[–—-]\s)?[\])`*_]{0,5}\s*/i
const FULL_ID = /^\d{1,4}(?:\.\d{1,4})?\.[a-z]$/i
const PLACEHOLDER = /^\[[^\]]*\]$/
const IDS_STRIPPED_MAX = 5

interface Entry {
  readonly id: string | null
  readonly text: string
}

/** Bullets, numbered lines, checklists, and lines that begin with an id; what is indented further belongs to the entry above. */
export function criteriaIn(lines: readonly IdeaLine[]): string[] {
  return withIds(entriesIn(lines).map(entryOf).filter(saysSomething))
}

/** Whether a line belongs to a list of criteria: an entry, or what is indented below one. */
export function isCriterionLine({ text, isCode }: IdeaLine): boolean {
  const line = text.trim()
  return !isCode && (/^\s/.test(text) || line === '' || begins(line, { needsId: false, isDeep: false }))
}

/** The head of a group of criteria says nothing, nor does the form that the prompt has shown. */
function saysSomething({ id, text }: Entry): boolean {
  return text !== '' && !PLACEHOLDER.test(text) && (id !== null || !text.endsWith(':'))
}

/** The same entries, numbered where not each has an id of its own. */
function withIds(entries: readonly Entry[]): string[] {
  const ids = new Set(entries.map(({ id }) => id))
  const areOwn = !ids.has(null) && ids.size === entries.length
  return entries.map(({ id, text }, at) => `${areOwn && id !== null ? id : idAt(at)}: ${text}`)
}

/** AC-1.a to AC-1.z, then AC-2.a. */
function idAt(at: number): string {
  return `AC-${Math.floor(at / 26) + 1}.${String.fromCharCode(97 + (at % 26))}`
}

/** The words of a criterion without bullet, box and id, however often the id stands there. */
function entryOf(line: string): Entry {
  let text = unlisted(visibleLine(line))
  let id: string | null = null
  for (let nth = 0; nth < IDS_STRIPPED_MAX; nth += 1) {
    const [all = '', name = '', separator] = ID.exec(text.slice(0, HEAD_CHARS)) ?? []
    const isFull = FULL_ID.test(name)
    if (all === '' || (separator === undefined && !isFull)) break
    if (isFull) id ??= `AC-${name.toLowerCase()}`
    text = withoutClosing(all, text.slice(all.length))
  }
  return { id, text: text.trim() }
}

/** "**AC-1.a (first):** words": emphasis that began with the id and goes on behind it. */
function withoutClosing(id: string, rest: string): string {
  const isOpen = /^[*_]{2}/.test(id) && !/[*_]{2}[\s:.)\]–—-]{0,4}$/.test(id)
  return isOpen ? rest.replace(/\*\*|__/, '') : rest
}

function entriesIn(lines: readonly IdeaLine[]): string[] {
  const entries: { readonly indent: number; readonly parts: string[] }[] = []
  let needsId = false
  let isOpen = false
  for (const { text, isCode } of lines) {
    const indent = text.length - text.trimStart().length
    const line = text.trim()
    const last = entries.at(-1)
    const base = entries[0]?.indent ?? indent
    if (line === '') isOpen = isOpen && !isCode
    else if (!isCode && begins(line, { needsId, isDeep: indent > base + 1 })) {
      entries.push({ indent, parts: [line] })
      isOpen = true
    } else if (isOpen && last !== undefined && indent > last.indent) last.parts.push(unlisted(line))
    else {
      // Under another heading stands something else, unless it says by its id that it is a criterion.
      needsId ||= entries.length > 0 && !isCode && isMarkedLine(line)
      isOpen = false
    }
  }
  return entries.map(({ parts }) => parts.join(' '))
}

interface Standing {
  /** Only what has an id is a criterion here. */
  readonly needsId: boolean
  /** It is indented below another entry. */
  readonly isDeep: boolean
}

function begins(line: string, { needsId, isDeep }: Standing): boolean {
  const head = line.slice(0, HEAD_CHARS)
  const bare = unlisted(head)
  const id = ID.exec(bare)
  // "AC-1 is the hard one" is a sentence: without a bullet, an id needs what separates it from its words.
  if (id !== null) return bare !== head || id[2] !== undefined
  return bare !== head && !needsId && !isDeep
}

function unlisted(line: string): string {
  const rest = line.slice(BULLET.exec(line.slice(0, HEAD_CHARS))?.[0].length ?? 0)
  return rest.slice(BOX.exec(rest.slice(0, HEAD_CHARS))?.[0].length ?? 0)
}
