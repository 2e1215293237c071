// The JSON of mochawesome: mocha's suites as a tree, with the hooks that failed beside the tests.
import type { TestFailure, TestReport } from '@treadle/contracts/gate'
import { z } from 'zod'
import { fileName, frameOf } from './frames.ts'
import { makeFailure, noOutcomes, type Outcomes, splitError, toReport } from './report.ts'

const Test = z.object({
  title: z.string().default(''),
  state: z.string().nullish(),
  fail: z.boolean().default(false),
  duration: z.number().nullish(),
  err: z
    .object({ message: z.string().nullish().catch(null), estack: z.string().nullish().catch(null) })
    .default({}),
})
const Suite = z.object({
  title: z.string().default(''),
  fullFile: z.string().nullish(),
  tests: z.array(Test).default([]),
  beforeHooks: z.array(Test).default([]),
  afterHooks: z.array(Test).default([]),
  suites: z.array(z.unknown()).default([]),
})
const Root = z.object({
  stats: z.object({ passes: z.number(), failures: z.number() }),
  results: z.array(z.unknown()),
})
const depthMax = 100

interface InSuite {
  readonly cwd: string
  readonly names: readonly string[]
  readonly file: string | null
}

/** Null if the value is not such a report. */
export function readMochawesome(value: unknown, cwd: string): TestReport | null {
  const parsed = Root.safeParse(value)
  if (!parsed.success) return null
  const outcomes = noOutcomes()
  const { stats, results } = parsed.data
  // It writes false where no test was found.
  for (const suite of results)
    if (suite !== false && !addSuite(outcomes, suite, { cwd, names: [], file: null })) return null
  const described = outcomes.failures.length
  if (stats.failures > described) {
    const message = `the report counts ${stats.failures} failed tests but describes ${described}`
    outcomes.failures.push(makeFailure({ names: ['test run'], message }))
  }
  return toReport('mocha-json', outcomes)
}

/** False if the value is no suite. */
function addSuite(outcomes: Outcomes, value: unknown, place: InSuite): boolean {
  const parsed = Suite.safeParse(value)
  if (!parsed.success || place.names.length > depthMax) return false
  const { title, fullFile, tests, beforeHooks, afterHooks, suites } = parsed.data
  const file = fullFile ? fileName(fullFile, place.cwd) : place.file
  const inner = { ...place, file, names: [...place.names, title] }
  for (const hook of [...beforeHooks, ...afterHooks].filter(isFailed)) {
    outcomes.failures.push(failureOf(hook, inner))
  }
  for (const test of tests) {
    if (isFailed(test)) outcomes.failures.push(failureOf(test, inner))
    else if (test.state === 'passed') outcomes.passed += 1
    else outcomes.skipped += 1
  }
  return suites.every((each) => addSuite(outcomes, each, inner))
}

const isFailed = ({ fail, state }: z.infer<typeof Test>): boolean => fail || state === 'failed'

function failureOf(
  { title, err, duration }: z.infer<typeof Test>,
  { cwd, names, file }: InSuite,
): TestFailure {
  const { stack } = splitError(err.estack ?? '')
  const frame = stack === null ? null : frameOf(stack, cwd, file)
  return makeFailure({
    names: [...names.filter((name) => name !== ''), title],
    file: file ?? frame?.file,
    line: frame?.file === file ? frame?.line : null,
    message: err.message ?? err.estack ?? '',
    stack,
    durationMs: duration,
    cwd,
  })
}
