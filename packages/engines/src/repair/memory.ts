// Which kind of edit mended which kind of failure in this repository, kept as lessons.
import type { Lesson, LessonQuery, NewLesson } from '@treadle/contracts/lesson'
import type { Edit } from './edits/edit.ts'
import type { Failure } from './run/protocol.ts'

/** The part of the lessons that the search uses. */
export interface RepairMemory {
  recall(query: LessonQuery): Promise<Lesson[]>
  record(lesson: NewLesson): Promise<unknown>
}

const ACTION = 'repair'
const CONFIDENCE_MIN = 0.3
const VAGUE = 3
/** Two misses weigh as much as one hit. */
const MISS = 0.5

/** A failure without its values: the same slip elsewhere gives the same text. */
export function signatureOf(failure: Pick<Failure, 'name' | 'message'>): string {
  const text = `${failure.name}: ${failure.message.split('\n')[0] ?? ''}`
  return text
    .replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`/g, '§')
    .replace(/-?\d[\d_.]*/g, '#')
    .replace(/\[[^[\]]*\]/g, '[…]')
    .replace(/\{[^{}]*\}/g, '{…}')
    .slice(0, 300)
}

/** How many words of a signature say something of their own. */
export function specificity(signature: string): number {
  const words = signature.replace(/^\w+: /, '').match(/[A-Za-z]{3,}/g) ?? []
  const common = new Set([
    'expected',
    'match',
    'strictEqual',
    'deepStrictEqual',
    'toBe',
    'toEqual',
    'equal',
    'deepEqual',
  ])
  return (
    words.filter((word) => !common.has(word)).length +
    (signature.match(/undefined|null|NaN|Infinity|\[…\]/g)?.length ?? 0)
  )
}

/** The operators remembered for these failures, the surest first. */
export async function recallOperators(memory: RepairMemory, failures: readonly Failure[]): Promise<string[]> {
  const weights = new Map<string, number>()
  for (const signature of new Set(failures.map(signatureOf))) {
    const lessons = await memory.recall({
      action: ACTION,
      signature,
      minConfidence: CONFIDENCE_MIN,
      limit: 20,
    })
    for (const { payload, occurrences, confidence } of lessons) {
      if (typeof payload.op !== 'string') continue
      const weight = confidence * occurrences * Math.min(1, (1 + specificity(signature)) / VAGUE)
      const change = payload.missed === true ? -MISS * weight : weight
      weights.set(payload.op, (weights.get(payload.op) ?? 0) + change)
    }
  }
  const left = [...weights].filter(([, weight]) => weight > 0)
  return left.sort((a, b) => b[1] - a[1]).map(([op]) => op)
}

/** What was remembered and did not help this time; after some of these it is remembered no more. */
export async function recordMisses(
  memory: RepairMemory,
  failures: readonly Failure[],
  operators: readonly string[],
): Promise<void> {
  for (const signature of new Set(failures.map(signatureOf))) {
    for (const op of operators) {
      await memory.record({
        type: 'unresolved_error',
        glob: null,
        action: ACTION,
        topic: `missed ${op}`,
        signature,
        confidence: 0.7,
        provenance: { runId: null, attempt: null, commit: null },
        payload: { op, missed: true },
      })
    }
  }
}

export async function recordOperators(
  memory: RepairMemory,
  failures: readonly Failure[],
  edits: readonly Edit[],
): Promise<void> {
  for (const signature of new Set(failures.map(signatureOf))) {
    for (const { op, family } of edits) {
      await memory.record({
        type: 'resolution',
        glob: null,
        action: ACTION,
        topic: family,
        signature,
        confidence: 0.7,
        provenance: { runId: null, attempt: null, commit: null },
        payload: { op, family },
      })
    }
  }
}

/** Remembered edits one by one between the others: a wrong memory costs at most twice the candidates. */
export function interleave(edits: readonly Edit[], operators: readonly string[]): Edit[] {
  if (operators.length === 0) return [...edits]
  const places = new Map(operators.map((op, place) => [op, place]))
  const remembered = edits
    .filter((edit) => places.has(edit.op))
    .sort((a, b) => (places.get(a.op) ?? 0) - (places.get(b.op) ?? 0) || b.score - a.score)
  const taken = new Set<Edit>()
  const order: Edit[] = []
  const take = (edit: Edit | undefined) => {
    if (edit === undefined || taken.has(edit)) return false
    taken.add(edit)
    order.push(edit)
    return true
  }
  let next = 0
  for (const edit of edits) {
    while (next < remembered.length && !take(remembered[next])) next += 1
    next += 1
    take(edit)
  }
  return order
}
