// The Common Test Report Format.
import type { TestFailure, TestReport } from '@treadle/contracts/gate'
import { z } from 'zod'
import { fileName, frameOf } from './frames.ts'
import { expectedIn, makeFailure, noOutcomes, type Outcomes, toReport } from './report.ts'

const Test = z.object({
  name: z.string().default(''),
  status: z.string(),
  /** The runner's own word. */
  rawStatus: z.string().nullish(),
  duration: z.number().nullish(),
  message: z.string().nullish(),
  trace: z.string().nullish(),
  line: z.number().nullish(),
  filePath: z.string().nullish(),
  // A text at first, a list since version 1.
  suite: z.union([z.string(), z.array(z.string())]).nullish(),
  flaky: z.boolean().nullish(),
  stdout: z.array(z.string()).nullish(),
  stderr: z.array(z.string()).nullish(),
})
const Root = z.object({
  results: z.object({
    tool: z.object({ name: z.string() }),
    summary: z.object({ tests: z.number(), failed: z.number() }),
    tests: z.array(Test),
  }),
})

/** Null if the value is not such a report. */
export function readCtrf(value: unknown, cwd: string): TestReport | null {
  const parsed = Root.safeParse(value)
  if (!parsed.success) return null
  const { summary, tests } = parsed.data.results
  const outcomes = noOutcomes()
  for (const test of tests) addTest(outcomes, test, cwd)
  const described = outcomes.failures.length
  if (summary.failed > described) {
    const message = `the report counts ${summary.failed} failed tests but describes ${described}`
    outcomes.failures.push(makeFailure({ names: ['test run'], message }))
  }
  const flaky = tests.filter((test) => test.flaky && test.status === 'passed')
  if (flaky.length > 0) {
    outcomes.warnings.push(
      `${flaky.length} flaky: ${flaky
        .slice(0, 10)
        .map(({ name }) => name)
        .join('; ')}`,
    )
  }
  return toReport('ctrf', outcomes)
}

function addTest(outcomes: Outcomes, test: z.infer<typeof Test>, cwd: string): void {
  if (test.status === 'passed') outcomes.passed += 1
  else if (isFailed(test)) outcomes.failures.push(failureOf(test, cwd))
  else outcomes.skipped += 1
}

/** What a writer has no word for may be a test that was broken off. */
function isFailed({ status, rawStatus, message, trace }: z.infer<typeof Test>): boolean {
  if (status !== 'other') return status === 'failed'
  return /fail|error|broken|time|interrupt|crash|abort/i.test(rawStatus ?? '') || Boolean(message || trace)
}

function failureOf(test: z.infer<typeof Test>, cwd: string): TestFailure {
  const file = test.filePath ? fileName(test.filePath, cwd) : null
  const frame = test.trace ? frameOf(test.trace, cwd, file) : null
  const message = test.message ?? ''
  return makeFailure({
    names: namesOf(test),
    file: file ?? frame?.file,
    line: (file === null || frame?.file === file ? frame?.line : null) ?? test.line,
    message,
    stack: test.trace,
    ...expectedIn(message),
    durationMs: test.duration,
    output: [...(test.stdout ?? []), ...(test.stderr ?? [])].join('\n'),
    cwd,
  })
}

/** The suites may begin with the file, and the name may begin with the suites. */
function namesOf({ suite, name, filePath }: z.infer<typeof Test>): string[] {
  const given = typeof suite === 'string' ? suite.split(' > ') : (suite ?? [])
  const suites = given.filter((each) => each !== '' && !filePath?.endsWith(each))
  const prefix = `${suites.join(' ')} `
  return [...suites, name.startsWith(prefix) ? name.slice(prefix.length) : name]
}
