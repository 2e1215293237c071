// The JSON that vitest and jest write; both have the same shape, but for a count that only jest has.
import type { TestReport } from '@treadle/contracts/gate'
import { z } from 'zod'
import { fileName, frameOf } from './frames.ts'
import {
  addPassed,
  expectedIn,
  makeFailure,
  noOutcomes,
  type Outcomes,
  splitError,
  toReport,
} from './report.ts'

const Assertion = z.object({
  ancestorTitles: z.array(z.string()).default([]),
  title: z.string().default(''),
  fullName: z.string().default(''),
  status: z.string(),
  duration: z.number().nullish(),
  // What was thrown may have no message.
  failureMessages: z.array(z.string().nullable().catch(null)).nullish(),
  location: z.object({ line: z.number() }).nullish(),
})
const Suite = z.object({
  name: z.string().default(''),
  status: z.string().default(''),
  message: z.string().nullish(),
  assertionResults: z.array(Assertion).default([]),
})
const Root = z.object({
  numTotalTests: z.number(),
  numFailedTests: z.number().default(0),
  numPassedTests: z.number().optional(),
  numPendingTests: z.number().optional(),
  numTodoTests: z.number().optional(),
  numRuntimeErrorTestSuites: z.number().optional(),
  success: z.boolean().optional(),
  testResults: z.array(Suite),
})

/** Null if the value is not such a report. */
export function readVitestJson(value: unknown, cwd: string): TestReport | null {
  const parsed = Root.safeParse(value)
  if (!parsed.success) return null
  const outcomes = noOutcomes()
  for (const suite of parsed.data.testResults) addSuite(outcomes, suite, cwd)
  const { numFailedTests, success } = parsed.data
  if (numFailedTests > outcomes.failures.length || (success === false && outcomes.failures.length === 0)) {
    const message = `the report counts ${numFailedTests} failed tests (success: ${success}) but describes ${outcomes.failures.length}`
    outcomes.failures.push(makeFailure({ names: ['test run'], message }))
  }
  const lost = neverRun(parsed.data)
  if (lost > 0 && outcomes.failures.length === 0) {
    const message = `${lost} tests were found, and never ended: the process that ran them died`
    outcomes.failures.push(makeFailure({ names: ['test run'], message }))
  }
  return toReport(parsed.data.numRuntimeErrorTestSuites === undefined ? 'vitest-json' : 'jest-json', outcomes)
}

/** How many tests are in none of the counts. */
function neverRun({ numTotalTests, numFailedTests, ...counts }: z.infer<typeof Root>): number {
  const { numPassedTests: passed, numPendingTests: pending, numTodoTests: todo } = counts
  if (passed === undefined || pending === undefined || todo === undefined) return 0
  return numTotalTests - numFailedTests - passed - pending - todo
}

function addSuite(outcomes: Outcomes, suite: z.infer<typeof Suite>, cwd: string): void {
  const file = suite.name ? fileName(suite.name, cwd) : null
  const before = outcomes.failures.length
  for (const assertion of suite.assertionResults) {
    switch (assertion.status) {
      case 'passed':
        addPassed(outcomes, [file, ...namesOf(assertion)])
        break
      case 'failed':
        outcomes.failures.push(failureOf(assertion, file, cwd))
        break
      // Jest's word, up to version 26, for a file that cannot be loaded; the file itself has failed then.
      case 'error':
        if (suite.status !== 'failed') outcomes.failures.push(failureOf(assertion, file, cwd))
        break
      default:
        outcomes.skipped += 1
    }
  }
  // A file that cannot even be loaded has no tests to blame; beside them, a hook may have failed after the last one.
  const outside = suite.message?.split(/^\s*● Test suite failed to run\s+/m)[1]
  if (suite.status === 'failed' && (outcomes.failures.length === before || outside !== undefined)) {
    const message = outside ?? (suite.message || 'the file failed outside of its tests')
    outcomes.failures.push(
      makeFailure({ names: [], file, ...splitError(message), line: lineOf(message, file, cwd), cwd }),
    )
  }
}

function failureOf(assertion: z.infer<typeof Assertion>, file: string | null, cwd: string) {
  const text = (assertion.failureMessages ?? []).filter((each) => each !== null).join('\n\n')
  return makeFailure({
    names: namesOf(assertion),
    file,
    line: lineOf(text, file, cwd) ?? assertion.location?.line,
    ...splitError(text),
    ...expectedIn(text),
    durationMs: assertion.duration,
    cwd,
  })
}

function namesOf({ ancestorTitles, title, fullName }: z.infer<typeof Assertion>): string[] {
  return [...ancestorTitles.filter((each) => each !== ''), title || fullName || '']
}

function lineOf(text: string, file: string | null, cwd: string): number | null {
  const frame = frameOf(text, cwd, file)
  return frame && frame.file === file ? frame.line : null
}
