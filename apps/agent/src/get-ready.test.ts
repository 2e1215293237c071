// What keeps an item from being begun: only what every change would meet, never what the item may be about.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Config } from '@treadle/contracts/config'
import type { Evidence, GateName, GateResult } from '@treadle/contracts/gate'
import { expect, onTestFinished, test } from 'vitest'
import { NotReady, needReady } from './get-ready.ts'

function evidence(tail: string, timedOut = false): Evidence {
  return {
    command: 'npm test',
    exitCode: 1,
    signal: null,
    timedOut,
    durationMs: 5,
    output: '0'.repeat(64),
    outputBytes: tail.length,
    tail,
    report: null,
  }
}

function failed(gate: GateName, tail: string, timedOut = false): GateResult {
  const failure = { id: 'test command', file: null, line: null, message: tail, stack: null }
  return { is: 'failed', gate, evidence: evidence(tail, timedOut), failures: [failure] }
}

const passed = (gate: GateName): GateResult => ({ is: 'passed', gate, evidence: evidence('') })

/** Whose trouble it is; null: the item is begun. */
function refused(testCommand: string | null, baseline: readonly GateResult[]): string | null {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-get-ready-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  execFileSync('git', ['init', '--quiet'], { cwd: root })
  writeFileSync(join(root, 'package.json'), JSON.stringify({ devDependencies: { mocha: '1' } }))
  try {
    needReady(
      { config: Config.parse({}), paths: { root } },
      { item: { testCommand }, worktree: root, baseline },
    )
    return null
  } catch (error) {
    if (!(error instanceof NotReady)) throw error
    return `${error.isItsOwn ? 'its own' : "everybody's"}: ${error.trouble.kind}`
  }
}

const TYPE = 'test/new.test.ts(3,9): error TS2554: Expected 1 arguments, but got 2.'
const OTHER = "src/a.ts(3,9): error TS1005: ';' expected."
const OWN = 'npx jest ./test/new.test.ts'

test.for<[string, string | null, GateResult[], string | null]>([
  ['its test does not compile yet', OWN, [failed('tests_pass', TYPE), passed('no_regression')], null],
  [
    'nor does the whole suite, because of it',
    OWN,
    [failed('tests_pass', TYPE), failed('no_regression', TYPE)],
    null,
  ],
  [
    'the suite does not compile because of another file',
    OWN,
    [failed('tests_pass', TYPE), failed('no_regression', `${TYPE}\n${OTHER}`)],
    "everybody's: compile_error",
  ],
  ['its test never ends', OWN, [failed('tests_pass', '', true), passed('no_regression')], null],
  ['the build of its tests fails', OWN, [failed('build_pass', TYPE)], null],
  [
    'its test needs a package',
    OWN,
    [failed('tests_pass', "Cannot find module 'mocha'"), passed('no_regression')],
    'its own: packages_missing',
  ],
  [
    'the same, after a build',
    OWN,
    [passed('build_pass'), failed('tests_pass', "Cannot find module 'mocha'"), passed('no_regression')],
    'its own: packages_missing',
  ],
  [
    'the suite needs one, after a build',
    null,
    [passed('build_pass'), failed('tests_pass', "Cannot find module 'mocha'")],
    "everybody's: packages_missing",
  ],
  [
    'the suite of an item with its own test needs one, after a build',
    OWN,
    [passed('build_pass'), passed('tests_pass'), failed('no_regression', "Cannot find module 'mocha'")],
    "everybody's: packages_missing",
  ],
  [
    'the build of the suite fails',
    OWN,
    [passed('tests_pass'), failed('build_pass', OTHER)],
    "everybody's: compile_error",
  ],
  ['the build fails', null, [failed('build_pass', OTHER)], "everybody's: compile_error"],
])('%s', ([, testCommand, baseline, whose]) => {
  expect(refused(testCommand, baseline)).toBe(whose)
})
