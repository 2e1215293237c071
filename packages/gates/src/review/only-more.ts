// Whether a text has all that it had before, in its order, and beside that only more of its own kind. Pure.

/** What may be added to a file without a word to what was there: imports, declarations, tests, comments. */
const adding =
  /^(?:import|from|export|async|function|class|interface|type|const|def|@|\/\/|\/\*|\*|#|"""|(?:describe|it|test|suite)\b)/

/** By what stands at the beginning of lines: a piece is such a line and all that is indented below it. */
export function isOnlyMore(before: string, after: string): boolean {
  const [was, is] = [piecesOf(before), piecesOf(after)]
  let at = 0
  const added: string[] = []
  for (const piece of is) {
    if (piece === was[at]) at += 1
    else added.push(piece)
  }
  return at === was.length && added.every((piece) => adding.test(piece))
}

function piecesOf(text: string): string[] {
  const pieces: string[] = []
  for (const line of text.split('\n')) {
    const kept = line.trimEnd()
    if (kept === '') continue
    const isInner = /^(?:\s|[)\]}])/.test(kept)
    if (isInner && pieces.length > 0) pieces.push(`${pieces.pop()}\n${kept}`)
    else pieces.push(kept)
  }
  return pieces
}

const linesOnly = /\.(?:csv|tsv|txt|jsonl|ndjson)$/i
const depthMax = 100

/** Whether data has all that it had before: values of JSON, lines of what is read by lines. Of other formats nobody knows. */
export function isOnlyMoreData(path: string, before: string, after: string | null): boolean {
  if (after === null) return false
  if (/\.json$/i.test(path)) return isMoreJson(before, after)
  return linesOnly.test(path) && hasLines(before, after)
}

function isMoreJson(before: string, after: string): boolean {
  try {
    return holds(JSON.parse(before), JSON.parse(after), { isExact: false, depth: 0 })
  } catch {
    return false
  }
}

interface Comparison {
  /** Nothing may have come to it either: an element of a list that says more is another. */
  readonly isExact: boolean
  readonly depth: number
}

function holds(was: unknown, is: unknown, { isExact, depth }: Comparison): boolean {
  if (!isBranch(was) || !isBranch(is)) return was === is
  if (depth > depthMax || Array.isArray(was) !== Array.isArray(is)) return false
  const [old, now] = [Object.entries(was), Object.entries(is)]
  if (isExact && old.length !== now.length) return false
  if (Array.isArray(was) && Array.isArray(is)) return hasInOrder(was, is, depth + 1)
  const left = new Map(now)
  return old.every(
    ([name, value]) => left.has(name) && holds(value, left.get(name), { isExact, depth: depth + 1 }),
  )
}

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null

function hasInOrder(was: readonly unknown[], is: readonly unknown[], depth: number): boolean {
  let at = 0
  for (const each of is) if (at < was.length && holds(was[at], each, { isExact: true, depth })) at += 1
  return at === was.length
}

function hasLines(before: string, after: string): boolean {
  const [was, is] = [before, after].map((text) => text.split(/\r?\n/).filter((line) => line !== ''))
  let at = 0
  const added: string[] = []
  for (const line of is ?? []) {
    if (line === was?.[at]) at += 1
    else added.push(line)
  }
  // A quotation mark that stays open takes in what follows.
  return at === was?.length && added.every((line) => line.split('"').length % 2 === 1)
}
