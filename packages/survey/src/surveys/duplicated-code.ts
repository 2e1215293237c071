// The same code in two places, word for word: whoever mends the one has to know of the other.
import type { CodeFile } from '../code-file.ts'
import { isTest, type Project } from '../project.ts'
import { type Looked, looked, type Survey } from '../survey.ts'

export const duplicatedCode: Survey = { category: 'code-quality', name: 'duplicated-code', look, kin }

/** Less than this is a habit of writing, and no copy. */
const TOKENS_MIN = 100
const LINES_MIN = 10
/** What is a table more than code may well repeat itself. */
const NAMES_SHARE_MIN = 0.25
const PLACES_SHOWN = 20
/** Copies are meant here: each must be read, or run, alone. */
const LEFT_OUT =
  /(?:^|\/)(?:examples?|demos?|docs?|website|templates?|migrations?|generated|locales?|i18n|bench(?:marks?)?|\.[\w-]+)\/|\.(?:config|gen|generated)\.[cm]?[jt]sx?$/

async function look(project: Project): Promise<Looked> {
  const code = await project.code()
  if (code.size === 0) return { is: 'skipped', why: 'there is no JavaScript or TypeScript' }
  const own = [...code.values()].filter(({ path }) => !isTest(path) && !LEFT_OUT.test(path))
  const copies = copiesIn(own.map((file) => tokensOf(file, EXACTLY)))
  return looked(
    [...Map.groupBy(copies, keyOf)].map(([key, same]) => {
      const [first] = same
      const files = [...new Set(same.flatMap(({ a, b }) => [a.path, b.path]))]
      const lines = same.reduce((sum, { a }) => sum + a.to - a.from + 1, 0)
      return {
        key,
        title: (files.length === 1
          ? `${first?.a.path} has ${lines} lines twice`
          : `${files.join(' and ')} have ${lines} lines in common`
        ).slice(0, 300),
        files,
        evidence: same
          .slice(0, PLACES_SHOWN)
          .map(({ a, b }) => `${a.path}:${a.from}-${a.to} is ${b.path}:${b.from}-${b.to}`)
          .join('\n')
          .slice(0, 4_000),
        estimateHours: Math.min(8, Math.max(1, Math.round(lines / 30))),
        mendable: false,
      }
    }),
  )
}

/** The pair, for as long as code of the same build is in both: other names for the same make no difference. */
async function kin(project: Project, key: string): Promise<readonly string[]> {
  const code = await project.code()
  const rest = key.slice('duplicated-code:'.length)
  for (const [path, file] of code) {
    const other = rest.startsWith(`${path}:`) ? code.get(rest.slice(path.length + 1)) : undefined
    if (other === undefined) continue
    const files = other === file ? [file] : [file, other]
    const copies = copiesIn(files.map((each) => tokensOf(each, BY_KIND)))
    return copies.some((copy) => keyOf(copy) === key) ? [key] : []
  }
  return []
}

interface Lines {
  readonly path: string
  readonly from: number
  readonly to: number
}

interface Copy {
  readonly a: Lines
  readonly b: Lines
}

function keyOf({ a, b }: Copy): string {
  return `duplicated-code:${[a.path, b.path].toSorted().join(':')}`
}

// ── Tokens ──────────────────────────────────────────────────────────────────────────────────────

interface Tokens {
  readonly path: string
  readonly words: readonly string[]
  /** The line of each. */
  readonly lines: readonly number[]
}

const TOKEN =
  /[A-Za-z_$][\w$]*|\d[\w.]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\n|[^\s\w]/g
const IMPORTS = /^(?:import|export)\s[^;'"`=(]*?from\s*['"][^'"\n]*['"];?|^import\s*['"][^'"\n]*['"];?/gm
const NAME = /^[A-Za-z_$]/

const EXACTLY = (word: string): string => word
/** Any name is like any other, and so is any text or number. */
const BY_KIND = (word: string): string => {
  if (NAME.test(word)) return 'name'
  return /^['"`\d]/.test(word) ? 'value' : word
}

function tokensOf({ path, text, comments }: CodeFile, like: (word: string) => string): Tokens {
  const words: string[] = []
  const lines: number[] = []
  const blank = (part: string) => part.replace(/[^\n]/g, ' ')
  let code = ''
  let at = 0
  for (const { start, end } of comments) {
    code += text.slice(at, start) + blank(text.slice(start, end))
    at = end
  }
  code = (code + text.slice(at)).replace(IMPORTS, blank)
  let line = 1
  for (const [word] of code.matchAll(TOKEN)) {
    if (word === '\n') line += 1
    else {
      words.push(like(word))
      lines.push(line)
      line += word.startsWith('`') ? word.split('\n').length - 1 : 0
    }
  }
  return { path, words, lines }
}

// ── Copies ──────────────────────────────────────────────────────────────────────────────────────

interface Position {
  readonly tokens: Tokens
  readonly at: number
}

/** A copy begins where a line does. Each place is held against the first that has the same words. */
function copiesIn(files: readonly Tokens[]): Copy[] {
  const first = new Map<number, Position>()
  const copies: Copy[] = []
  for (const tokens of files) {
    for (let at = 0; at + TOKENS_MIN <= tokens.words.length; ) {
      const isLineStart = at === 0 || tokens.lines[at] !== tokens.lines[at - 1]
      const here = { tokens, at }
      const found = isLineStart ? copyAt(first, here) : null
      if (found !== null) copies.push(found.copy)
      at += found?.length ?? 1
    }
  }
  return copies
}

function copyAt(
  first: Map<number, Position>,
  here: Position,
): { readonly copy: Copy; readonly length: number } | null {
  const hash = hashAt(here)
  const before = first.get(hash)
  if (before === undefined) {
    first.set(hash, here)
    return null
  }
  const length = sameLength(before, here)
  const [a, b] = [linesOf(before, length), linesOf(here, length)]
  const isCopy = length >= TOKENS_MIN && Math.min(a.to - a.from, b.to - b.from) + 1 >= LINES_MIN
  return isCopy && isCode(here, length) ? { copy: { a, b }, length } : null
}

function hashAt({ tokens: { words }, at }: Position): number {
  let hash = 0
  for (let nth = at; nth < at + TOKENS_MIN; nth += 1) {
    const word = words[nth] ?? ''
    for (let char = 0; char < word.length; char += 1) hash = (Math.imul(hash, 31) + word.charCodeAt(char)) | 0
    hash = (Math.imul(hash, 31) + 7) | 0
  }
  return hash
}

/** How many words are the same from here on; within one file the two do not reach into each other. */
function sameLength(a: Position, b: Position): number {
  const max = Math.min(
    a.tokens.words.length - a.at,
    b.tokens.words.length - b.at,
    a.tokens === b.tokens ? b.at - a.at : Number.MAX_SAFE_INTEGER,
  )
  let length = 0
  while (length < max && a.tokens.words[a.at + length] === b.tokens.words[b.at + length]) length += 1
  return length
}

function linesOf({ tokens: { path, lines }, at }: Position, length: number): Lines {
  const from = lines[at] ?? 1
  return { path, from, to: lines[at + length - 1] ?? from }
}

function isCode({ tokens: { words }, at }: Position, length: number): boolean {
  const names = words.slice(at, at + length).filter((word) => NAME.test(word)).length
  return names / length >= NAMES_SHARE_MIN
}
