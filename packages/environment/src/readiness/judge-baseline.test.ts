// What keeps tests from being run is told from tests that fail, by what runners print.
import type { Evidence, GateResult, TestReport } from '@treadle/contracts/gate'
import { describe, expect, test } from 'vitest'
import { judgeBaseline, type ProjectFacts } from './judge-baseline.ts'

const facts: ProjectFacts = {
  declared: new Set(['mocha', 'typescript', '@scope/tool', 'gts', '@shop/lib']),
  own: new Set(['@shop/lib']),
  hasPackages: true,
  installWith: 'npm ci',
  setupCommand: null,
  buildWith: 'npm run build',
  timeoutMs: 600_000,
  isPythonDeclared: (name) => name === 'yaml',
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
      'a package of the workspace that is not linked',
      "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@shop/lib' imported from /w/a.js",
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
      'a Python module that the project asks for',
      "ModuleNotFoundError: No module named 'yaml'",
      'packages_missing',
      'tests.setupCommand',
      'python3 -m pip install yaml',
    ],
    [
      'a package that TypeScript does not find',
      "a.ts(1,1): error TS2307: Cannot find module '@scope/tool' or its corresponding type declarations.",
      'packages_missing',
      'tests.setupCommand',
      'npm ci',
    ],
    [
      'what is to be written beside what does not compile',
      "a.ts(1,1): error TS2305: no exported member.\nb.ts(3,1): error TS1005: ';' expected.",
      'compile_error',
      'tests.command',
      null,
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
    [
      'an export that an item is to add',
      "SyntaxError: The requested module '../src/sum.js' does not provide an export named 'add'\n    at ModuleJob._instantiate (node:internal/modules/esm/module_job:180:21)",
    ],
    [
      'the same, of TypeScript',
      "test/sum.test.ts:1:10 - error TS2305: Module '\"../src/sum\"' has no exported member 'add'.",
    ],
    [
      'a file that an item is to add, of TypeScript',
      "test/sum.test.ts(1,21): error TS2307: Cannot find module '../src/new' or its corresponding type declarations.",
    ],
    [
      'a member that an item is to add, and what follows of it',
      "a.test.ts(1,5): error TS2339: Property 'add' does not exist.\na.test.ts(1,9): error TS7006: Parameter 'x' implicitly has an 'any' type.",
    ],
    [
      'a function that an item is to add, of Go',
      './sum_test.go:6:7: undefined: Add\nFAIL\texample.com/a [build failed]',
    ],
    ['a part of a package of the workspace', "Error: Cannot find module '@shop/lib/new'"],
    ['a module of the project, of Python', "ModuleNotFoundError: No module named 'shop.new'"],
  ] as const)('%s', ([, output]) => {
    expect(judgeBaseline(failed(output), facts)).toMatchObject({ is: 'ready', baseline: { failed: 1 } })
  })

  test('one file of many that cannot be loaded is no trouble of the world', () => {
    expect(judgeBaseline(failed("Cannot find module 'mocha'", { passed: 3 }), facts)).toMatchObject({
      is: 'ready',
    })
  })
})

test('no tests are no fault, and neither is a report that nobody can read', () => {
  const of = { gate: 'tests_pass' } as const
  expect(judgeBaseline({ is: 'skipped', ...of, why: 'none' }, facts)).toMatchObject({ is: 'untested' })
  const none = { is: 'not_run', ...of, why: 'the command ran no tests', noTests: true } as const
  expect(judgeBaseline(none, facts)).toMatchObject({ is: 'untested' })
  const unread = { is: 'not_run', ...of, why: 'the report was not read in time' } as const
  expect(judgeBaseline(unread, facts)).toMatchObject({ is: 'untested', why: unread.why })
})

test('a program that a failing test starts is not what the tests are run with', () => {
  const found = failed('Error: spawn rg ENOENT')
  const report = { ...REPORT, format: 'tap', total: 1, failed: 1 } as const
  const ran = 'evidence' in found ? { ...found, evidence: { ...found.evidence, report } } : found
  expect(judgeBaseline(ran, facts)).toMatchObject({ is: 'ready' })
})
