// Which fix to try for a group of failures: a known resolution if one fits, else a novel one.
import type { FailureGroup } from '@treadle/contracts/failure'
import type { Lesson } from '@treadle/contracts/lesson'
import type { PhaseRecord } from '@treadle/contracts/run'
import { RESOLUTION_CONFIDENCE_MIN } from '@treadle/memory/match'

export type Suggestion =
  | { readonly is: 'resolution'; readonly lesson: Lesson; readonly confidence: number }
  | { readonly is: 'novel'; readonly confidence: number }

const NOVEL_CONFIDENCE = 0.5

/** Best first; the novel fix is always among them, so that there is something to try. */
export function rankSuggestions(
  group: FailureGroup,
  lessons: readonly Lesson[],
  history: readonly PhaseRecord[],
): Suggestion[] {
  const tried = triedLessons(group, history)
  const known = lessons
    .filter((lesson) => isApplicable(lesson, group) && !tried.has(lesson.id))
    .map((lesson): Suggestion => ({ is: 'resolution', lesson, confidence: lesson.confidence }))
  const novel: Suggestion = { is: 'novel', confidence: NOVEL_CONFIDENCE }
  return [...known, novel].sort((a, b) => b.confidence - a.confidence)
}

function isApplicable(lesson: Lesson, group: FailureGroup): boolean {
  return (
    lesson.type === 'resolution' &&
    lesson.supersededBy === null &&
    lesson.confidence >= RESOLUTION_CONFIDENCE_MIN &&
    lesson.signature === group.signature.text
  )
}

/** What was followed for this cause and did not help is not followed again. */
function triedLessons(group: FailureGroup, history: readonly PhaseRecord[]): ReadonlySet<string> {
  const fixes = history.flatMap((record) => record.fixes)
  return new Set(
    fixes.flatMap((fix) =>
      fix.lessonId !== null && fix.group?.signature === group.signature.text ? [fix.lessonId] : [],
    ),
  )
}
