// The JSON that playwright writes: files, suites in them, specs, and for each project a test with its tries.
import { join } from 'node:path'
import type { TestReport } from '@treadle/contracts/gate'
import { z } from 'zod'
import { plainText } from '../evidence.ts'
import { fileName, frameOf } from './frames.ts'
import { addPassed, expectedIn, makeFailure, noOutcomes, type Outcomes, toReport } from './report.ts'

const Place = z.object({ file: z.string(), line: z.number() })
const Problem = z.object({
  message: z.string().optional(),
  value: z.string().optional(),
  stack: z.string().optional(),
  location: Place.nullish(),
})
const Printed = z.array(z.object({ text: z.string().optional() })).default([])
const Try = z.object({
  duration: z.number().nullish(),
  error: Problem.nullish(),
  errors: z.array(Problem).default([]),
  stdout: Printed,
  stderr: Printed,
})
const Test = z.object({
  projectName: z.string().default(''),
  status: z.string(),
  results: z.array(Try).default([]),
})
const Spec = z.object({
  title: z.string(),
  file: z.string().default(''),
  line: z.number().nullish(),
  tests: z.array(Test).default([]),
})
const Suite = z.object({
  title: z.string().default(''),
  file: z.string().default(''),
  specs: z.array(Spec).default([]),
  get suites() {
    return z.array(Suite).default([])
  },
})
const Root = z.object({
  config: z.object({ rootDir: z.string() }),
  suites: z.array(Suite),
  errors: z.array(Problem).default([]),
  stats: z.object({ unexpected: z.number(), flaky: z.number().default(0) }),
})
type Root = z.infer<typeof Root>

interface Reading {
  readonly outcomes: Outcomes
  readonly cwd: string
  readonly rootDir: string
  readonly flaky: string[]
}

const depthMax = 20

/** Null if the value is not such a report. */
export function readPlaywrightJson(value: unknown, cwd: string): TestReport | null {
  const parsed = Root.safeParse(value)
  if (!parsed.success) return null
  const { suites, config, stats } = parsed.data
  const outcomes = noOutcomes()
  const reading: Reading = { outcomes, cwd, rootDir: config.rootDir, flaky: [] }
  // The outermost suites are the files.
  for (const suite of suites) addSuite(reading, suite, [])
  if (stats.unexpected > outcomes.failures.length) {
    const message = `the report counts ${stats.unexpected} failed tests but describes ${outcomes.failures.length}`
    outcomes.failures.push(makeFailure({ names: ['test run'], message }))
  }
  addErrors(reading, parsed.data)
  if (reading.flaky.length > 0) {
    outcomes.warnings.push(`${reading.flaky.length} flaky: ${reading.flaky.slice(0, 10).join('; ')}`)
  }
  return toReport('playwright-json', outcomes)
}

function addSuite(reading: Reading, suite: z.infer<typeof Suite>, names: readonly string[]): void {
  if (names.length > depthMax) return
  for (const spec of suite.specs) {
    for (const test of spec.tests) addTest(reading, { spec, test, names })
  }
  for (const inner of suite.suites) addSuite(reading, inner, [...names, inner.title])
}

interface Ran {
  readonly spec: z.infer<typeof Spec>
  readonly test: z.infer<typeof Test>
  readonly names: readonly string[]
}

function addTest(reading: Reading, { spec, test, names }: Ran): void {
  const { outcomes, cwd, rootDir } = reading
  const file = fileName(join(rootDir, spec.file), cwd)
  const all = [test.projectName && `[${test.projectName}]`, ...names, spec.title]
  if (test.status === 'skipped') {
    outcomes.skipped += 1
  } else if (test.status === 'expected' || test.status === 'flaky') {
    addPassed(outcomes, [file, ...all])
    if (test.status === 'flaky') reading.flaky.push([file, ...all.filter(Boolean)].join(' > '))
  } else {
    const first = test.results[0]
    const problem = first?.error ?? first?.errors[0] ?? {}
    outcomes.failures.push(
      makeFailure({
        names: all,
        file,
        line: lineOf(problem, file, cwd) ?? spec.line,
        ...textOf(problem),
        ...expectedIn(plainText(problem.message ?? '')),
        durationMs: first?.duration,
        output: [...(first?.stdout ?? []), ...(first?.stderr ?? [])].map(({ text }) => text ?? '').join(''),
        cwd,
      }),
    )
  }
}

function lineOf(problem: z.infer<typeof Problem>, file: string, cwd: string): number | null {
  const frame = problem.stack ? frameOf(problem.stack, cwd, file) : null
  if (frame?.file === file) return frame.line
  const { location } = problem
  return location && fileName(location.file, cwd) === file ? location.line : null
}

function textOf(problem: z.infer<typeof Problem>): { message: string; stack: string | null } {
  const message = problem.message ?? problem.value ?? 'the test did not end as expected'
  return { message, stack: problem.stack ?? null }
}

const stoppedEarly = /Testing stopped early after \d+ maximum allowed failures/

/** What went wrong outside of any test, such as a file that cannot be loaded. */
function addErrors({ outcomes, cwd }: Reading, { errors }: Root): void {
  // That it stopped at a failure says nothing of its own.
  const isRed = outcomes.failures.length > 0
  const others = errors.filter(({ message }) => !(isRed && stoppedEarly.test(message ?? '')))
  const real = others.filter(({ message }) => !/No tests found/.test(message ?? ''))
  for (const error of real.length > 0 ? real : others) {
    const file = error.location ? fileName(error.location.file, cwd) : null
    const names = file === null ? ['test run'] : []
    outcomes.failures.push(makeFailure({ names, file, line: error.location?.line, ...textOf(error), cwd }))
  }
}
