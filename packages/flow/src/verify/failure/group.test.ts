import { FailureGroup, type FailureHints } from '@treadle/contracts/failure'
import type { TestFailure } from '@treadle/contracts/gate'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupFailures } from './group.ts'

const assertion = (
  name: string,
  line: number,
  message = 'AssertionError: expected 1 to equal 2',
): TestFailure => ({
  id: `test/a.test.ts > ${name}`,
  file: 'test/a.test.ts',
  line,
  message,
  stack: `at /p/test/a.test.ts:${line}:3`,
})

const thrown = (name: string, message: string, ...frames: string[]): TestFailure => ({
  ...assertion(name, 5, message),
  stack: [
    ...frames.map((frame) => `at ${frame.replace(' ', ' (/p/')}:1:1)`),
    'at /p/test/a.test.ts:5:3',
  ].join('\n'),
})

const hintsOf = (reached: Record<string, Record<string, number>>, passed: Record<string, number>[] = []) => {
  const hints: FailureHints = {
    reachedBy: ({ id }) => new Map(Object.entries(reached[id.split(' > ').at(-1) ?? ''] ?? {})),
    passed: passed.map((each) => new Map(Object.entries(each))),
  }
  return hints
}

const namesOf = (groups: readonly FailureGroup[]) =>
  groups.map(({ tests }) => tests.map((id) => id.split(' > ').at(-1)).join(' '))

test('five tests that die in one function with one error are one group, whole', () => {
  const failures = ['a', 'b', 'c', 'd', 'e'].map((name, at) =>
    thrown(
      name,
      `RangeError: no day ${at}`,
      'parseDay src/day.ts',
      ...(at % 2 === 0 ? ['plan src/plan.ts'] : []),
    ),
  )
  const [group, ...others] = groupFailures(failures)
  expect(others).toEqual([])
  expect(FailureGroup.parse(group)).toMatchObject({ kind: 'error', tests: failures.map(({ id }) => id) })
  expect(group?.failures).toEqual(failures)
  expect(group?.frames).toContain('parseDay (src/day.ts)')
  expect(group?.cause).toBe('5 tests end with an error in parseDay (src/day.ts): RangeError: no day 0.')
})

test('assertions of different functions do not join because they say the same', () => {
  const failures = [assertion('a', 3), assertion('b', 9)]
  expect(groupFailures(failures)).toHaveLength(2)
  const hints = hintsOf({ a: { 'src/a.ts#add': 1 }, b: { 'src/b.ts#wrap': 1 } })
  expect(groupFailures(failures, hints)).toHaveLength(2)
})

test('assertions that reach the same suspicious function join, and the cause names it', () => {
  const failures = [assertion('a', 3), assertion('b', 9), assertion('c', 20)]
  const hints = hintsOf({
    a: { 'src/a.ts#add': 1, 'src/a.ts#show': 0.3 },
    b: { 'src/a.ts#add': 0.9, 'src/a.ts#sort': 0.4 },
    c: { 'src/c.ts#wrap': 1 },
  })
  const groups = groupFailures(failures, hints)
  expect(namesOf(groups)).toEqual(['a b', 'c'])
  expect(groups[0]?.cause).toContain('likely through add (src/a.ts)')
  expect(groups[0]?.suspects[0]).toBe('src/a.ts#add')
})

test('what many passing tests reach makes no two failures alike', () => {
  const failures = [assertion('a', 3), assertion('b', 9)]
  const reached = { a: { 'src/app.ts#app': 1 }, b: { 'src/app.ts#app': 1 } }
  expect(groupFailures(failures, hintsOf(reached))).toHaveLength(1)
  const passed = Array.from({ length: 30 }, () => ({ 'src/app.ts#app': 1 }))
  expect(groupFailures(failures, hintsOf(reached, passed))).toHaveLength(2)
})

test('what the tests were seen to run tells causes apart that look alike in the sources', () => {
  const failures = ['a', 'b', 'c', 'd'].map((name, at) => assertion(name, 3 + at))
  const near = { 'src/a.ts#plan': 1 }
  const hints = hintsOf({ a: near, b: near, c: near, d: near })
  expect(groupFailures(failures, hints)).toHaveLength(1)
  const ids = (...names: string[]) => new Set(names.map((name) => `test/a.test.ts > ${name}`))
  const parts = [
    { fn: 'src/a.ts#plan', failing: ids('a', 'b', 'c', 'd'), passing: 9 },
    { fn: 'src/a.ts#plan', failing: ids('a', 'b'), passing: 0 },
    { fn: 'src/a.ts#plan', failing: ids('c', 'd'), passing: 0 },
  ]
  expect(namesOf(groupFailures(failures, { ...hints, parts }))).toEqual(['a b', 'c d'])
  // A test that was not seen is judged as before.
  const fifth = [...failures, assertion('e', 30)]
  const more = hintsOf({ a: near, b: near, c: near, d: near, e: { 'src/e.ts#other': 1 } })
  expect(namesOf(groupFailures(fifth, { ...more, parts }))).toEqual(['a b', 'c d', 'e'])
})

test('one error class in two functions, and two classes in one function, stay apart', () => {
  const failures = [
    thrown('a', 'TypeError: x', 'add src/a.ts'),
    thrown('b', 'TypeError: x', 'wrap src/b.ts'),
    thrown('c', 'RangeError: y', 'add src/a.ts'),
  ]
  expect(groupFailures(failures)).toHaveLength(3)
})

test('a function that throws for everybody is not the place', () => {
  const failures = [
    thrown('a', 'Error: no', 'invariant src/invariant.ts', 'add src/a.ts'),
    thrown('b', 'Error: no', 'invariant src/invariant.ts', 'wrap src/b.ts'),
    thrown('c', 'Error: never', 'invariant src/invariant.ts', 'wrap src/b.ts'),
  ]
  expect(namesOf(groupFailures(failures))).toEqual(['b c', 'a'])
})

test('rows of a table that fail at one assertion join; helpers that assert for many do not', () => {
  const rows = ['1', '2', '3'].map((name) =>
    assertion(`row ${name}`, 7, `AssertionError: expected ${name} to be 9`),
  )
  expect(groupFailures(rows)).toHaveLength(1)
  const helped = ['1', '2'].map((name) => ({
    ...assertion(name, 7),
    stack: `at same (/p/test/a.test.ts:7:1)\nat /p/test/a.test.ts:${20 + Number(name)}:1`,
  }))
  expect(groupFailures(helped)).toHaveLength(2)
})

test('a failing test that two gates tell of is one job', () => {
  const silent: TestFailure = { id: 'a', file: null, line: null, message: 'not ok', stack: null }
  const [group, ...others] = groupFailures([silent, { ...silent, durationMs: 3 }, { ...silent, id: 'b' }])
  expect(group).toMatchObject({ tests: ['a'], kind: 'unknown' })
  expect(group?.failures).toHaveLength(2)
  expect(others.map(({ tests }) => tests)).toEqual([['b']])
})

test('files that cannot load the same module join, others do not', () => {
  const load = (file: string, message: string): TestFailure => ({
    id: file,
    file,
    line: null,
    message,
    stack: null,
  })
  const groups = groupFailures([
    load('test/a.test.ts', "Error: Cannot find module './gone.ts' imported from /p/src/a.ts"),
    load('test/b.test.ts', "Error: Cannot find module './gone.ts' imported from /p/src/b.ts"),
    load('test/c.test.ts', "Error: Cannot find module './other.ts' imported from /p/src/b.ts"),
    load('test/d.test.ts', 'SyntaxError: Unexpected token'),
    load('test/e.test.ts', 'SyntaxError: Unexpected token'),
  ])
  expect(groups.map(({ tests }) => tests.length)).toEqual([2, 1, 1, 1])
  expect(groups[0]).toMatchObject({ kind: 'load' })
})

const functions = ['src/a.ts#add', 'src/a.ts#show', 'src/b.ts#wrap', 'src/b.ts#cut', 'src/c.ts#sort']
const frameTexts = functions.map((name) => name.split('#').reverse().join(' '))
const weights = fc.dictionary(fc.constantFrom(...functions), fc.double({ min: 0.1, max: 1, noNaN: true }), {
  noNullPrototype: true,
})
const anyFailure = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    line: fc.integer({ min: 1, max: 6 }),
    message: fc.constantFrom(
      'AssertionError: expected 1 to be 2',
      'TypeError: x',
      'RangeError: no 7',
      'not ok',
      'Error: Test timed out in 5 ms',
    ),
    frames: fc.array(fc.constantFrom(...frameTexts), { maxLength: 3 }),
  })
  .map(({ name, line, message, frames }) =>
    frames.length > 0 ? thrown(name, message, ...frames) : assertion(name, line, message),
  )
const anyHints = fc
  .record({
    reached: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), weights, {
      noNullPrototype: true,
    }),
    passed: fc.array(weights, { maxLength: 4 }),
  })
  .map(({ reached, passed }) => hintsOf(reached, passed))
const anyParts = fc.array(
  fc.record({
    fn: fc.constantFrom(...functions),
    failing: fc
      .uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'))
      .map((names) => new Set(names.map((name) => `test/a.test.ts > ${name}`))),
    passing: fc.integer({ min: 0, max: 5 }),
  }),
  { maxLength: 8 },
)
const anyWatched = fc.tuple(anyHints, anyParts).map(([hints, parts]): FailureHints => ({ ...hints, parts }))

test('every failure is in exactly one group', () => {
  fc.assert(
    fc.property(fc.array(anyFailure, { maxLength: 14 }), fc.option(anyWatched), (failures, hints) => {
      const groups = groupFailures(failures, hints)
      const placed = groups.flatMap((group) => group.failures)
      expect(placed).toHaveLength(failures.length)
      expect(new Set(placed)).toEqual(new Set(failures))
      expect(new Set(groups.map(({ id }) => id)).size).toBe(groups.length)
      for (const group of groups) FailureGroup.parse(group)
    }),
  )
})

test('the order of the failures makes no difference', () => {
  const shuffled = fc
    .array(anyFailure, { maxLength: 14 })
    .chain((failures) =>
      fc.tuple(fc.constant(failures), fc.shuffledSubarray(failures, { minLength: failures.length })),
    )
  fc.assert(
    fc.property(shuffled, fc.option(anyWatched), ([failures, other], hints) => {
      expect(groupFailures(other, hints)).toEqual(groupFailures(failures, hints))
    }),
  )
})

test('grouping what is grouped changes nothing: all together, and each group alone', () => {
  fc.assert(
    fc.property(fc.array(anyFailure, { maxLength: 14 }), fc.option(anyHints), (failures, hints) => {
      const groups = groupFailures(failures, hints)
      expect(
        groupFailures(
          groups.flatMap((group) => group.failures),
          hints,
        ),
      ).toEqual(groups)
      for (const group of groups) {
        const [again, ...others] = groupFailures(group.failures, hints)
        expect(others).toEqual([])
        expect(again?.failures).toEqual(group.failures)
      }
    }),
  )
})
