// Every capture of every runner, read against what the sample project declares.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { passRate, type ReportFormat, TestReport } from '@treadle/contracts/gate'
import { verifies } from '@treadle/requirements/verifies'
import { expect, test } from 'vitest'
import { type Truth, truths } from '../../fixtures/truth.ts'
import { formats, readReport } from './read-report.ts'

const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url))

/** As it would be where the project lies here: the captures name it `/project`. */
function readCapture(runner: string, name: string, format?: ReportFormat): TestReport {
  const cwd = join(fixtures, runner, 'sample')
  const text = readFileSync(join(fixtures, runner, 'captures', name), 'utf8').replaceAll('/project', cwd)
  return TestReport.parse(readReport(text, cwd, format))
}

const captures = Object.entries(truths).flatMap(([runner, each]) =>
  Object.entries(each).map(([name, truth]) => ({ runner, name, truth })),
)

test('every capture has its truth, and every truth its capture', () => {
  const onDisk = Object.keys(truths).flatMap((runner) =>
    readdirSync(join(fixtures, runner, 'captures')).map((name) => `${runner}/${name}`),
  )
  expect(captures.map(({ runner, name }) => `${runner}/${name}`).sort()).toEqual(onDisk.sort())
})

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1)

function compare(report: TestReport, truth: Truth): void {
  const { total, passed, failed, skipped } = report
  expect({ total, passed, failed, skipped }).toEqual({
    total: truth.total,
    passed: truth.passed,
    failed: truth.failed,
    skipped: truth.skipped,
  })
  const told = report.failures.map(({ id, file, line }) => ({ id, file, line })).sort(byId)
  const declared = truth.failures.map(({ id, file, line }) => ({ id, file, line })).sort(byId)
  expect(told).toEqual(declared)
  for (const { id, message } of truth.failures) {
    expect(report.failures.find((each) => each.id === id)?.message).toContain(message)
  }
}

const kinds: Readonly<Record<string, RegExp>> = {
  json: /-json$/,
  'ctrf.json': /^ctrf$/,
  txt: /-text$/,
  xml: /^junit$/,
  tap: /^tap$/,
}

for (const { runner, name, truth } of captures) {
  verifies(
    ['META-TEST-3', 'META-TEST-4', 'META-TEST-5'],
    `${runner}/${name} says what the sample declares`,
    () => {
      const report = readCapture(runner, name)
      if (truth === null) {
        expect(report).toMatchObject({
          format: 'none',
          total: 0,
          failures: [],
          warnings: [expect.any(String)],
        })
        return
      }
      const ending = name.endsWith('ctrf.json') ? 'ctrf.json' : (name.split('.').at(-1) ?? '')
      expect(report.format).toMatch(kinds[ending] ?? /^$/)
      compare(report, truth)
      // Asked for by its name it is the same, and as anything else it is not taken for more than it is.
      expect(readCapture(runner, name, report.format)).toEqual(report)
    },
  )
}

const traps = fileURLToPath(new URL('fixtures/traps', import.meta.url))

/** The formats of runners that have no sample project, from their captures beside the readers. */
function trapFormats(): ReportFormat[] {
  const files = readdirSync(traps).filter((file) =>
    /^(?:bats|bun|cucumber|uvu|jasmine|minitest|perl|phpunit|rspec)-/.test(file),
  )
  return files.flatMap((file) =>
    readFileSync(join(traps, file), 'utf8')
      .split(/^-- \S+: .+ --\n/m)
      .map((text) => readReport(text, '/project').format),
  )
}

test('every format has a capture', () => {
  const seen = new Set(captures.map(({ runner, name }) => readCapture(runner, name).format))
  for (const format of trapFormats()) seen.add(format)
  expect([...seen].filter((format) => format !== 'none').sort()).toEqual([...formats].sort())
})

test('the calls of a stack are told apart: the project, and what is none of its own', () => {
  const table: [string, string, string, string[]][] = [
    ['vitest', 'mixed.json', 'throws', ['lib.mjs:7', 'mixed/math.test.mjs:14']],
    ['vitest', 'mixed.txt', 'throws', ['lib.mjs:7', 'mixed/math.test.mjs:14']],
    ['jest', 'mixed.json', 'throws', ['lib.js:7', 'mixed/math.test.js:13']],
    ['mocha', 'mixed.txt', 'throws', ['lib.js:7', 'mixed/math.test.js:14']],
    ['node', 'mixed.tap', 'throws', ['lib.mjs:7', 'mixed/math.test.mjs:15']],
    ['ava', 'mixed.txt', 'throws', ['lib.js:7', 'mixed/math.test.js:14']],
    ['playwright', 'mixed.json', 'throws', ['lib.js:7', 'mixed/math.spec.js:14']],
    ['unittest', 'mixed.txt', 'test_throws', ['lib.py:9', 'mixed/test_math.py:16']],
    ['pytest', 'mixed.junit.xml', 'test_throws', ['lib.py:9', 'mixed/test_math.py:17']],
    ...(
      [
        ['maven', 'mixed-asked.txt'],
        ['maven', 'mixed.junit.xml'],
        ['gradle', 'mixed-full.txt'],
        ['gradle', 'mixed.junit.xml'],
      ] as const
    ).map(([runner, name]): [string, string, string, string[]] => [
      runner,
      name,
      'throwsInside',
      ['src/main/java/shop/Price.java:12', 'src/test/java/shop/PriceTest.java:22'],
    ]),
    ['go', 'mixed.json', 'TestExplodes', ['panics/lib_test.go:6', 'panics/lib_test.go:12']],
    [
      'cargo',
      'mixed-backtrace.txt',
      'throws',
      ['src/lib.rs:13', 'src/lib.rs:13', 'src/lib.rs:42', 'src/lib.rs:41'],
    ],
  ]
  for (const [runner, name, id, own] of table) {
    const failure = readCapture(runner, name).failures.find((each) => each.id.endsWith(id))
    const frames = failure?.frames ?? []
    expect(
      frames.filter((frame) => frame.own).map(({ file, line }) => `${file}:${line}`),
      `${runner}/${name}`,
    ).toEqual(own)
    expect(
      frames.filter(
        (frame) => !frame.own && /sample|mixed\/|^lib/.test(frame.file.split('node_modules')[0] ?? ''),
      ),
    ).toEqual([])
  }
  const explode = readCapture('node', 'mixed.tap').failures.find(({ id }) => id.endsWith('throws'))
  expect(explode?.frames?.[0]).toEqual({ file: 'lib.mjs', line: 7, column: 9, fn: 'explode', own: true })
})

test('what a failed test printed goes with it, where the report tells it', () => {
  for (const [runner, name] of [
    ['vitest', 'mixed.junit.xml'],
    ['playwright', 'mixed.json'],
    ['pytest', 'mixed.txt'],
    ['pytest', 'mixed-asked.junit.xml'],
    ['go', 'mixed.json'],
    ['cargo', 'mixed.txt'],
    ['cargo', 'mixed.json'],
    ['phpunit', 'mixed.junit.xml'],
    ['maven', 'mixed.junit.xml'],
  ] as const) {
    const failure = readCapture(runner, name).failures.find(({ id }) =>
      (runner === 'maven' ? /throwsInside$/ : /subtracts$/i).test(id),
    )
    expect(failure?.output, `${runner}/${name}`).toMatch(/about to (?:subtract|divide)/)
  }
})

test('what differs is told, where the report tells it', () => {
  const table: [string, string, string, string][] = [
    ['jest', 'mixed.json', '"naive"', '"naïve"'],
    ['jest', 'mixed.txt', '"naive"', '"naïve"'],
    ['vitest', 'mixed.txt', '"naive"', '"naïve"'],
    ['mocha', 'mixed.json', 'naive', 'naïve'],
    ['node', 'mixed.tap', 'naive', 'naïve'],
    ['ava', 'mixed.txt', "'naive'", "'naïve'"],
    ['tape', 'mixed.tap', 'naive', 'naïve'],
    ['playwright', 'mixed.json', '"naive"', '"naïve"'],
    ['maven', 'mixed.txt', 'naïve', 'naive'],
    ['maven', 'mixed.junit.xml', 'naïve', 'naive'],
    ['gradle', 'mixed-full.txt', 'naïve', 'naive'],
    ['gradle', 'mixed.junit.xml', 'naïve', 'naive'],
  ]
  for (const [runner, name, expected, actual] of table) {
    const failure = readCapture(runner, name).failures.find(({ id }) => /größer|> words$/.test(id))
    expect(failure, `${runner}/${name}`).toMatchObject({ expected, actual })
  }
})

test('a test that passes only at its second try is named as flaky', () => {
  for (const name of ['mixed.json', 'mixed.txt']) {
    expect(readCapture('playwright', name).warnings.join()).toMatch(/^1 flaky: .*is flaky/)
  }
})

verifies('META-TEST-6', 'the pass rate is passed of total, and 0 where there are no tests', () => {
  expect(passRate(readCapture('vitest', 'mixed.json'))).toBe(2 / 9)
  expect(passRate(readCapture('vitest', 'green.json'))).toBe(1)
  expect(passRate(readCapture('mocha', 'crash.txt'))).toBe(0)
  expect(passRate({ passed: 0, total: 4 })).toBe(0)
})
