// What keeps tests from being run is told from tests that fail, by what runners print.
import type { Evidence, GateResult, TestReport } from '@treadle/contracts/gate'
import { describe, expect, test } from 'vitest'
import { judgeBaseline, type ProjectFacts } from './judge-baseline.ts'

const facts: ProjectFacts = {
  declared: new Set(['mocha', 'typescript', '@scope/tool', 'gts']),
  hasPackages: true,
  installWith: 'npm ci',
  setupCommand: null,
  buildWith: 'npm run build',
  timeoutMs: 600_000,
  isIgnored: (path) => /(?:^|\/)build\//.test(path),
}

const REPORT: TestReport = {
  format: 'none',
  total: 0,
  passed: 0,
  failed: 0,
  skipped: 0,
  failures: [],
  warnings: [],
}

function failed(
  tail: string,
  more: { exitCode?: number; passed?: number; timedOut?: boolean } = {},
): GateResult {
  const { exitCode = 1, passed = 0, timedOut = false } = more
  const evidence: Evidence = {
    command: 'npm test',
    exitCode,
    signal: null,
    timedOut,
    durationMs: 1_200,
    output: '0'.repeat(64),
    outputBytes: tail.length,
    tail,
    report: { ...REPORT, passed, total: passed },
  }
  const failure = { id: 'test command', file: null, line: null, message: tail, stack: null }
  return { is: 'failed', gate: 'tests_pass', evidence, failures: [failure] }
}

describe('the world is not ready', () => {
  test.for([
    [
      'a runner of the project that is not installed',
      '> mocha\n\nsh: 1: mocha: not found',
      'packages_missing',
      'tests.setupCommand',
      'npm ci',
    ],
    [
      'the same, of bash',
      'bash: line 1: mocha: command not found',
      'packages_missing',
      'tests.setupCommand',
      'npm ci',
    ],
    [
      'the same, of pnpm',
      'ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL  Command "mocha" not found',
      'packages_missing',
      'tests.setupCommand',
      'npm ci',
    ],
    [
      'a package that CommonJS does not find',
      "Error: Cannot find module 'mocha'\nRequire stack:\n- /w/test/a.js",
      'packages_missing',
      'tests.setupCommand',
      'npm ci',
    ],
    [
      'a part of a package that ESM does not find',
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@scope/tool' imported from /w/a.js",
      'packages_missing',
      'tests.setupCommand',
      'npm ci',
    ],
    [
      'settings of TypeScript in a package',
      "error TS5083: Cannot read file '/w/.treadle/worktrees/a/node_modules/gts/tsconfig-google.json'.",
      'packages_missing',
      'tests.setupCommand',
      'npm ci',
    ],
    [
      'what a build makes',
      "Error: Cannot find module '../build/index.cjs'\nRequire stack:\n- /w/test/a.cjs",
      'output_missing',
      'tests.buildCommand',
      'npm run build',
    ],
    ['a program that no package brings', 'sh: 1: bazel: not found', 'tool_missing', 'tests.command', null],
    [
      'a program that env does not find',
      'env: ‘deno’: No such file or directory',
      'tool_missing',
      'tests.command',
      null,
    ],
    [
      'pytest',
      '/usr/bin/python3: No module named pytest',
      'packages_missing',
      'tests.setupCommand',
      'python3 -m pip install pytest',
    ],
    [
      'a compiler that refuses',
      "src/a.ts(3,1): error TS2322: Type 'string' is not assignable.",
      'compile_error',
      'tests.command',
      null,
    ],
    ['Go that does not build', 'FAIL\texample.com/a [build failed]', 'compile_error', 'tests.command', null],
    [
      'a file that Node cannot parse',
      'SyntaxError: Unexpected token )\n    at wrapSafe (node:internal/modules/cjs/loader:1)',
      'compile_error',
      'tests.command',
      null,
    ],
  ] as const)('%s', ([, output, kind, setting, value]) => {
    const found = judgeBaseline(failed(output), facts)
    expect(found).toMatchObject({ is: 'not_ready', trouble: { kind, setting, value } })
    expect(found).toMatchObject({
      trouble: { lines: expect.stringContaining(output.split('\n').at(-1) ?? '') },
    })
  })

  test('a command that does not end', () => {
    const found = judgeBaseline(failed('still at it', { timedOut: true, passed: 7 }), facts)
    expect(found).toMatchObject({
      is: 'not_ready',
      trouble: { kind: 'timed_out', setting: 'tests.timeoutMs', value: '1800000' },
    })
  })

  test('packages that the set-up command does not bring are not answered with the same command', () => {
    const found = judgeBaseline(failed('sh: 1: mocha: not found'), { ...facts, setupCommand: 'true' })
    expect(found).toMatchObject({ trouble: { kind: 'packages_missing', value: null } })
  })
})

describe('the world is ready, whatever fails in it', () => {
  test.for([
    ['a test that fails', 'not ok 1 - adds'],
    [
      'a file of the project that an item is to add',
      "Error: Cannot find module '../src/new.js'\nRequire stack:\n- /w/test/a.js",
    ],
    [
      'a package that nobody has asked for yet',
      "Error: Cannot find module 'left-pad'\nRequire stack:\n- /w/test/a.js",
    ],
    [
      'a parser whose tests speak of syntax',
      'SyntaxError: Unexpected token ) in JSON\n    at parse (src/parse.js:3)',
    ],
  ] as const)('%s', ([, output]) => {
    expect(judgeBaseline(failed(output), facts)).toMatchObject({ is: 'ready', baseline: { failed: 1 } })
  })

  test('one file of many that cannot be loaded is no trouble of the world', () => {
    expect(judgeBaseline(failed("Cannot find module 'mocha'", { passed: 3 }), facts)).toMatchObject({
      is: 'ready',
    })
  })
})

test('no tests are no fault, and an interruption says nothing', () => {
  const of = { gate: 'tests_pass' } as const
  expect(judgeBaseline({ is: 'skipped', ...of, why: 'none' }, facts)).toMatchObject({ is: 'untested' })
  const none = { is: 'not_run', ...of, why: 'the command ran no tests', noTests: true } as const
  expect(judgeBaseline(none, facts)).toMatchObject({ is: 'untested' })
  expect(judgeBaseline({ is: 'not_run', ...of, why: 'the run was interrupted' }, facts)).toBeNull()
})
