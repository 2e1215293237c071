// What a fix knows and what it learns: a daemon is asked if there is one; what is new waits in a file for the next.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { freshLesson, Lesson, leastConfidence, type NewLesson } from '@treadle/contracts/lesson'
import type { WorkspacePaths } from '@treadle/contracts/workspace'
import type { BookQuery } from '@treadle/flow/ports/memory'
import { fitOf } from '@treadle/memory/fit'
import type { RepairMemory } from '@treadle/repair/memory'
import { memoryOf } from '../engines.ts'
import { findHome } from '../home.ts'
import { replaceFile } from '../replace-file.ts'

const FILES_MAX = 200

export class FixLessons implements RepairMemory {
  readonly #paths: WorkspacePaths
  readonly #log: (message: string) => void
  readonly #learned: Lesson[] = []

  constructor(paths: WorkspacePaths, log: (message: string) => void) {
    this.#paths = paths
    this.#log = log
  }

  async recall(query: BookQuery): Promise<Lesson[]> {
    const daemon = existsSync(this.#paths.daemon) ? memoryOf(findHome(this.#paths), this.#log) : null
    const known = daemon === null ? [] : await daemon.recall(query)
    return [...known, ...waiting(this.#paths.lessons).filter((lesson) => answers(lesson, query))].slice(
      0,
      query.limit,
    )
  }

  async record(lesson: NewLesson): Promise<void> {
    this.#learned.push(freshLesson(lesson, randomUUID(), new Date()))
  }

  /** Writes down what was learned, once for each run: a second time replaces the first. */
  async keep(runId: string): Promise<void> {
    if (this.#learned.length === 0) return
    mkdirSync(this.#paths.lessons, { recursive: true })
    await replaceFile(`${this.#paths.lessons}/${runId}.json`, `${JSON.stringify(this.#learned)}\n`)
  }
}

/** Lessons of earlier fixes that no daemon has taken in yet, the latest file last. */
function waiting(folder: string): Lesson[] {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return names.slice(-FILES_MAX).flatMap((name) => {
    try {
      const read = Lesson.array().safeParse(JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')))
      return read.success ? read.data : []
    } catch {
      // Taken in by a daemon while we looked, or not ours.
      return []
    }
  })
}

function answers(lesson: Lesson, query: BookQuery): boolean {
  const paths = [...(query.paths ?? []), ...(query.path === undefined ? [] : [query.path])]
  const signature = query.signature ?? query.similarTo
  return (
    !lesson.unconfirmed &&
    lesson.confidence >= leastConfidence(query) &&
    (query.type === undefined || lesson.type === query.type) &&
    (signature === undefined || lesson.signature === signature) &&
    (query.action === undefined || lesson.action === null || lesson.action === query.action) &&
    (query.topic === undefined || lesson.topic === null || lesson.topic === query.topic) &&
    (paths.length === 0 || paths.some((path) => fitOf(lesson.glob, path) !== null))
  )
}
