// A diff split into files, and which of them are open, drawn and coloured.
const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'tsx',
  tsx: 'tsx',
  mts: 'tsx',
  cts: 'tsx',
  js: 'tsx',
  jsx: 'tsx',
  mjs: 'tsx',
  cjs: 'tsx',
  json: 'json',
  css: 'css',
  go: 'go',
  java: 'java',
  py: 'python',
  rs: 'rust',
  yaml: 'yaml',
  yml: 'yaml',
}

/** The language of a file by its name; null is shown without colours. */
export function languageOf(path: string): string | null {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return Object.hasOwn(LANGUAGES, ending) ? (LANGUAGES[ending] ?? null) : null
}

/** A file of a diff, not taken apart yet. */
export interface DiffPart {
  readonly path: string
  readonly text: string
  readonly lines: number
  /** False for large, machine-made and further files, whose lines are shown when asked for. */
  readonly open: boolean
}

/** A file with more lines is shown as plain text: to draw it as a table would hold up the whole page. */
export const LINES_DRAWN = 2_000
/** Lines up to which a file is coloured. */
export const LINES_COLOURED = 1_000
const FILES_OPEN = 8
const LINES_OPEN = 1_500

const MACHINE_MADE =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|gradle\.lockfile)$|\.min\.(js|css)$|\.(map|snap)$/

/** The files of a diff; null if it has no known form. Only beginnings of lines are read, so any size is quick. */
export function diffParts(diff: string): DiffPart[] | null {
  // Only \n ends a line here: other ends of a line may stand inside one, and look like the head of another file.
  const starts = [...`\n${diff}`.matchAll(/\ndiff --git /g)].map(({ index }) => index)
  if (starts.length === 0) return null
  let left = LINES_OPEN
  return starts.map((start, nth) => {
    const text = diff.slice(start, starts[nth + 1])
    const path = pathIn(text)
    const lines = countLines(text)
    const open = nth < FILES_OPEN && lines <= left && !MACHINE_MADE.test(path)
    if (open) left -= lines
    return { path, text, lines, open }
  })
}

function countLines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return text.endsWith('\n') ? count : count + 1
}

function pathIn(text: string): string {
  const hunk = text.search(/^@@/m)
  const head = hunk === -1 ? text.slice(0, 8_000) : text.slice(0, hunk)
  const from = /^rename from (.+)$/m.exec(head)?.[1]
  const to = /^rename to (.+)$/m.exec(head)?.[1]
  if (from !== undefined && to !== undefined) return `${from} → ${to}`
  const added = /^\+\+\+ (?:b\/)?(.+)$/m.exec(head)?.[1]
  const removed = /^--- (?:a\/)?(.+)$/m.exec(head)?.[1]
  const named = /^diff --git a\/(.+) b\/\1$/m.exec(head)?.[1]
  return (
    [added, removed, named].find((path) => path !== undefined && path !== '/dev/null')?.trim() ?? 'a file'
  )
}
