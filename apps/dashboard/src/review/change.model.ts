// A delivered file as it is drawn: its hunks, what happened to it, and where it stands in the tree.
import type { DeliveredFile } from '@treadle/contracts/delivery'
import { revealed, unseenIn } from '../live/unseen-characters.model.ts'

/** A line of a hunk, in the form that the viewer takes. */
export type HunkLine =
  | { type: 'insert'; isInsert: true; content: string; lineNumber: number }
  | { type: 'delete'; isDelete: true; content: string; lineNumber: number }
  | { type: 'normal'; isNormal: true; content: string; oldLineNumber: number; newLineNumber: number }

interface DiffHunk {
  content: string
  oldStart: number
  oldLines: number
  newStart: number
  newLines: number
  changes: HunkLine[]
}

export interface ReadFile {
  readonly path: string
  /** The path with what cannot be seen in it made visible. */
  readonly name: string
  readonly added: number | null
  readonly removed: number | null
  readonly is: 'added' | 'deleted' | 'changed'
  /** Notes beside the name: renamed, binary, executable. */
  readonly notes: readonly string[]
  readonly hunks: readonly DiffHunk[]
  readonly lines: number
  /** Not all of the change is shown. */
  readonly isCut: boolean
  readonly unseen: number
}

/** A line that is longer is cut: a page of one line would hold up the whole page. */
const LINE_CHARS_MAX = 5_000
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@.*$/

export function readFiles(files: readonly DeliveredFile[]): ReadFile[] {
  const movedTo = new Map(
    files.flatMap(({ path, movedFrom }) => (movedFrom === null ? [] : [[movedFrom, path]])),
  )
  return files.map((file) => readFile(file, movedTo.get(file.path) ?? null))
}

function readFile(file: DeliveredFile, movedTo: string | null): ReadFile {
  const { path, added, removed, diff } = file
  // The name stands in the head of the diff as well, and is counted once.
  const unseen = unseenIn(diff.slice(Math.max(0, diff.indexOf('\n@@ '))))
  const { head, hunks, isClipped } = hunksIn(revealed(diff))
  return {
    path,
    name: shownName(path),
    added,
    removed,
    is: kindOf(head),
    notes: notesOf(file, head, movedTo),
    hunks,
    lines: hunks.reduce((sum, { changes }) => sum + changes.length, 0),
    isCut: file.isCut || isClipped,
    unseen: unseen + unseenIn(path),
  }
}

/** The place of a change as editors take it, `file:line`: the line that was chosen, else the first that changed. */
export function placeIn({ name, hunks }: ReadFile, chosen: number | null): string {
  const line = chosen ?? firstChanged(hunks)
  return line === null ? name : `${name}:${line}`
}

/** Where the file as it is now first differs; after a removal, the line that came into its place. */
function firstChanged([first]: readonly DiffHunk[]): number | null {
  if (first === undefined) return null
  const same = first.changes.findIndex(({ type }) => type !== 'normal')
  return Math.max(1, first.newStart + Math.max(0, same))
}

/** A name in one line, with what cannot be seen made visible. */
export function shownName(path: string): string {
  return revealed(path).replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => {
    return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`
  })
}

/** The parts of a diff before its first hunk, and its hunks. Only \n ends a line here, as for git. */
function hunksIn(diff: string): { head: string[]; hunks: DiffHunk[]; isClipped: boolean } {
  const head: string[] = []
  const hunks: DiffHunk[] = []
  let isClipped = false
  let open: OpenHunk | null = null
  for (const line of diff.split('\n')) {
    if (open?.isOpen === true) {
      if (line.length > LINE_CHARS_MAX) isClipped = true
      open.take(line)
      continue
    }
    const [content, oldStart, oldLines = '1', newStart, newLines = '1'] = HUNK.exec(line) ?? []
    if (content === undefined) {
      if (!line.startsWith('\\')) head.push(line)
      continue
    }
    open = new OpenHunk({
      content,
      oldStart: Number(oldStart),
      oldLines: Number(oldLines),
      newStart: Number(newStart),
      newLines: Number(newLines),
      changes: [],
    })
    hunks.push(open.hunk)
  }
  return { head, hunks, isClipped }
}

/** Takes the lines that belong to a hunk, whatever they look like. */
class OpenHunk {
  readonly hunk: DiffHunk
  #old: number
  #new: number

  constructor(hunk: DiffHunk) {
    this.hunk = hunk
    this.#old = hunk.oldStart
    this.#new = hunk.newStart
  }

  get isOpen(): boolean {
    const { oldStart, oldLines, newStart, newLines } = this.hunk
    return this.#old < oldStart + oldLines || this.#new < newStart + newLines
  }

  take(line: string): void {
    const { changes } = this.hunk
    const content = clipped(line.slice(1))
    if (line.startsWith('\\')) return
    if (line.startsWith('+')) {
      changes.push({ type: 'insert', isInsert: true, content, lineNumber: this.#new })
      this.#new += 1
    } else if (line.startsWith('-')) {
      changes.push({ type: 'delete', isDelete: true, content, lineNumber: this.#old })
      this.#old += 1
    } else {
      changes.push({
        type: 'normal',
        isNormal: true,
        content,
        oldLineNumber: this.#old,
        newLineNumber: this.#new,
      })
      this.#old += 1
      this.#new += 1
    }
  }
}

function clipped(line: string): string {
  if (line.length <= LINE_CHARS_MAX) return line
  return `${line.slice(0, LINE_CHARS_MAX)} […${line.length - LINE_CHARS_MAX} more characters are not shown]`
}

function kindOf(head: readonly string[]): ReadFile['is'] {
  const isNew = head.some((line) => line.startsWith('new file mode '))
  const isGone = head.some((line) => line.startsWith('deleted file mode '))
  if (isNew === isGone) return 'changed'
  return isNew ? 'added' : 'deleted'
}

function notesOf(file: DeliveredFile, head: readonly string[], movedTo: string | null): string[] {
  const has = (pattern: RegExp) => head.some((line) => pattern.test(line))
  const kind = kindOf(head)
  return [
    ...(kind === 'added' && file.movedFrom === null ? ['new'] : []),
    ...(kind === 'deleted' && movedTo === null ? ['deleted'] : []),
    ...(file.movedFrom === null ? [] : [`renamed from ${shownName(file.movedFrom)}`]),
    ...(movedTo === null ? [] : [`renamed to ${shownName(movedTo)}`]),
    ...(has(/^(new|new file) mode 100755$/) ? ['executable'] : []),
    ...(has(/^old mode 100755$/) ? ['no longer executable'] : []),
    ...(has(/^(new|new file) mode 120000$|^index \S+ 120000$/) ? ['symbolic link'] : []),
    ...(has(/^(new|new file) mode 160000$|^index \S+ 160000$/) ? ['submodule'] : []),
    ...(file.added === null ? ['binary, not shown'] : []),
    ...(file.isCut ? ['cut'] : []),
  ]
}

export interface Totals {
  readonly added: number
  readonly removed: number
  readonly unseen: number
  /** Names of files of which not everything is shown. */
  readonly cut: readonly string[]
}

export function totalsOf(files: readonly ReadFile[]): Totals {
  const sum = (pick: 'added' | 'removed') => files.reduce((all, file) => all + (file[pick] ?? 0), 0)
  return {
    added: sum('added'),
    removed: sum('removed'),
    unseen: files.reduce((all, file) => all + file.unseen, 0),
    cut: files.filter(({ isCut }) => isCut).map(({ name }) => name),
  }
}

export function sizeWords({ added, removed }: { added: number | null; removed: number | null }): string {
  return added === null ? 'binary' : `+${added} −${removed ?? 0}`
}

export interface Folder {
  /** Empty for the repository itself. */
  readonly name: string
  readonly files: readonly { readonly file: ReadFile; readonly name: string }[]
}

/** Files by folder, in the order in which they are shown. */
export function foldersOf(files: readonly ReadFile[]): Folder[] {
  const folders = new Map<string, { file: ReadFile; name: string }[]>()
  for (const file of files) {
    const cut = file.name.lastIndexOf('/')
    const folder = file.name.slice(0, Math.max(0, cut))
    const known = folders.get(folder) ?? []
    known.push({ file, name: file.name.slice(cut + 1) })
    folders.set(folder, known)
  }
  return [...folders].map(([name, inside]) => ({ name, files: inside }))
}

const FILES_OPEN = 30
const LINES_OPEN = 2_000
/** Lines up to which a file is drawn as a table at all. */
export const LINES_DRAWN = 6_000

const MACHINE_MADE =
  /(^|\/)(package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|Cargo\.lock|go\.sum|poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|gradle\.lockfile)$|\.min\.(js|css)$|\.(map|snap)$/

/** Files that are open at first: not the large, the machine-made and the many. */
export function initiallyOpen(files: readonly ReadFile[]): Set<string> {
  let left = LINES_OPEN
  const open = files.slice(0, FILES_OPEN).filter(({ path, lines }) => {
    if (lines > left || MACHINE_MADE.test(path)) return false
    left -= lines
    return true
  })
  return new Set(open.map(({ path }) => path))
}
