// Comments on lines of a delivery: as words for whoever builds next, and what became of their lines. Pure.
import type { LineComment, LineFate } from '@treadle/contracts/delivery'
import { changesIn } from '../work/asked-for.ts'
import { FEEDBACK_MAX } from './feedback.ts'

const CHANGES_MAX = 100
const CHANGE_MAX = 2_000
const PATH_MAX = 300

/** In one line: what stands before the text is a place that an editor understands. */
export function commentWords({ path, line, side, text }: LineComment): string {
  const name = /^[\x21-\x7e\u00a1-\uffff]+$/.test(path) ? path : JSON.stringify(path)
  const shown = name.length > PATH_MAX ? `…${name.slice(-PATH_MAX)}` : name
  const removed = side === 'old' ? ' (a line that the change removes)' : ''
  return `${shown}:${line}${removed}: ${text.trim().replace(/\s+/g, ' ')}`.slice(0, CHANGE_MAX)
}

interface Request {
  readonly feedback: string
  readonly changes: string[]
}

/** What is asked for in all. Comments for which the feedback has no room are among the changes all the same. */
export function requestOf(said: string, comments: readonly LineComment[]): Request {
  const lines = comments.map(commentWords)
  const changes = [...(said === '' ? [] : changesIn(said)), ...lines].slice(0, CHANGES_MAX)
  const head = said === '' ? '' : `${said}\n\n`
  let feedback = head
  let left = lines.length
  for (const line of lines) {
    const longer = `${feedback}- ${line}\n`
    if (longer.length + moreWords(left).length > FEEDBACK_MAX) break
    feedback = longer
    left -= 1
  }
  return {
    feedback: `${feedback}${left === 0 ? '' : moreWords(left)}`.trim().slice(0, FEEDBACK_MAX),
    changes,
  }
}

const moreWords = (many: number) => `And ${many} more comment${many === 1 ? '' : 's'} on lines.`

export type Traced =
  | { readonly is: 'there'; readonly line: number; readonly beside: boolean }
  | { readonly is: 'gone' }

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/
const BESIDE_LINES = 3

/** A line of the old file in the new one, by the diff of that one file. */
export function traceLine(diff: string, line: number): Traced {
  const lines = changedLines(diff)
  if (lines.some(({ at, is }) => is === '-' && at === line)) return { is: 'gone' }
  // What is added stands before the old line of its number.
  const added = lines.filter(({ at, is }) => is === '+' && at <= line).length
  const removed = lines.filter(({ at, is }) => is === '-' && at < line).length
  const beside = lines.some(({ at }) => Math.abs(at - line) <= BESIDE_LINES)
  return { is: 'there', line: line + added - removed, beside }
}

interface ChangedLine {
  /** The number of the old line that was removed, or before which one was added. */
  readonly at: number
  readonly is: '+' | '-'
}

function changedLines(diff: string): ChangedLine[] {
  const changed: ChangedLine[] = []
  let hunk = { old: 0, added: 0, at: 0 }
  for (const line of diff.split('\n')) {
    if (hunk.old <= 0 && hunk.added <= 0) {
      hunk = hunkIn(line) ?? hunk
      continue
    }
    // The lines of a hunk are its own, whatever they look like.
    const mark = line[0]
    if (mark === '\\') continue
    if (mark === '+' || mark === '-') changed.push({ at: hunk.at, is: mark })
    const [old, added] = [mark === '+' ? 0 : 1, mark === '-' ? 0 : 1]
    hunk = { old: hunk.old - old, added: hunk.added - added, at: hunk.at + old }
  }
  return changed
}

function hunkIn(line: string): { old: number; added: number; at: number } | null {
  const [, start, many = '1', , more = '1'] = HUNK.exec(line) ?? []
  if (start === undefined) return null
  const old = Number(many)
  // Where no old line is named, what is added stands behind the one of that number.
  return { old, added: Number(more), at: old === 0 ? Number(start) + 1 : Number(start) }
}

/** What the comparison of two versions says of a file; null: it says nothing, so the file is the same. */
export interface FileTrace {
  readonly diff: string
  readonly isDeleted: boolean
  /** Not all of the diff is here, so that nothing can be said. */
  readonly isCut: boolean
}

const UNKNOWN = { fate: 'unknown', lineNow: null } as const

export interface Fate {
  readonly fate: LineFate
  readonly lineNow: number | null
}

/** What became of a delivered line: first what others have merged in between, then the next delivery. */
export function fateOf(line: number, meanwhile: FileTrace | null, next: FileTrace | null): Fate {
  const moved = through(line, meanwhile)
  if (moved === null || moved.is === 'gone' || meanwhile?.isCut || next?.isCut) return UNKNOWN
  const traced = through(moved.line, next)
  if (traced === null) return { fate: 'file_deleted', lineNow: null }
  if (traced.is === 'gone') return { fate: 'changed', lineNow: null }
  return { fate: traced.beside ? 'beside' : 'unchanged', lineNow: traced.line }
}

/** What became of a line that a delivery removed: it is changed if the next one has it again. */
export function fateOfRemoved(line: number, whole: FileTrace | null): Fate {
  if (whole?.isCut) return UNKNOWN
  const traced = through(line, whole)
  if (traced === null || traced.is === 'gone') return { fate: 'unchanged', lineNow: null }
  return { fate: 'changed', lineNow: traced.line }
}

/** Null: the file is gone. */
function through(line: number, trace: FileTrace | null): Traced | null {
  if (trace === null) return { is: 'there', line, beside: false }
  return trace.isDeleted ? null : traceLine(trace.diff, line)
}
