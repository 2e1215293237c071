// Whatever a text holds: no reader throws, no count is out of proportion, no failure is lost between them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { passRate, TestReport } from '@treadle/contracts/gate'
import fc from 'fast-check'
import { test } from 'vitest'
import { formats, readEndOfOutput, readReport } from './read-report.ts'

const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url))
const captures = readdirSync(fixtures, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => {
    const folder = join(fixtures, name, 'captures')
    return readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
  })
const lines = [...new Set(captures.flatMap((text) => text.split('\n')))]

function check(report: TestReport): void {
  const { total, passed, failed, skipped, failures } = TestReport.parse(report)
  const counts = [total, passed, failed, skipped]
  const isSound =
    counts.every((count) => Number.isSafeInteger(count) && count >= 0) &&
    total === passed + failed + skipped &&
    failures.length <= failed &&
    (failed === 0 || failures.length > 0)
  const rate = passRate(report)
  if (!isSound || rate < 0 || rate > 1)
    throw new Error(`unsound: ${JSON.stringify(counts)}, ${failures.length}`)
}

const checkAll = (text: string): void => {
  check(readReport(text, '/project'))
  const end = readEndOfOutput(text, '/project')
  if (end) check(end)
}

test('texts at random', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 400 }), checkAll), { numRuns: 300 })
})

test('lines of real reports in any order, as any format', () => {
  const text = fc.array(fc.constantFrom(...lines), { maxLength: 40 }).map((some) => some.join('\n'))
  fc.assert(
    fc.property(text, fc.constantFrom(...formats), (output, format) => {
      checkAll(output)
      check(readReport(output, '/project', format))
    }),
    { numRuns: 300 },
  )
})

test('real reports cut off, with a piece taken out, and joined', () => {
  const capture = fc.constantFrom(...captures)
  const place = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(capture, capture, place, place, (one, other, from, to) => {
      const [start, end] = [Math.floor(one.length * from), Math.floor(one.length * to)].sort((a, b) => a - b)
      checkAll(one.slice(0, end))
      checkAll(one.slice(start))
      checkAll(one.slice(0, start) + one.slice(end))
      checkAll(one + other)
    }),
    { numRuns: 60 },
  )
})

test('JSON of the right names and any values', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, 'failed', 'passed', '', -1, 1.5, 1e99),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom(
          ...['numTotalTests', 'numFailedTests', 'testResults', 'assertionResults', 'status', 'success'],
          ...[
            'stats',
            'tests',
            'passes',
            'failures',
            'pending',
            'err',
            'results',
            'summary',
            'tool',
            'failed',
          ],
          ...['suites', 'specs', 'config', 'rootDir', 'errors', 'title', 'file', 'message', 'unexpected'],
        ),
        tie('any'),
        { maxKeys: 6 },
      ),
    ),
  })).any
  fc.assert(
    fc.property(value, (any) => checkAll(JSON.stringify(any))),
    { numRuns: 500 },
  )
})
