import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GateResult } from '@treadle/contracts/gate'
import { atSomePace } from '@treadle/requirements/pace'
import { verifies } from '@treadle/requirements/verifies'
import { expect, onTestFinished, test } from 'vitest'
import { env as toolEnv } from '../../../tools/env.ts'
import { openGates } from './gates.ts'
import { unconfined } from './run-command.ts'

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url))

function setUp(files: Record<string, string | object> = {}) {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'treadle-tests-')))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const cwd = join(dir, "it's a project")
  mkdirSync(cwd)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const evidenceDir = join(dir, 'evidence')
  const env = { PATH: `${join(modules, '.bin')}:${toolEnv.path}`, HOME: dir }
  const gates = openGates({
    evidenceDir,
    env,
    tailBytes: 4_000,
    secrets: ['value-of-a-secret'],
    surroundings: unconfined('test'),
  })
  const runTests = async (command: string | null, timeoutMs = 200_000, signal?: AbortSignal) =>
    GateResult.parse(await gates.runTests({ cwd, command, timeoutMs, ...(signal ? { signal } : {}) }))
  return { dir, cwd, evidenceDir, gates, runTests }
}

const nodeTests = `
  import test from 'node:test'
  import assert from 'node:assert'
  import { sum } from './sum.mjs'
  test('adds', () => assert.equal(sum(1, 2), 3))
  test('adds nothing', () => assert.equal(sum(), 0))`
const rightSum = 'export const sum = (...numbers) => numbers.reduce((a, b) => a + b, 0)'
const wrongSum = 'export const sum = (...numbers) => numbers.reduce((a, b) => a - b, 0)'

verifies('META-GATE-1', 'a project whose tests all pass passes, with the report as evidence', async () => {
  const { runTests, gates, cwd, evidenceDir } = setUp({ 'sum.test.mjs': nodeTests, 'sum.mjs': rightSum })
  const command = await gates.detectTestCommand(cwd)
  expect(command).toBe('node --test')
  const result = await runTests(command)
  expect(result).toMatchObject({
    is: 'passed',
    gate: 'tests_pass',
    evidence: { command, exitCode: 0, report: { format: 'tap', total: 2, passed: 2, failed: 0 } },
  })
  // People read the evidence too: it holds the runner's ordinary output, and nothing is left in the project.
  if (result.is === 'passed') expect(result.evidence.tail).toContain('✔ adds')
  expect(readdirSync(cwd).sort()).toEqual(['sum.mjs', 'sum.test.mjs'])
  expect(readdirSync(evidenceDir).filter((name) => name.startsWith('tmp-'))).toEqual([])
})

verifies('META-TEST-5', 'a failing test is named, with its message, place and stack', async () => {
  const { runTests } = setUp({
    'sum.test.mjs': nodeTests,
    'sum.mjs': wrongSum,
    'package.json': { scripts: { test: 'node --test sum.test.mjs' } },
  })
  const result = await runTests('npm test')
  expect(result).toMatchObject({
    is: 'failed',
    evidence: { command: 'npm test', exitCode: 1, report: { total: 2, passed: 1, failed: 1 } },
    failures: [{ id: 'sum.test.mjs > adds', file: 'sum.test.mjs', line: 5, expected: '3', actual: '-3' }],
  })
  if (result.is === 'failed') expect(result.failures[0]?.stack).toContain('sum.test.mjs:5')
})

test('vitest behind an npm script, run with its own reporter and ours', async () => {
  const source =
    "import { expect, test } from 'vitest'\ntest('right', () => { expect(1).toBe(1) })\ntest('wrong', () => {\n  expect(1).toBe(2)\n})\n"
  const { runTests, cwd } = setUp({
    'a.test.ts': source,
    'vitest.config.ts': 'export default { test: { fsModuleCache: false } }',
    'package.json': { type: 'module', scripts: { test: 'vitest run' } },
  })
  symlinkSync(modules, join(cwd, 'node_modules'))
  const result = await runTests('npm test')
  expect(result).toMatchObject({
    is: 'failed',
    evidence: { report: { format: 'vitest-json', total: 2, passed: 1, failed: 1 } },
    failures: [{ id: 'a.test.ts > wrong', file: 'a.test.ts', line: 4 }],
  })
  if (result.is === 'failed') expect(result.evidence.tail).toMatch(/1 failed/)
  expect(readdirSync(cwd).sort()).toEqual(['a.test.ts', 'node_modules', 'package.json', 'vitest.config.ts'])
})

test('a runner that lies with its exit code is believed by its report', async () => {
  const { runTests } = setUp()
  expect(await runTests(`printf 'TAP version 13\\n1..2\\nok 1 - a\\nnot ok 2 - b\\n'; exit 0`)).toMatchObject(
    {
      is: 'failed',
      evidence: { exitCode: 0 },
      failures: [{ id: 'b' }],
    },
  )
})

test('a runner that lies with its report is believed by its exit code', async () => {
  const { runTests } = setUp()
  const result = await runTests(
    `printf 'TAP version 13\\n1..1\\nok 1 - a\\n'; echo coverage too low >&2; exit 7`,
  )
  expect(result).toMatchObject({ is: 'failed', evidence: { exitCode: 7, report: { passed: 1, failed: 0 } } })
  if (result.is !== 'failed') return
  expect(result.failures).toHaveLength(1)
  expect(result.failures[0]?.message).toMatch(/failed with exit code 7[\s\S]*coverage too low/)
})

test('what runs no tests has not run, whatever its exit code says', async () => {
  const { runTests } = setUp({ 'package.json': { scripts: { test: 'node --test' } } })
  expect(await runTests('npm test')).toEqual({
    is: 'not_run',
    gate: 'tests_pass',
    why: 'the command ran no tests',
    noTests: true,
  })
})

test('no test command at all is skipped and never passed', async () => {
  const { runTests } = setUp()
  for (const command of [null, '  '])
    expect(await runTests(command)).toEqual({
      is: 'skipped',
      gate: 'tests_pass',
      why: 'no tests: no test command is configured and none could be detected',
    })
})

test('success without a report carries a warning; a command that skipped every test ran none', async () => {
  const { runTests } = setUp()
  expect(await runTests('echo all good')).toMatchObject({
    is: 'passed_with_warnings',
    evidence: { report: { format: 'none' } },
    warnings: ['no test report could be read'],
  })
  expect(await runTests(`printf 'TAP version 13\\n1..1\\nok 1 - a # SKIP\\n'`)).toMatchObject({
    is: 'not_run',
    why: 'the command ran no tests: all 1 were skipped',
    noTests: true,
  })
})

verifies(['META-TEST-8', 'META-TEST-9'], 'a time-out is a failure that says how long was waited', () =>
  atSomePace(async (unitMs) => {
    const { runTests } = setUp()
    const result = await runTests('echo working; sleep 300', 2 * unitMs)
    expect(result).toMatchObject({ is: 'failed', evidence: { timedOut: true, tail: 'working\n' } })
    const words = `did not end within ${2 * unitMs} ms`
    if (result.is === 'failed') expect(result.failures[0]?.message).toContain(words)
  }),
)

test('a test that hangs is stopped and the tests that failed before it are still told', async () => {
  const hanging = `
    import test from 'node:test'
    test('fails', () => { throw new Error('real failure') })
    test('hangs', () => new Promise((resolve) => setTimeout(resolve, 300_000)))`
  await atSomePace(async (unitMs) => {
    const { runTests } = setUp({ 'a.test.mjs': hanging })
    const result = await runTests('node --test', 8 * unitMs)
    expect(result).toMatchObject({ is: 'failed', evidence: { timedOut: true } })
    if (result.is === 'failed')
      expect(result.failures.map(({ id }) => id)).toEqual(
        expect.arrayContaining(['test command', 'a.test.mjs > fails']),
      )
  })
})

test('an interrupted run has not run', async () => {
  const { runTests } = setUp()
  const signal = AbortSignal.timeout(300)
  expect(await runTests('sleep 300', 200_000, signal)).toEqual({
    is: 'not_run',
    gate: 'tests_pass',
    why: 'the run was interrupted',
  })
})

test('secrets reach neither the evidence nor the failures', async () => {
  const leaking = `
    import test from 'node:test'
    test('leaks', () => { throw new Error('token ghp_abcdefghijklmnopqrstuvwxyz0123456789 and value-of-a-secret, ü') })`
  const { runTests } = setUp({ 'a.test.mjs': leaking })
  const result = await runTests('node --test')
  expect(result).toMatchObject({
    is: 'failed',
    failures: [{ message: 'token [redacted] and [redacted], ü' }],
  })
  expect(JSON.stringify(result)).not.toMatch(/ghp_abc|value-of-a-secret/)
})

test('a test run that deletes its own folder still gets a verdict', async () => {
  const { runTests, cwd } = setUp()
  expect(await runTests(`printf 'TAP version 13\\n1..1\\nok 1 - a\\n'; rm -rf "${cwd}"`)).toMatchObject({
    is: 'passed',
  })
})

test('a runner that does not know our arguments is run again without them', async () => {
  const { dir, runTests } = setUp({ 'package.json': { scripts: { test: 'vitest run' } } })
  const bin = join(dir, "it's a project", 'node_modules', '.bin')
  mkdirSync(bin, { recursive: true })
  const script = `#!/bin/sh
    for each in "$@"; do case "$each" in --*) echo "Unknown option $each" >&2; exit 1;; esac; done
    printf 'TAP version 13\\n1..1\\nok 1 - old\\n'`
  writeFileSync(join(bin, 'vitest'), script, { mode: 0o755 })
  expect(await runTests('npm test')).toMatchObject({ is: 'passed', evidence: { report: { total: 1 } } })
})

test('a command that writes a report full of failures is not made better by a crash', async () => {
  const { runTests } = setUp()
  expect(await runTests(`printf 'TAP version 13\\n1..2\\nok 1 - a\\n'; kill -SEGV $$`)).toMatchObject({
    is: 'failed',
    evidence: { exitCode: null, signal: 'SIGSEGV' },
  })
})

test('preparing a worktree: done, nothing to do, failed with the reason', async () => {
  const { gates, cwd } = setUp()
  const prepare = (command: string | null, timeoutMs = 200_000) => gates.runSetup({ cwd, command, timeoutMs })
  expect(await prepare('touch made')).toEqual({ is: 'ok' })
  expect(readdirSync(cwd)).toEqual(['made'])
  expect(await prepare(null)).toEqual({ is: 'ok' })
  expect(await prepare('echo no network; exit 2')).toMatchObject({
    is: 'failed',
    why: '`echo no network; exit 2` failed with exit code 2\nno network',
  })
  expect(await prepare('sleep 300', 300)).toMatchObject({
    why: expect.stringContaining('did not end within 300 ms'),
  })
})

test('what killed runs left half written is removed after a day', () => {
  const { evidenceDir } = setUp()
  mkdirSync(join(evidenceDir, 'tmp-old'), { recursive: true })
  writeFileSync(join(evidenceDir, 'tmp-new'), 'in use')
  const longAgo = new Date(Date.now() - 2 * 24 * 60 * 60_000)
  utimesSync(join(evidenceDir, 'tmp-old'), longAgo, longAgo)
  openGates({ evidenceDir, env: {}, tailBytes: 10, surroundings: unconfined('test') })
  expect(readdirSync(evidenceDir)).toEqual(['tmp-new'])
  expect(readFileSync(join(evidenceDir, 'tmp-new'), 'utf8')).toBe('in use')
})
