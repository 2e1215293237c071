import type { TestFailure } from '@treadle/contracts/gate'
import { expect, test } from 'vitest'
import { LOADING, type TestResult } from './run/protocol.ts'
import { seenByBoth } from './same-failures.ts'

const result = (name: string, message: string, module = 0): TestResult => ({
  key: `${module}|${name}`,
  module,
  name,
  is: 'failed',
  failure: { name: 'Error', message, stack: '', expected: null, actual: null },
  fuel: 0,
  ms: 0,
  steps: 0,
  hits: {},
})
const shown = (id: string, message: string, file: string | null = null): TestFailure => {
  return { id, message, file, line: null, stack: null }
}
const paths = ['test/a.js', 'test/b.js']
const both = (failing: TestResult[], failures: TestFailure[], passing: TestResult[] = []) => {
  const seen = seenByBoth({ failing, passing }, failures, (module) => paths[module] ?? '')
  return { kept: seen.failing.map(({ name }) => name), same: seen.same, leftOut: seen.leftOut }
}

test('a failure that the command does not show is left out', () => {
  const failing = [result('sum > adds', 'x'), result('sum > carries', 'settings is not defined')]
  expect(both(failing, [shown('sum adds', 'expected 1 to be 2')])).toEqual({
    kept: ['sum > adds'],
    same: true,
    leftOut: 1,
  })
  const all = [shown('test/a.js > sum > adds', 'y'), shown('test/a.js > sum > carries', 'z')]
  expect(both(failing, all)).toEqual({
    kept: ['sum > adds', 'sum > carries'],
    same: true,
    leftOut: 0,
  })
  expect(both(failing.slice(0, 1), all)).toEqual({ kept: ['sum > adds'], same: false, leftOut: 0 })
})

test('a file that only the fast path cannot load is no failure of the program', () => {
  const failing = [
    result(LOADING, 'Cyclic __proto__ value'),
    result(LOADING, "Cannot find module './c.js'", 1),
  ]
  const told = [
    shown('sum adds', 'expected 1 to be 2'),
    shown('test/b.js', "Error: Cannot find module './c.js'"),
  ]
  expect(both(failing, told)).toEqual({ kept: [LOADING], same: false, leftOut: 1 })
})

test('a title that is written in another way is known by what failed', () => {
  const failing = [result('adds 1,2', 'Expected 3 to strictly equal 4')]
  expect(
    both(failing, [shown('adds [1, 2]', 'AssertionError: Expected 3 to strictly equal 4\n  at x')]).same,
  ).toBe(true)
})

test('where nobody told what the command shows, everything counts', () => {
  expect(both([result('a', 'b')], [])).toEqual({ kept: ['a'], same: null, leftOut: 0 })
  // A command that fails by itself names no test.
  expect(both([result('a', 'b')], [shown('test command', 'It failed with exit code 1')])).toEqual({
    kept: ['a'],
    same: null,
    leftOut: 0,
  })
})

test('a test that only took too long for the command is no failure to be searched for', () => {
  const slow = shown('sum carries', 'Error: Timeout of 2000ms exceeded.')
  const told = [shown('sum adds', 'expected 1 to be 2'), slow]
  const failing = [result('sum > adds', 'x')]
  const passing = [{ ...result('sum > carries', ''), is: 'passed', failure: null } as const]
  expect(both(failing, told, passing)).toEqual({ kept: ['sum > adds'], same: true, leftOut: 0 })
  // One that does not pass here either may hang by the fault.
  expect(both(failing, told)).toEqual({ kept: ['sum > adds'], same: false, leftOut: 0 })
})

test('a runner that counts assertions shows a test by each of them, one that starts programs by its file', () => {
  const failing = [result('optional parameter on root', 'should be strictly equal')]
  const counted = [
    shown('index.js > optional parameter on root > the path is empty', ''),
    shown('test/a.js > optional parameter on root > test count(1) != plan(2)', ''),
  ]
  expect(both(failing, counted)).toEqual({
    kept: ['optional parameter on root'],
    same: true,
    leftOut: 0,
  })
  expect(both(failing, [shown('test/a.js', 'exit 1')])).toEqual({
    kept: ['optional parameter on root'],
    same: true,
    leftOut: 0,
  })
  expect(both(failing, [shown('test/b.js', 'exit 1')])).toEqual({ kept: [], same: false, leftOut: 1 })
})
