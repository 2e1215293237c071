// Documents in the owner's checkout: the one place where Treadle writes among files that people edit. It knows by a hash
// what it wrote last; whatever differs from that is a person's, and is never written over.
import { createHash } from 'node:crypto'
import { linkSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DocumentRead, Documents, DocumentWrite } from '@treadle/flow/ports/documents'
import { readUnlinked } from '@treadle/process/bounded-file'
import { gitBusyWith } from './git-busy.ts'
import { clearHalves, throughHalf } from './half.ts'
import { openMemory, type WrittenMemory } from './memory.ts'
import { type DocumentPlace, placeOf } from './place.ts'
import { Refusals } from './refusals.ts'
import { Turns } from './turns.ts'

export interface DocumentsOptions {
  /** The workspace. */
  readonly root: string
  /** The folder below it in which documents lie; asked for each time, as settings change. */
  readonly dir: () => string
  /** The file that remembers what was written. */
  readonly memory: string
  /** A folder of our own, of which git does not know, for texts that are on their way. */
  readonly halves: string
  /** Told of what could not be written: once, and again when it is for another reason. */
  readonly onRefused?: (path: string, why: string) => void
}

export const DOCUMENT_BYTES_MAX = 2 * 1024 * 1024
const HARD_LINK = 'it is a hard link to a file that may lie elsewhere; a copy of it would be read'

export function openDocuments(options: DocumentsOptions): Documents {
  const memory = openMemory(options.memory)
  const refusals = new Refusals(options.onRefused)
  const turns = new Turns()
  clearHalves(
    options.halves,
    [...memory.paths()].map((path) => join(options.root, path)),
  )
  return {
    // Each is one piece of synchronous work, so that no two of this process come between each other.
    read: async (path) => readDocument(options, memory, path).read,
    write: async (path, text, heeded) => {
      const wanted = { path, text, heeded }
      const first = writeDocument(options, memory, wanted)
      // Somebody saved the file at the same moment: theirs is looked at once more, and stays.
      const written = first ?? writeDocument(options, memory, wanted)
      return refusals.note(written ?? refused(path, 'it changes all the time'))
    },
    refusal: (path) => refusals.why(path),
    inTurn: (name, act) => turns.take(name, act),
  }
}

interface FoundDocument {
  readonly read: DocumentRead
  readonly place: DocumentPlace
  readonly hash: string | null
}

function readDocument(options: DocumentsOptions, memory: WrittenMemory, path: string): FoundDocument {
  const place = placeOf({ root: options.root, dir: options.dir(), path })
  const nothing = { path, text: null, why: null, edited: false }
  if (place.is === 'outside') return { place, hash: null, read: { ...nothing, why: place.why } }
  if (place.is === 'link_out')
    return { place, hash: null, read: { ...nothing, why: place.why, edited: true } }
  const file = readUnlinked(place.real, DOCUMENT_BYTES_MAX)
  switch (file.is) {
    case 'absent':
      return { place, hash: null, read: { ...nothing, why: place.exists ? 'it may not be read' : null } }
    case 'no_file':
      return { place, hash: null, read: { ...nothing, why: 'it is no file', edited: true } }
    case 'too_large': {
      const why = `it has ${file.bytes} bytes, and at most ${DOCUMENT_BYTES_MAX} are read`
      return { place, hash: null, read: { ...nothing, why, edited: true } }
    }
    case 'read': {
      const hash = hashOf(file.data)
      const edited = !memory.has(path, hash)
      // Whose words these are cannot be told, unless they are ours.
      if (edited && file.names > 1) return { place, hash, read: { ...nothing, why: HARD_LINK, edited } }
      const text = utf8Of(file.data)
      const why = text === null ? 'it is not UTF-8' : null
      return { place, hash, read: { path, text, why, edited } }
    }
  }
}

/** Null: the file changed between the look and the write. */
function writeDocument(
  options: DocumentsOptions,
  memory: WrittenMemory,
  { path, text, heeded }: { path: string; text: string; heeded: string | undefined },
): DocumentWrite | null {
  const { place, read, hash } = readDocument(options, memory, path)
  if (place.is !== 'inside') return refused(path, place.why)
  if (place.isLink) return refused(path, 'it is a link, or lies behind one')
  const busy = gitBusyWith(options.root)
  if (busy !== null) return refused(path, `git is in the middle of ${busy}`)
  if (read.text === text) {
    if (hash !== null) memory.settle(path, hash)
    dropBeside(options, memory, path)
    return { is: 'unchanged', path }
  }
  // Edits that the new text has already are in nobody's way.
  const isHeeded = read.text !== null && read.text === heeded
  if (read.edited && !isHeeded) return writeBeside(options, memory, { path, text })
  if (read.why !== null) return refused(path, read.why)
  try {
    if (!replace(options, memory, { path, file: place.file, text, expected: hash })) return null
  } catch (error) {
    return refused(path, `it cannot be written: ${wordsOf(error)}`)
  }
  dropBeside(options, memory, path)
  return { is: 'written', path }
}

function writeBeside(
  options: DocumentsOptions,
  memory: WrittenMemory,
  { path, text }: { path: string; text: string },
): DocumentWrite | null {
  const besidePath = besideOf(path)
  const { place, read, hash } = readDocument(options, memory, besidePath)
  if (place.is !== 'inside') return refused(path, place.why)
  if (place.isLink) return refused(path, `${besidePath} is a link`)
  if (read.text === text) return { is: 'beside', path, besidePath }
  if (read.edited || read.why !== null)
    return refused(path, `both it and ${besidePath} were changed by a person`)
  try {
    return replace(options, memory, { path: besidePath, file: place.file, text, expected: hash })
      ? { is: 'beside', path, besidePath }
      : null
  } catch (error) {
    return refused(path, `${besidePath} cannot be written: ${wordsOf(error)}`)
  }
}

/** brief.md has its other text in brief.treadle.md. */
function besideOf(path: string): string {
  return path.replace(/(?:\.md)?$/, '.treadle.md')
}

/** What stood beside a file that is ours again is needless, if nobody has touched it. */
function dropBeside(options: DocumentsOptions, memory: WrittenMemory, path: string): void {
  const { place, hash, read } = readDocument(options, memory, besideOf(path))
  if (place.is !== 'inside' || place.isLink || hash === null || read.edited) return
  rmSync(place.file, { force: true })
}

interface Replacing {
  readonly path: string
  readonly file: string
  readonly text: string
  /** The hash of what is to be replaced; null: nothing is there. */
  readonly expected: string | null
}

/** False: something else is there by now than was seen. */
function replace(
  options: DocumentsOptions,
  memory: WrittenMemory,
  { path, file, text, expected }: Replacing,
): boolean {
  const hash = hashOf(Buffer.from(text))
  mkdirSync(dirname(file), { recursive: true })
  const isPut = throughHalf(options.halves, { file, text }, (half) => {
    // A folder may have become a link since it was looked at.
    const place = placeOf({ root: options.root, dir: options.dir(), path })
    if (place.is !== 'inside' || place.isLink) return false
    // Known before it is there: whoever is killed in between finds a file that is ours, the old one or the new one.
    memory.expect(path, hash)
    if (expected === null) return linked(half, file)
    const now = readUnlinked(file, DOCUMENT_BYTES_MAX)
    if (now.is !== 'read' || hashOf(now.data) !== expected) return false
    renameSync(half, file)
    return true
  })
  if (isPut) memory.settle(path, hash)
  return isPut
}

/** A new name is made only where there is none. */
function linked(half: string, file: string): boolean {
  try {
    linkSync(half, file)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

function refused(path: string, why: string): DocumentWrite {
  return { is: 'refused', path, why }
}

function hashOf(data: Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

function utf8Of(data: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(data)
  } catch {
    return null
  }
}

function wordsOf(error: unknown): string {
  const code = codeOf(error)
  if (code === 'EACCES' || code === 'EPERM') return `the folder may not be written to (${code})`
  if (code === 'EROFS') return `the file system may only be read (${code})`
  return code === 'ENOSPC' ? `the disk is full (${code})` : code
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : String(error))
}
