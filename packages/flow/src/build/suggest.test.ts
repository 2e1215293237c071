// Which fix is tried next, what became of each, and what is said about it: pure, as tables.
import type { FailureGroup } from '@treadle/contracts/failure'
import { freshLesson, type Lesson, NewLesson } from '@treadle/contracts/lesson'
import { isSpent } from '@treadle/contracts/limit'
import { type FixNote, type GroupNote, type PhaseRecord, phaseRecord } from '@treadle/contracts/run'
import { RESOLUTION_CONFIDENCE_MIN } from '@treadle/memory/match'
import { verifies } from '@treadle/requirements/verifies'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupFailures } from '../verify/failure/group.ts'
import { groupNote } from '../verify/failure/note.ts'
import { NOW } from '../work/testing/sample.ts'
import { triedFixes } from '../work/tried-fixes.ts'
import { rankSuggestions } from './suggest.ts'

const failing = (id: string, message: string) => ({ id, file: null, line: null, message, stack: null })
const groupOf = (id: string, message: string): FailureGroup => {
  const [group] = groupFailures([failing(id, message)])
  if (group === undefined) throw new Error('no group')
  return group
}
const group = groupOf('adds', 'TypeError: cannot read properties of undefined')
const other = groupOf('takes', 'RangeError: out of range')

const ID = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const lesson = (n: number, changes: Partial<Lesson> = {}): Lesson => ({
  ...freshLesson(NewLesson.parse({ type: 'resolution', signature: group.signature.text }), ID(n), NOW),
  ...changes,
})

const fix = (note: GroupNote | null, changes: Partial<FixNote> = {}): FixNote => ({
  group: note,
  novel: true,
  lessonId: null,
  confidence: null,
  engine: 'scripted',
  outcome: 'done',
  prompt: null,
  context: null,
  said: '',
  ...changes,
})
const record = (phase: PhaseRecord['phase'], iteration: number, changes: Partial<PhaseRecord> = {}) =>
  phaseRecord({ phase, iteration, startedAt: NOW.toISOString(), durationMs: 1, outcome: 'done', ...changes })

verifies(
  ['META-IMPROVE-3', 'META-IMPROVE-4'],
  'suggestions are ranked, and the best that applies comes first',
  () => {
    const known = [lesson(1, { confidence: 0.75 }), lesson(2, { confidence: 0.95 }), lesson(3)]
    const ranked = rankSuggestions(group, known, [])
    expect(ranked.map(({ confidence }) => confidence)).toEqual([0.95, 0.75, 0.7, 0.5])
    expect(ranked[0]).toMatchObject({ is: 'resolution', lesson: { id: ID(2) } })
    expect(ranked.at(-1)).toMatchObject({ is: 'novel' })
  },
)

test.each([
  ['of another signature', lesson(1, { signature: other.signature.text })],
  ['of another type', lesson(1, { type: 'gotcha' })],
  ['superseded', lesson(1, { supersededBy: ID(2) })],
  ['too weak', lesson(1, { confidence: RESOLUTION_CONFIDENCE_MIN - 0.01 })],
])('a lesson %s does not apply: the fix is a novel one', (_, known) => {
  expect(rankSuggestions(group, [known], [])).toEqual([{ is: 'novel', confidence: 0.5 }])
})

test('a resolution that was followed for this cause and did not help is not followed again', () => {
  const tried = record('improve', 1, { fixes: [fix(groupNote(group), { novel: false, lessonId: ID(1) })] })
  expect(rankSuggestions(group, [lesson(1)], [tried])).toEqual([{ is: 'novel', confidence: 0.5 }])
  const elsewhere = record('improve', 1, {
    fixes: [fix(groupNote(other), { novel: false, lessonId: ID(1) })],
  })
  expect(rankSuggestions(group, [lesson(1)], [elsewhere])[0]).toMatchObject({ is: 'resolution' })
})

test('whether a fix helped is read from the test run after it, cause by cause', () => {
  const history = [
    record('build', 0, { fixes: [fix(null)] }),
    record('test', 0, { outcome: 'failed', groups: [groupNote(group), groupNote(other)] }),
    record('improve', 1, { fixes: [fix(groupNote(group)), fix(groupNote(other))] }),
    record('test', 1, { outcome: 'failed', groups: [groupNote(other)] }),
    record('improve', 2, { fixes: [fix(groupNote(other))] }),
  ]
  expect(triedFixes(history).map(({ attempt, result }) => [attempt, result])).toEqual([
    [1, 'still fails'],
    [2, 'helped'],
    [2, 'still fails'],
    [3, 'not tested'],
  ])
})

test('limits: reached and exceeded differ by one, and nothing before them stops', () => {
  const positive = fc.integer({ min: 1, max: 1_000 })
  fc.assert(
    fc.property(positive, (max) => {
      const spent = (mode: 'reaches' | 'exceeds') => [-1, 0, 1].map((d) => isSpent({ max, mode }, max + d))
      expect(spent('reaches')).toEqual([false, true, true])
      expect(spent('exceeds')).toEqual([false, false, true])
    }),
  )
})
