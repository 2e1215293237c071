// What kind of thing went wrong, and what follows: the tables of the build agent, with their boundaries.
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { classifyError, decideFailure, packageIn, toolIn } from './failure.ts'

const ERRORS: readonly (readonly [error: string, refused: boolean, conflicted: boolean, is: string])[] = [
  ['SyntaxError: Unexpected token )', true, false, 'SYNTAX_ERROR'],
  ['src/a.ts(3,1): error TS1005: ; expected', true, false, 'SYNTAX_ERROR'],
  ["Error: Cannot find module 'left-pad'", true, false, 'MISSING_DEPENDENCY'],
  ["ModuleNotFoundError: No module named 'requests'", true, false, 'MISSING_DEPENDENCY'],
  ['test command: ended with 127\nsh: 1: no-such-tool: not found', true, false, 'MISSING_DEPENDENCY'],
  ["Cannot find module './cart'", true, false, 'VALIDATION_FAILED'],
  ['conflicts with build/list: src/a.ts', false, true, 'CONFLICT'],
  ['expected 3 to be 4', true, false, 'VALIDATION_FAILED'],
  ['the engine crashed', false, false, 'UNKNOWN'],
]

verifies('AGENT-BUILD-18', 'an error of a task is of one of five kinds', () => {
  expect(
    ERRORS.map(([error, refused, conflicted]) => classifyError({ error, refused, conflicted }).class),
  ).toEqual(ERRORS.map(([, , , is]) => is))
})

test.each([
  ["Cannot find module '@scope/pkg/sub/file.js'", '@scope/pkg'],
  ["Cannot find package 'left-pad' imported from /x/y.js", 'left-pad'],
  ['Failed to resolve import "zod/v4" from "src/a.ts"', 'zod'],
  ["No module named 'yaml.loader'", 'yaml'],
  ["Cannot find module '../cart'", null],
  ["Cannot find module '/srv/x.js'", null],
  ["Cannot find module 'node:sqlit'", null],
  ["Cannot find module 'a; rm -rf /'", null],
  // Strangers have packages of these names.
  ["error TS2307: Cannot find module 'path' or its corresponding type declarations", null],
  ["Cannot find module 'fs/promises' or its corresponding type declarations", null],
  ["Cannot find module 'pathe'", 'pathe'],
])('%s: the package is %s', (error, name) => {
  expect(packageIn(error)).toBe(name)
})

test.each([
  ['sh: 1: no-such-tool: not found', 'no-such-tool'],
  ['/bin/sh: 1: jq: not found', 'jq'],
  ['bash: line 3: psql: command not found', 'psql'],
  ['zsh: command not found: rg', 'rg'],
  ['GET /cart: not found', null],
  ['the page of sh: cart: not found', null],
])('%s: the program is %s', (error, name) => {
  expect(toolIn(error)).toBe(name)
})

test('a program that is missing is for a person, at once and by name', () => {
  const error = 'sh: 1: no-such-tool: not found'
  expect(decideFailure({ ...base, class: 'MISSING_DEPENDENCY', attempts: 1, error })).toEqual({
    decision: 'ESCALATE',
    reason: 'no-such-tool is not installed here, and the check of the task needs it',
  })
})

const base = { package: null, installedBefore: false, error: 'went wrong' }
const SYNTAX = { ...base, class: 'SYNTAX_ERROR' } as const
const VALIDATION = { ...base, class: 'VALIDATION_FAILED' } as const

verifies(
  ['AGENT-BUILD-19', 'AGENT-BUILD-20'],
  'a syntax error is tried again below 3 attempts, then escalated',
  () => {
    const retry = { decision: 'RETRY', reason: 'Syntax error - will retry with correction' }
    expect(decideFailure({ ...SYNTAX, attempts: 1 })).toEqual(retry)
    expect(decideFailure({ ...SYNTAX, attempts: 2 })).toEqual(retry)
    expect(decideFailure({ ...SYNTAX, attempts: 3 })).toMatchObject({ decision: 'ESCALATE' })
    expect(decideFailure({ ...SYNTAX, attempts: 4 })).toMatchObject({ decision: 'ESCALATE' })
  },
)

verifies(
  ['AGENT-BUILD-23', 'AGENT-BUILD-24'],
  'a failed validation is tried again below 2 attempts, then skipped',
  () => {
    expect(decideFailure({ ...VALIDATION, attempts: 1 })).toEqual({
      decision: 'RETRY',
      reason: 'Validation failed - will fix',
    })
    expect(decideFailure({ ...VALIDATION, attempts: 2 })).toEqual({
      decision: 'SKIP',
      reason: 'Validation failed after 2 attempts',
    })
    expect(decideFailure({ ...VALIDATION, attempts: 3 })).toMatchObject({ decision: 'SKIP' })
  },
)

test('a missing package is installed once; what is still missing then is for a person', () => {
  const missing = { ...base, class: 'MISSING_DEPENDENCY', package: 'left-pad', attempts: 1 } as const
  expect(decideFailure(missing)).toMatchObject({ decision: 'INSTALL_AND_RETRY' })
  expect(decideFailure({ ...missing, installedBefore: true })).toMatchObject({ decision: 'ESCALATE' })
  expect(decideFailure({ ...missing, attempts: 5 })).toMatchObject({ decision: 'ESCALATE' })
})

test('what is missing of Python is for a person: a registry of npm has something else by that name', () => {
  const error = "ModuleNotFoundError: No module named 'requests'"
  const missing = { ...base, class: 'MISSING_DEPENDENCY', package: 'requests', attempts: 1, error } as const
  expect(decideFailure(missing)).toEqual({
    decision: 'ESCALATE',
    reason: 'requests is missing, and is not installed: it is of Python, and only packages of npm are',
  })
})

test('a conflict is tried again on the newest branch, and not for ever', () => {
  const conflict = { ...base, class: 'CONFLICT' } as const
  expect(decideFailure({ ...conflict, attempts: 4 })).toEqual({
    decision: 'REBASE_AND_RETRY',
    reason: 'Merge conflict detected',
  })
  expect(decideFailure({ ...conflict, attempts: 5 })).toMatchObject({ decision: 'ESCALATE' })
})

test('whatever is none of these is for a person, in its own words', () => {
  expect(decideFailure({ ...base, class: 'UNKNOWN', attempts: 1 })).toEqual({
    decision: 'ESCALATE',
    reason: 'Unknown error: went wrong',
  })
})
