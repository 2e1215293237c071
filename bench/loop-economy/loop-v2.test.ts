// The model of seed 004's flow, against cases that were counted by hand from its document.
import { expect, test } from 'vitest'
import { ScriptedEngine, type Tree } from './engine.ts'
import { LIMITS, type Limits, SPRINT_2 } from './limits.ts'
import { runLoopV2, type TestCalls } from './loop-v2.ts'

interface Case {
  /** The cause behind each test, in the order of the plan; null: green. */
  readonly causes: readonly (string | null)[]
  readonly succeeds?: boolean
  readonly spotChecks?: boolean
  readonly limits?: Limits
}

function run({ causes, succeeds = false, spotChecks = false, limits = LIMITS }: Case) {
  const tests = causes.map((_, at) => `BT-${at + 1}`)
  const brokenBy = new Map(causes.flatMap((cause, at) => (cause === null ? [] : [[`BT-${at + 1}`, cause]])))
  const tree: Tree = { left: new Set(brokenBy.values()), edits: 0 }
  const cold = succeeds ? 1 : 0
  // With evidence nothing would succeed: the fix agent must not get any.
  const engine = new ScriptedEngine({
    tree,
    chances: { evidence: 1 - cold, cold },
    reach: 'each',
    luck: () => 0.5,
  })
  return runLoopV2({ tests, brokenBy, tree, engine, limits, dice: () => (spotChecks ? 0 : 0.99) })
}

const green = (count: number): null[] => Array.from({ length: count }, () => null)
const none: TestCalls = { run: 0, fix: 0, again: 0, regression: 0, spot: 0, sweep: 0 }

test('a green plan: each test once, and once more in the final sweep', () => {
  expect(run({ causes: green(3) })).toEqual({
    calls: { ...none, run: 3, sweep: 3 },
    otherPrompts: 1,
    marked: 3,
    blocked: 0,
  })
})

test('a spot check takes two passing tests, or as many as there are', () => {
  expect(run({ causes: green(3), spotChecks: true }).calls).toEqual({ ...none, run: 3, spot: 5, sweep: 3 })
})

test('a test that is never mended: two fixes, and the third failure blocks it', () => {
  expect(run({ causes: ['auth'] })).toEqual({
    calls: { ...none, run: 3, fix: 2, again: 2 },
    // Value discovery, since more is blocked than passed, and the final vision check.
    otherPrompts: 4,
    marked: 0,
    blocked: 1,
  })
})

test('with the limits of its Sprint 2 there are four fixes, as in its trace', () => {
  const { calls, blocked } = run({ causes: ['auth'], limits: SPRINT_2 })
  expect(calls).toEqual({ ...none, run: 5, fix: 4, again: 4 })
  expect(blocked).toBe(1)
})

test('each test of a shared cause is fixed for itself until the cause is mended', () => {
  const auth = Array.from({ length: 5 }, () => 'auth')
  expect(run({ causes: auth }).calls).toEqual({ ...none, run: 15, fix: 10, again: 10 })
  expect(run({ causes: auth, succeeds: true }).calls).toEqual({ ...none, run: 5, fix: 1, again: 1, sweep: 5 })
})

test('the fifth fix that helped brings a regression check of every passing test', () => {
  const four = ['a', 'b', 'c', 'd']
  const fixed = (count: number) => ({ ...none, run: count, fix: count, again: count, sweep: count })
  expect(run({ causes: four, succeeds: true }).calls).toEqual(fixed(4))
  expect(run({ causes: [...four, 'e'], succeeds: true }).calls).toEqual({ ...fixed(5), regression: 5 })
})

test('without progress in three iterations the test is blocked by force', () => {
  const { calls, blocked } = run({ causes: ['auth'], limits: { ...LIMITS, testFixAttempts: 9 } })
  expect(calls).toEqual({ ...none, run: 3, fix: 3, again: 3 })
  expect(blocked).toBe(1)
})

test('the tenth iteration checks the vision only if it added a task', () => {
  expect(run({ causes: [...green(9), 'auth'], succeeds: true }).otherPrompts).toBe(2)
  expect(run({ causes: green(10) }).otherPrompts).toBe(1)
})

test('the outer loop ends after its safety limit', () => {
  const { calls } = run({ causes: green(3), limits: { ...LIMITS, loopIterations: 2 } })
  expect(calls).toEqual({ ...none, run: 2, sweep: 2 })
})
