// What the crew has learned, put to the tasks that it is about: by the task's file and by what is done to it.
import type { Lesson } from '@treadle/contracts/lesson'
import type { SpecTask } from '@treadle/contracts/specification'
import { fitOf } from '@treadle/memory/fit'

const GOTCHAS_MAX = 5
/** Below this a specification is not told what was learned. */
export const CONFIDENCE_MIN = 0.7

export type SpecLessons = Pick<Lesson, 'id' | 'content' | 'glob' | 'action' | 'confidence'>

export function injectGotchas(tasks: readonly SpecTask[], lessons: readonly SpecLessons[]): SpecTask[] {
  const sure = lessons.filter(({ confidence }) => confidence >= CONFIDENCE_MIN)
  return tasks.map((task) => {
    const byFile = sure.filter(({ glob }) => glob !== null && fitOf(glob, task.file) !== null)
    const byAction = sure.filter(({ action }) => action?.toUpperCase() === task.action)
    const fitting = distinct([...byFile, ...byAction]).sort((a, b) => b.confidence - a.confidence)
    const gotchas = fitting
      .slice(0, GOTCHAS_MAX)
      .map(({ id, content, confidence }) => ({ lessonId: id, text: content, confidence }))
    return { ...task, gotchas }
  })
}

/** The same lesson once, and the same words once. */
function distinct(lessons: readonly SpecLessons[]): SpecLessons[] {
  const ids = new Set<string>()
  const words = new Set<string>()
  return lessons.filter(({ id, content }) => {
    const text = content.trim().toLowerCase()
    if (ids.has(id) || words.has(text)) return false
    ids.add(id)
    words.add(text)
    return true
  })
}

/** Patterns that fit a task's file are something that it has to follow. */
export function applyPatterns(tasks: readonly SpecTask[], patterns: readonly SpecLessons[]): SpecTask[] {
  return tasks.map((task) => {
    const fitting = patterns.filter(({ glob }) => glob === null || fitOf(glob, task.file) !== null)
    if (fitting.length === 0 || task.phase === 'tests') return task
    const [first] = fitting
    return first === undefined
      ? task
      : {
          ...task,
          acceptance: [...task.acceptance, `Follows what has held before: ${first.content}`.slice(0, 2_000)],
        }
  })
}
