// The JSON that mocha writes, and that our own reporter for mocha writes with the titles of the suites apart.
import type { TestFailure, TestReport } from '@treadle/contracts/gate'
import { z } from 'zod'
import { fileName, frameOf } from './frames.ts'
import { addPassed, makeFailure, noOutcomes, toReport } from './report.ts'

const Failed = z.object({
  title: z.string().default(''),
  fullTitle: z.string().default(''),
  titlePath: z.array(z.string()).optional(),
  file: z.string().nullish(),
  duration: z.number().nullish(),
  err: z
    .object({
      name: z.string().optional().catch(undefined),
      message: z.string().optional().catch(undefined),
      stack: z.string().optional().catch(undefined),
      expected: z.unknown().optional(),
      actual: z.unknown().optional(),
    })
    .default({}),
})
const Passed = z.object({ fullTitle: z.string(), file: z.string().nullish() })
const Root = z.object({
  stats: z.object({ passes: z.number(), pending: z.number().default(0), failures: z.number() }),
  tests: z.array(z.unknown()),
  passes: z.array(z.unknown()),
  pending: z.array(z.unknown()).default([]),
  failures: z.array(Failed),
})

/** Null if the value is not such a report. */
export function readMochaJson(value: unknown, cwd: string): TestReport | null {
  const parsed = Root.safeParse(value)
  if (!parsed.success) return null
  const { stats, passes, pending, failures } = parsed.data
  const outcomes = noOutcomes()
  for (const passed of passes) addPassed(outcomes, passedNames(passed, cwd))
  outcomes.skipped = pending.length
  for (const failure of failures) outcomes.failures.push(failureOf(failure, cwd))
  if (stats.failures > failures.length) {
    const message = `the report counts ${stats.failures} failed tests but describes ${failures.length}`
    outcomes.failures.push(makeFailure({ names: ['test run'], message }))
  }
  return toReport('mocha-json', outcomes)
}

function passedNames(value: unknown, cwd: string): (string | null)[] {
  const { data } = Passed.safeParse(value)
  return [data?.file ? fileName(data.file, cwd) : null, data?.fullTitle ?? 'unnamed test']
}

function failureOf(failed: z.infer<typeof Failed>, cwd: string): TestFailure {
  const { err, title, fullTitle } = failed
  const suite = fullTitle.endsWith(title) ? fullTitle.slice(0, fullTitle.length - title.length).trim() : ''
  const file = failed.file ? fileName(failed.file, cwd) : null
  const stack = err.stack ?? null
  const frame = stack === null ? null : frameOf(stack, cwd, file)
  const message = err.message ?? stack?.split('\n')[0] ?? ''
  const type = err.name ?? /^(\w*(?:Error|Exception))\b/.exec(stack ?? '')?.[1]
  return makeFailure({
    names: failed.titlePath ?? [suite, title],
    file: file ?? frame?.file,
    line: file === null || frame?.file === file ? frame?.line : null,
    message: type && !message.startsWith(type) ? `${type}: ${message}` : message,
    stack,
    expected: shown(err.expected),
    actual: shown(err.actual),
    durationMs: failed.duration,
    cwd,
  })
}

function shown(value: unknown): string | null {
  if (value === undefined) return null
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? null)
}
