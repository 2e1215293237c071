// Which kind of edit mended which kind of failure in this repository, kept as lessons.
import type { Lesson, LessonQuery, NewLesson } from '@treadle/contracts/lesson'
import { differenceOf } from './difference.ts'
import type { Edit } from './edits/edit.ts'
import type { Failure } from './run/protocol.ts'
import { placeOf, shapeOf } from './shape.ts'
import type { Remembered } from './turns.ts'

/** The part of the lessons that the search uses. */
export interface RepairMemory {
  recall(query: LessonQuery): Promise<Lesson[]>
  record(lesson: NewLesson): Promise<unknown>
}

const ACTION = 'repair'
const CONFIDENCE = 0.7
const RUNNER_UP = 0.5
/** Shapes that one repair adds. */
const SHAPES_MAX = 3
const CONFIDENCE_MIN = 0.3
const VAGUE = 3
/** As many as one query may have. */
const LESSONS_MAX = 100
/** More than these would wait too long for their turns. */
const REMEMBERED_MAX = 12
/**
 * The weight of a miss. An operator alone makes many candidates: two misses weigh as much as one hit. With a shape it
 * is eight.
 */
const MISS = { operator: 0.5, shape: 0.125 }
/** A lesson of a failure with the same text that was wrong in another way. */
const OTHER_WAY = 0.3

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

/** The known parts of a failure. */
export type KnownFailure = Pick<Failure, 'name' | 'message' | 'actual' | 'expected'>

/** The edits remembered for these failures, the surest first. */
export async function recallEdits(
  memory: RepairMemory,
  failures: readonly KnownFailure[],
): Promise<Remembered[]> {
  const tallies = new Map<string, Tally>()
  for (const { signature, difference } of cluesOf(failures)) {
    const lessons = await memory.recall({
      action: ACTION,
      signature,
      minConfidence: CONFIDENCE_MIN,
      limit: LESSONS_MAX,
    })
    const clarity = Math.min(1, (1 + specificity(signature)) / VAGUE)
    for (const lesson of lessons) count(tallies, lesson, { clarity, difference })
  }
  const kept = [...tallies.values()].map(rememberedOf).filter(({ weight }) => weight > 0)
  return kept.sort((a, b) => b.weight - a.weight).slice(0, REMEMBERED_MAX)
}

interface Clue {
  readonly signature: string
  /** In which way the values differ. */
  readonly difference: string | null
}

/** Clues of the failures, each only once. */
function cluesOf(failures: readonly KnownFailure[]): Clue[] {
  const clues = failures.map((failure): [string, Clue] => {
    const clue = { signature: signatureOf(failure), difference: differenceOf(failure) }
    return [JSON.stringify(clue), clue]
  })
  return [...new Map(clues).values()]
}

interface Tally {
  readonly op: string
  readonly shape: string | null
  readonly places: Set<string>
  hits: number
  misses: number
}

function count(
  tallies: Map<string, Tally>,
  { payload, occurrences, confidence }: Lesson,
  { clarity, difference }: { readonly clarity: number; readonly difference: string | null },
): void {
  const { op, shape, place, missed } = payload
  if (typeof op !== 'string') return
  const known = typeof shape === 'string' ? shape : null
  // Several operators make edits of the same shape.
  const key = known ?? op
  const tally = tallies.get(key) ?? { op, shape: known, places: new Set(), hits: 0, misses: 0 }
  tallies.set(key, tally)
  const sameWay = payload.difference === undefined || payload.difference === difference
  const change = confidence * occurrences * clarity * (sameWay ? 1 : OTHER_WAY)
  if (missed === true) tally.misses += change
  else tally.hits += change
  if (typeof place === 'string') tally.places.add(place)
}

function rememberedOf({ op, shape, places, hits, misses }: Tally): Remembered {
  const left = hits - (shape === null ? MISS.operator : MISS.shape) * misses
  // What came up often goes first, but leaves turns to the others.
  return { op, shape, places, weight: Math.sqrt(Math.max(0, left)) }
}

/** Records lessons that did not help this time; after some misses they are remembered no more. */
export async function recordMisses(
  memory: RepairMemory,
  failures: readonly KnownFailure[],
  missed: readonly Remembered[],
): Promise<void> {
  for (const { signature, difference } of cluesOf(failures)) {
    for (const { op, shape } of missed) {
      await memory.record({
        type: 'unresolved_error',
        content: '',
        unconfirmed: false,
        discoveredBy: 'repair',
        glob: null,
        action: ACTION,
        topic: `missed ${op}`,
        signature,
        confidence: CONFIDENCE,
        provenance: { runId: null, attempt: null, commit: null },
        payload: { op, missed: true, ...(shape === null ? {} : { shape, difference }) },
      })
    }
  }
}

export async function recordEdits(
  memory: RepairMemory,
  failures: readonly KnownFailure[],
  patches: readonly (readonly Edit[])[],
): Promise<void> {
  for (const { signature, difference } of cluesOf(failures)) {
    for (const [edit, confidence] of worthRemembering(patches)) {
      const { op, family } = edit
      await memory.record({
        type: 'resolution',
        content: '',
        unconfirmed: false,
        discoveredBy: 'repair',
        glob: null,
        action: ACTION,
        topic: family,
        signature,
        confidence,
        provenance: { runId: null, attempt: null, commit: null },
        payload: { op, family, shape: shapeOf(edit), place: placeOf(edit), difference },
      })
    }
  }
}

/** The best patch, and what else would have helped: the best one here may be an odd one elsewhere. */
function worthRemembering(patches: readonly (readonly Edit[])[]): Map<Edit, number> {
  const kept = new Map<string, [Edit, number]>()
  for (const [place, edits] of patches.entries()) {
    for (const edit of edits) {
      const shape = shapeOf(edit)
      if (!kept.has(shape)) kept.set(shape, [edit, place === 0 ? CONFIDENCE : RUNNER_UP])
    }
    if (kept.size >= SHAPES_MAX) break
  }
  return new Map(kept.values())
}

/** Whether what was remembered is what helped. */
export function isAgain({ op, shape }: Remembered, patches: readonly (readonly Edit[])[]): boolean {
  return patches.flat().some((edit) => (shape === null ? edit.op === op : shapeOf(edit) === shape))
}
