// Edits as new texts and as unified diffs.
import type { Edit } from './edit.ts'
import { sourceChanges } from './edit.ts'

export interface TextChange {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Whether two lists of changes touch the same text. */
export function overlap(a: readonly TextChange[], b: readonly TextChange[]): boolean {
  return a.some((one) => b.some((two) => one.start <= two.end && two.start <= one.end))
}

/** A deleted statement takes its line along. */
export function tidy(text: string, change: TextChange): TextChange {
  if (change.text !== '' || change.end === change.start) return change
  const from = text.lastIndexOf('\n', change.start - 1) + 1
  const semicolon = text[change.end] === ';' ? 1 : 0
  const next = text.indexOf('\n', change.end)
  const to = next < 0 ? text.length : next + 1
  const alone =
    text.slice(from, change.start).trim() === '' && text.slice(change.end + semicolon, to).trim() === ''
  return alone ? { start: from, end: to, text: '' } : change
}

export function changesByFile(edits: readonly Edit[]): Map<string, { text: string; changes: TextChange[] }> {
  const files = new Map<string, { text: string; changes: TextChange[] }>()
  for (const edit of edits) {
    const { path, text } = edit.file
    const entry = files.get(path) ?? { text, changes: [] }
    entry.changes.push(...sourceChanges(edit).map((change) => tidy(text, change)))
    files.set(path, entry)
  }
  for (const { changes } of files.values()) changes.sort((a, b) => a.start - b.start || a.end - b.end)
  return files
}

export function applyChanges(text: string, changes: readonly TextChange[]): string {
  let out = ''
  let from = 0
  for (const change of changes) {
    out += text.slice(from, change.start) + change.text
    from = change.end
  }
  return out + text.slice(from)
}

const CONTEXT = 3

export function diffOf(edits: readonly Edit[]): string {
  let diff = ''
  for (const [path, { text, changes }] of changesByFile(edits)) {
    diff += unified(path, text, changes)
  }
  return diff
}

interface Hunk {
  /** Lines of the old text, from and up to but not including. */
  readonly from: number
  readonly to: number
  readonly added: readonly string[]
}

export function unified(path: string, text: string, changes: readonly TextChange[]): string {
  const lines = splitLines(text)
  const hunks = hunksOf(text, lines, changes)
  if (hunks.length === 0) return ''
  let out = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n`
  let shift = 0
  for (const group of groupHunks(hunks)) {
    const { from, old, grown, body } = writeHunk(lines, group)
    out += `@@ -${from + 1},${old} +${from + 1 + shift},${old + grown} @@\n${body.map(ended).join('')}`
    shift += grown
  }
  return out
}

function writeHunk(lines: readonly string[], group: readonly Hunk[]) {
  const from = Math.max(0, (group[0]?.from ?? 0) - CONTEXT)
  const to = Math.min(lines.length, (group.at(-1)?.to ?? 0) + CONTEXT)
  const body: string[] = []
  let at = from
  let grown = 0
  for (const hunk of group) {
    body.push(...lines.slice(at, hunk.from).map((line) => ` ${line}`))
    body.push(...lines.slice(hunk.from, hunk.to).map((line) => `-${line}`))
    body.push(...hunk.added.map((line) => `+${line}`))
    grown += hunk.added.length - (hunk.to - hunk.from)
    at = hunk.to
  }
  body.push(...lines.slice(at, to).map((line) => ` ${line}`))
  return { from, old: to - from, grown, body }
}

function ended(line: string): string {
  return line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`
}

/** Each line with its end, so that a missing last newline shows. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function hunksOf(text: string, lines: readonly string[], changes: readonly TextChange[]): Hunk[] {
  const starts: number[] = []
  let offset = 0
  for (const line of lines) {
    starts.push(offset)
    offset += line.length
  }
  const lineAt = (place: number) => {
    let line = starts.findLastIndex((start) => start <= place)
    if (line < 0) line = 0
    return line
  }
  const regions: { from: number; to: number; changes: TextChange[] }[] = []
  for (const change of changes) {
    const from = lineAt(change.start)
    const to = lineAt(Math.max(change.start, change.end - 1)) + 1
    const last = regions.at(-1)
    if (last !== undefined && from < last.to) {
      last.to = Math.max(last.to, to)
      last.changes.push(change)
    } else regions.push({ from, to, changes: [change] })
  }
  return regions
    .map((region) => hunkOf(text, lines, starts, region))
    .filter((hunk) => hunk.to > hunk.from || hunk.added.length > 0)
}

function hunkOf(
  text: string,
  lines: readonly string[],
  starts: readonly number[],
  region: { from: number; to: number; changes: readonly TextChange[] },
): Hunk {
  const start = starts[region.from] ?? 0
  const end = starts[region.to] ?? text.length
  const moved = region.changes.map((change) => ({
    ...change,
    start: change.start - start,
    end: change.end - start,
  }))
  const added = splitLines(applyChanges(text.slice(start, end), moved))
  const old = lines.slice(region.from, region.to)
  let head = 0
  while (head < Math.min(old.length, added.length) && old[head] === added[head]) head += 1
  let tail = 0
  const room = Math.min(old.length, added.length) - head
  while (tail < room && old.at(-1 - tail) === added.at(-1 - tail)) tail += 1
  return { from: region.from + head, to: region.to - tail, added: added.slice(head, added.length - tail) }
}

function groupHunks(hunks: readonly Hunk[]): Hunk[][] {
  const groups: Hunk[][] = []
  for (const hunk of hunks) {
    const last = groups.at(-1)
    if (last !== undefined && hunk.from - (last.at(-1)?.to ?? 0) <= 2 * CONTEXT) last.push(hunk)
    else groups.push([hunk])
  }
  return groups
}
