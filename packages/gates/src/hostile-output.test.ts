// What tests print is anybody's text: twice as much of it takes about twice the time, and no more than a bound in all.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { withoutControlCodes } from './control-codes.ts'
import { openSink, plainText } from './evidence.ts'
import { makeRedactor } from './redact.ts'
import { readApart } from './reports/read-apart.ts'
import { readReport } from './reports/read-report.ts'
import { unconfined } from './run-command.ts'
import { runTests } from './tests.ts'

const cwd = '/nowhere'

/** Processor time of this process, which a busy machine does not lengthen. */
function cpuMs(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** Eightfold input in at most about sixteenfold time; sixty-four would be quadratic. The best of three tries counts. */
function expectLinear(work: (times: number) => unknown, times: number): void {
  const ratio = (): number => {
    const small = Math.max(
      cpuMs(() => work(times)),
      2,
    )
    return cpuMs(() => work(times * 8)) / small
  }
  work(times)
  expect(Math.min(ratio(), ratio(), ratio())).toBeLessThan(28)
}

const repeated: Record<string, string> = {
  'a title that does not end': '\u001b]',
  'a title that does not end, on lines': '\u001b]\n',
  'a control sequence that does not end': '\u001b[',
  'parameters that do not end': '\u001b[1;2;3;',
  'a short control character': '\u009b',
  'the same TAP point': 'ok 1 - a\n',
  'the same failed TAP point': 'not ok 1 - a\n',
  'TAP documents': 'TAP version 13\nok 1 - a\n1..1\n',
  'a TAP group that does not close': 'ok 1 - a {\n',
  'diagnostics that do not end': 'not ok 1 - a\n  ---\n',
  'an object that does not end': '{"stats":\n',
  'events of go': '{"Action":"run","Package":"a","Test":"b"}\n{"Action":"fail","Package":"a"}\n',
  'suites that do not end': '<testsuite>\n',
  'suites with a hidden part that does not end': '<testsuite><![CDATA[\n',
  'an attribute that does not end': '<testsuite a="\n',
  'counts of vitest': ' Test Files  1 passed (1)\n      Tests  1 passed (1)\n',
  'runs of vitest': ' RUN  v1.0.0 /a\n Test Files  1 failed (1)\n      Tests  1 failed (1)\n',
  'counts of vitest that differ':
    '\n Test Files  1 passed (1)\n      Tests  1 passed (1)\n\n Test Files  2 passed (2)\n      Tests  2 passed (2)\n',
  'failures of vitest': ' FAIL  a.test.ts > b\nAssertionError: x\n',
  'counts of jest': 'Test Suites: 1 failed, 1 total\nTests:       1 failed, 1 total\n',
  'counts of playwright': 'Running 1 test using 1 worker\n  1 passed (1s)\n',
  'counts of node': 'ℹ tests 1\nℹ pass 1\nℹ fail 0\n',
  'failures of node': '✖ failing tests:\n\ntest at a.js:1:1\n✖ a (1ms)\n',
  'counts of maven': '[INFO] Tests run: 1, Failures: 0, Errors: 0, Skipped: 0\n',
  'counts of cargo': 'running 1 test\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured\n',
  'counts of unittest': 'Ran 1 test in 0.0s\n\nOK\n',
  'headings of pytest': '===== FAILURES =====\n____ a ____\n===== 1 failed in 0.1s =====\n',
  'counts of mocha': '  1 passing (1ms)\n  1 failing\n\n  1) a\n       b:\n     x\n',
  'lines of go': '--- FAIL: A (0.00s)\nFAIL\ta\t0.1s\n',
  spaces: ' ',
  'equals signs': '=',
  digits: '1',
  'carriage returns': '\r',
}

for (const [name, unit] of Object.entries(repeated)) {
  test(`reading takes linear time: ${name}`, () => {
    const times = Math.ceil(12_000 / unit.length)
    for (const [head, tail] of [
      ['', '\n1..1\n'],
      ['TAP version 13\n', '\n  1 failing\n'],
      [' RUN  v1.0.0 /a\n', ''],
    ] as const)
      expectLinear((count) => readReport(head + unit.repeat(count) + tail, cwd), times)
  })
}

test('control sequences are taken out as the platform does it, for those that end', () => {
  for (const text of [
    'plain',
    '\u001b[31mred\u001b[0m and \u001b[1;38;5;200mbold\u001b[22m',
    'a\u001b[2K\u001b[1Gb',
    '\u001b]0;title\u0007text',
    '\u001b]8;;http://x.y/\u0007link\u001b]8;;\u0007',
    '\u001b(Bafter',
    '\u009b31mred',
    '\u001b[?25lhidden\u001b[?25h',
  ])
    expect(withoutControlCodes(text)).toBe(stripVTControlCharacters(text))
  // One that does not end takes no text with it, and leaves nothing that a terminal would obey.
  expect(withoutControlCodes('a\u001b]0;title\nb\u001b[')).toBe('a0;title\nb')
})

test('what is kept as evidence is looked at once, however it comes', () => {
  const dir = mkdtempSync(join(tmpdir(), 'treadle-sink-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const one = Buffer.from('x')
  expectLinear((count) => {
    const sink = openSink({ dir, tailBytes: 1_000, secrets: [] })
    for (let at = 0; at < count; at += 1) sink.write('stdout', one)
    sink.discard()
  }, 25_000)
  expectLinear((count) => plainText('\u001b]'.repeat(count)), 20_000)
  const key = '-----BEGIN PRIVATE KEY-----\n'
  expectLinear((count) => makeRedactor([]).redact(key.repeat(count)), 40_000)
})

test('a key that is 16 MB long is taken out, and no stack runs over', () => {
  const text = `a ${'sk-'.repeat(6_000_000)} b`
  const clean = makeRedactor([]).redact(text)
  expect(clean).toMatch(/^a \[redacted\]/)
  expect(clean).toMatch(/ b$/)
})

test('200,000 equal points are too many runs, and that is no pass', () => {
  const report = readReport(`${'ok 1 - a\n'.repeat(200_000)}1..1\n`, cwd)
  expect(report.failed).toBe(1)
  expect(report.failures[0]?.message).toContain('more than 5000 runs of tests')
})

test('a report that takes too long is given up, the process goes on meanwhile, and the gate is not passed', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'treadle-late-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const text = 'TAP version 13\n1..1\nok 1 - a\n'
  const late = { msMax: 0, bytesInPlace: 0 }
  const data = [Buffer.from(text)]
  expect(await readApart({ data, cwd }, late)).toEqual({
    is: 'not_read',
    why: expect.stringMatching(/^the test report \(0\.0 MB\) could not be read within 0 s$/),
  })
  expect(await readApart({ data, cwd }, { msMax: 60_000, bytesInPlace: 0 })).toMatchObject({
    is: 'read',
    report: { format: 'tap', passed: 1 },
  })
  const options = {
    evidenceDir: dir,
    env: { PATH: '/usr/bin:/bin' },
    tailBytes: 1_000,
    reading: late,
    surroundings: unconfined('test'),
  }
  const request = { cwd: dir, timeoutMs: 60_000 }
  const green = await runTests(options, { ...request, command: `printf '${text.replaceAll('\n', '\\n')}'` })
  expect(green).toMatchObject({ is: 'not_run', why: expect.stringContaining('could not be read within') })
  const red = await runTests(options, { ...request, command: 'echo no; exit 1' })
  expect(red.is).toBe('failed')
})

test('entities in a report are not expanded, and no file is read for one', () => {
  const levels = Array.from({ length: 30 }, (_, at) => `<!ENTITY a${at + 1} "&a${at};&a${at};&a${at};">`)
  const declared = `<!ENTITY a0 "ha">${levels.join('')}<!ENTITY x SYSTEM "file:///etc/passwd">`
  const suite =
    '<testsuites><testsuite name="&a30;" tests="1" failures="0"><testcase name="&x;" classname="&a30;"/></testsuite></testsuites>'
  const report = JSON.stringify(readReport(`<?xml version="1.0"?><!DOCTYPE t [${declared}]>${suite}`, cwd))
  expect(report.length).toBeLessThan(5_000)
  expect(report).not.toContain('haha')
  expect(report).not.toContain('root:')
})
