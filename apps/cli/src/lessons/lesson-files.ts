// Lessons to a folder and from one.
import { lstatSync, mkdirSync, readdirSync, readFileSync, type Stats, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Lesson } from '@treadle/contracts/lesson'
import { UserError } from '../user-error.ts'
import { FILE_BYTES_MAX, fileNameOf, readLesson, writeLesson } from './lesson-markdown.ts'

const FILES_MAX = 20_000

export interface BadFile {
  readonly file: string
  readonly why: string
}

export interface FilesRead {
  /** The lessons that were read, each once. */
  readonly lessons: readonly Lesson[]
  readonly bad: readonly BadFile[]
}

export function writeLessons(folder: string, lessons: readonly Lesson[]): void {
  mkdirSync(folder, { recursive: true })
  for (const lesson of lessons) writeFileSync(join(folder, fileNameOf(lesson)), writeLesson(lesson))
}

/** Reads lessons, and sends nothing to the daemon, so that one bad file can stop all of them. */
export function readLessons(place: string, at: Date): FilesRead {
  const lessons = new Map<string, { lesson: Lesson; file: string }>()
  const bad: BadFile[] = []
  for (const file of filesAt(place)) {
    const read = readFile(file, at)
    if (read.is === 'bad') bad.push({ file, why: read.why })
    else {
      const { lesson } = read
      const known = lessons.get(lesson.id)
      if (known === undefined) lessons.set(lesson.id, { lesson, file })
      else if (writeLesson({ ...known.lesson, ...timesOf(lesson) }) !== writeLesson(lesson))
        bad.push({ file, why: `has the id of ${basename(known.file)} and says something else` })
    }
  }
  return { lessons: [...lessons.values()].map(({ lesson }) => lesson), bad }
}

/** A lesson that was written by hand gets the time of reading, so it may differ. */
function timesOf({ createdAt, updatedAt }: Lesson): Pick<Lesson, 'createdAt' | 'updatedAt'> {
  return { createdAt, updatedAt }
}

function filesAt(place: string): string[] {
  const found = statOf(place)
  if (found === null) throw new UserError(`There is no ${place}.`, 'Name a folder or a Markdown file.')
  if (!found.isDirectory()) return [place]
  const names = readdirSync(place)
    .filter((name) => name.endsWith('.md') && name.toLowerCase() !== 'readme.md')
    .sort()
  if (names.length === 0)
    throw new UserError(`${place} holds no lesson.`, 'Lessons are files that end in .md.')
  if (names.length > FILES_MAX) throw new UserError(`${place} holds more than ${FILES_MAX} files.`)
  return names.map((name) => join(place, name))
}

function readFile(file: string, at: Date): ReturnType<typeof readLesson> {
  const found = statOf(file)
  // A link may lead anywhere, and a pipe may never end.
  if (found === null || !found.isFile()) return { is: 'bad', why: 'it is not a plain file' }
  if (found.size > FILE_BYTES_MAX) return { is: 'bad', why: `it is larger than ${FILE_BYTES_MAX} bytes` }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file))
    return readLesson(text, at)
  } catch (error) {
    return { is: 'bad', why: `it cannot be read: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function statOf(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null
}
