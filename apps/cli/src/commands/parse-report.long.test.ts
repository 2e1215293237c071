import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const launcher = fileURLToPath(new URL('../../../../bin/treadle.js', import.meta.url))

function setUp() {
  const dir = mkdtempSync(join(tmpdir(), 'treadle-parse-report-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const parse = (args: readonly string[], input = '') => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, 'parse-report', ...args], {
      cwd: dir,
      input,
      encoding: 'utf8',
      timeout: 50_000,
    })
    return { status, stdout, stderr }
  }
  return { dir, parse }
}

const tap = `TAP version 13
ok 1 - adds
not ok 2 - subtracts
  ---
  error: 'got -1'
  location: 'sum.test.js:7:3'
  ...
ok 3 - later # SKIP
1..3
`

test('the report of a file as JSON, and as lines for people', () => {
  const { dir, parse } = setUp()
  writeFileSync(join(dir, 'report.tap'), tap)
  const asJson = parse(['report.tap', '--json'])
  expect(asJson).toMatchObject({ status: 0, stderr: '' })
  expect(JSON.parse(asJson.stdout)).toEqual({
    format: 'tap',
    total: 3,
    passed: 1,
    failed: 1,
    skipped: 1,
    passRate: 1 / 3,
    failures: [
      { id: 'sum.test.js > subtracts', file: 'sum.test.js', line: 7, message: 'got -1', stack: null },
    ],
    warnings: [],
  })
  expect(parse(['report.tap'])).toEqual({
    status: 0,
    stderr: '',
    stdout:
      'tap: 3 tests, 1 passed, 1 failed, 1 skipped (33.3 % passed)\n\n' +
      'failed: sum.test.js > subtracts\n  sum.test.js:7\n  got -1\n',
  })
})

test('standard input, and a format by name', () => {
  const { parse } = setUp()
  expect(JSON.parse(parse(['-', '--json', '--format', 'tap'], tap).stdout)).toMatchObject({ total: 3 })
  const other = parse(['-', '--format', 'junit'], tap)
  expect(other).toMatchObject({ status: 1, stdout: '' })
  expect(other.stderr).toContain('standard input: no test report could be read as junit')
})

test('what cannot be read ends with 1 and the reason, for programs too', () => {
  const { dir, parse } = setUp()
  writeFileSync(join(dir, 'notes.txt'), 'all good, 5 tests passed')
  writeFileSync(join(dir, 'empty'), '')
  writeFileSync(join(dir, 'huge'), '')
  truncateSync(join(dir, 'huge'), 65 * 1024 * 1024)
  for (const [file, reason] of [
    ['notes.txt', 'no test report could be read'],
    ['empty', 'is empty'],
    ['huge', 'is larger than 64 MiB'],
    ['absent', 'cannot be read'],
    ['.', 'is a folder'],
  ] as const) {
    const { status, stdout, stderr } = parse([file, '--json'])
    expect({ file, status }).toEqual({ file, status: 1 })
    expect(stderr).toContain(reason)
    expect(JSON.parse(stdout)).toMatchObject({ error: expect.stringContaining(reason) })
  }
})

test('wrong use ends with 2, help with 0', () => {
  const { parse } = setUp()
  expect(parse([])).toMatchObject({ status: 2, stdout: '' })
  expect(parse(['x', '--format', 'morse'])).toMatchObject({ status: 2, stdout: '' })
  const help = parse(['--help'])
  expect(help.status).toBe(0)
  expect(help.stdout).toMatch(/parse-report.*<file>[\s\S]*--format[\s\S]*junit[\s\S]*--json/)
})
