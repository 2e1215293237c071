import { freshLesson, type Lesson, NewLesson } from '@treadle/contracts/lesson'
import { expect, test } from 'vitest'
import { makeEdits } from './edits/catalogue.ts'
import { contextsFor } from './edits/context.ts'
import { type Edit, sourceChanges } from './edits/edit.ts'
import { statementsOf } from './localise/hits.ts'
import { isAgain, recallEdits, recordEdits, recordMisses, signatureOf, specificity } from './memory.ts'
import { sourceFor } from './project/load.ts'
import { placeOf, shapeOf } from './shape.ts'
import { interleave, type Remembered } from './turns.ts'

const LESSON: NewLesson = {
  type: 'resolution',
  unconfirmed: false,
  content: '',
  discoveredBy: 'repair',
  glob: null,
  action: 'repair',
  topic: 'wrap',
  signature: 'TypeError: no name',
  confidence: 0.7,
  provenance: { runId: null, attempt: null, commit: null },
  payload: {},
}

const NO_NAME = { name: 'TypeError', message: 'no name', actual: null, expected: null }
const BELOW = {
  name: 'AssertionError',
  message: 'toBe: expected -3 to match 0',
  actual: '-3',
  expected: '0',
}
const ABOVE = { ...BELOW, message: 'toBe: expected 90 to match 60', actual: '90', expected: '60' }

const OWED = 'function owed(total: number, paid: number) {\n  return total - paid\n}\n'
const LEFT =
  'const most = 9\nfunction left(seats: number[], taken: number[]) {\n  return seats.length - taken.length\n}\n'

function editsOf(text: string): Edit[] {
  const file = sourceFor('/project', 'a.ts', text, 0)
  if (file === null) throw new Error('no syntax')
  const contextOf = contextsFor({ root: '/project', files: [file], left: [], tests: [] }, [])
  const suspects = statementsOf(file).map((place) => {
    return { ...place, score: 1, line: 1, failing: 1, passing: 0 }
  })
  return makeEdits({ suspects, contextOf, max: 10_000 })
}

function edited(edit: Edit | undefined): string {
  if (edit === undefined) return ''
  let { text } = edit.file
  for (const change of sourceChanges(edit).toSorted((a, b) => b.start - a.start))
    text = text.slice(0, change.start) + change.text + text.slice(change.end)
  return text
}

function mending(edits: readonly Edit[], line: string): Edit {
  const found = edits.find((edit) => edited(edit).includes(line))
  if (found === undefined) throw new Error(`no edit makes ${line}`)
  return found
}

function keptLessons() {
  const lessons: Lesson[] = []
  return {
    lessons,
    recall: async ({ signature }: { signature?: string | undefined }) =>
      lessons.filter((lesson) => lesson.signature === signature),
    record: async (given: NewLesson) => {
      const lesson = NewLesson.parse(given)
      const identity = ({ type, topic, signature, payload }: NewLesson) =>
        JSON.stringify([type, topic, signature, payload])
      const same = lessons.findIndex((known) => identity(known) === identity(lesson))
      const occurrences = (lessons[same]?.occurrences ?? 0) + 1
      const row: Lesson = { ...freshLesson(lesson, crypto.randomUUID(), new Date(0)), occurrences }
      lessons.splice(same < 0 ? lessons.length : same, 1, row)
    },
  }
}

function remembered(op: string, more: Partial<Remembered> = {}): Remembered {
  return { op, shape: null, places: new Set(), weight: 1, ...more }
}

test('the same slip with other values has the same signature', () => {
  const failure = (message: string) => signatureOf({ name: 'AssertionError', message })
  expect(failure("strictEqual: expected 4.5 to match 'ten'")).toBe(
    failure("strictEqual: expected 7 to match 'x'"),
  )
  expect(failure('expected undefined to match [ 1, 2 ]')).toBe(failure('expected undefined to match [ 3 ]'))
  expect(failure('expected undefined to match 1')).not.toBe(failure('expected 2 to match 1'))
})

test('a signature that could be anything counts for less', () => {
  const vague = specificity(
    signatureOf({ name: 'AssertionError', message: 'strictEqual: expected 1 to match 2' }),
  )
  const clear = specificity(
    signatureOf({ name: 'TypeError', message: "Cannot read properties of undefined (reading 'name')" }),
  )
  expect(vague).toBe(0)
  expect(clear).toBeGreaterThan(2)
})

test('the same edit elsewhere has the same shape; names of this place are not in it', () => {
  const [one, other] = [editsOf(OWED), editsOf(LEFT)]
  const zero = mending(one, 'return Math.max(0, total - paid)')
  expect(shapeOf(zero)).toBe('· → Math.max(0, ·)')
  expect(placeOf(zero)).toBe('value of return')
  expect(shapeOf(mending(other, 'return Math.max(0, seats.length - taken.length)'))).toBe(shapeOf(zero))
  expect(shapeOf(mending(other, 'seats.length + taken.length'))).toBe('- → +')
  expect(shapeOf(mending(other, 'Math.min(most, seats.length - taken.length)'))).toBe(
    '· → Math.min(‹constant›, ·)',
  )
})

test('a wrong memory at most doubles the candidates before any edit', () => {
  const edits = editsOf(
    'function f(a: number, b: number) {\n  return Math.max(a - 1, b) < a ? [a] : [b]\n}\n',
  )
  const shape = '· → [...·]'
  const wrong = [remembered('wrap'), remembered('early-return'), remembered('copy', { shape })]
  const order = interleave(edits, wrong)
  expect(new Set(order)).toEqual(new Set(edits))
  expect(order).toHaveLength(edits.length)
  for (const [at, edit] of edits.entries()) expect(order.indexOf(edit)).toBeLessThanOrEqual(2 * at + 1)
  expect(interleave(edits, [remembered('wrap')])[0]?.op).toBe('wrap')
  expect(interleave(edits, [])).toEqual(edits)
})

test('remembered edits take turns, the one of the same shape at the same place first', () => {
  const edits = editsOf(LEFT)
  const places = new Set(['value of return'])
  const order = interleave(edits, [
    remembered('wrap', { shape: '· → Math.max(0, ·)', places, weight: 2 }),
    remembered('arithmetic-operator', { shape: '- → +', weight: 1.5 }),
  ])
  expect(edited(order[0])).toContain('return Math.max(0, seats.length - taken.length)')
  const early = order.slice(0, 6).map(edited)
  expect(early.some((text) => text.includes('seats.length + taken.length'))).toBe(true)
})

test('what mended a failure is the first thing tried when it comes again elsewhere', async () => {
  const memory = keptLessons()
  await recordEdits(memory, [BELOW], [[mending(editsOf(OWED), 'return Math.max(0, total - paid)')]])
  expect(memory.lessons[0]).toMatchObject({
    payload: { shape: '· → Math.max(0, ·)', place: 'value of return', difference: 'below zero' },
  })
  const edits = editsOf(LEFT)
  const wanted = mending(edits, 'return Math.max(0, seats.length - taken.length)')
  const again = { ...BELOW, message: 'toBe: expected -1 to match 0', actual: '-1' }
  const recalled = await recallEdits(memory, [again])
  expect(edits.indexOf(wanted)).toBeGreaterThan(5)
  expect(interleave(edits, recalled)[0]).toBe(wanted)
  expect(recalled.map((one) => isAgain(one, [[wanted]]))).toEqual([true])
})

test('of the same failure text, what was wrong in the same way goes first', async () => {
  const memory = keptLessons()
  const edits = editsOf(LEFT)
  const zero = mending(edits, 'return Math.max(0, seats.length - taken.length)')
  const limit = mending(edits, 'Math.min(most, seats.length - taken.length)')
  await recordEdits(memory, [BELOW], [[zero]])
  await recordEdits(memory, [ABOVE], [[limit]])
  const shapes = async (failure: typeof BELOW) =>
    (await recallEdits(memory, [failure])).map(({ shape }) => shape)
  expect(await shapes(BELOW)).toEqual([shapeOf(zero), shapeOf(limit)])
  expect(await shapes(ABOVE)).toEqual([shapeOf(limit), shapeOf(zero)])
})

test('what a clear failure says goes before what a vague one says', async () => {
  const memory = keptLessons()
  const clear = { ...NO_NAME, message: 'Cannot read properties of undefined' }
  const vague = signatureOf(BELOW)
  await memory.record({ ...LESSON, signature: vague, payload: { op: 'wrap' } })
  await memory.record({ ...LESSON, signature: signatureOf(clear), payload: { op: 'optional' } })
  expect((await recallEdits(memory, [BELOW, clear])).map(({ op }) => op)).toEqual(['optional', 'wrap'])
})

test('what else would have helped is remembered too, but counts for less', async () => {
  const memory = keptLessons()
  const edits = editsOf(LEFT)
  const best = mending(edits, 'Math.min(most, seats.length - taken.length)')
  const other = mending(edits, 'return Math.max(0, seats.length - taken.length)')
  await recordEdits(memory, [BELOW], [[best], [best], [other]])
  const recalled = await recallEdits(memory, [BELOW])
  expect(recalled.map(({ shape }) => shape)).toEqual([shapeOf(best), shapeOf(other)])
})

test.each([
  ['an operator, as lessons had it before', { op: 'wrap' }, 2],
  ['an edit with its shape', { op: 'wrap', shape: '· → Math.max(0, ·)', difference: null }, 8],
])('%s that misses again and again is forgotten', async (_, payload, misses) => {
  const memory = keptLessons()
  await memory.record({ ...LESSON, payload })
  for (let miss = 0; miss < misses; miss += 1) {
    const recalled = await recallEdits(memory, [NO_NAME])
    expect(recalled.map(({ op }) => op)).toEqual(['wrap'])
    await recordMisses(memory, [NO_NAME], recalled)
  }
  expect(await recallEdits(memory, [NO_NAME])).toEqual([])
  await memory.record({ ...LESSON, payload })
  expect(await recallEdits(memory, [NO_NAME])).toHaveLength(1)
})
