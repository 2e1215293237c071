// RSpec's own JSON.
import type { TestFailure, TestReport } from '@treadle/contracts/gate'
import { z } from 'zod'
import { makeFailure, noOutcomes, toReport } from './report.ts'

const RspecJson = z.object({
  examples: z.array(
    z.object({
      full_description: z.string(),
      status: z.string(),
      file_path: z.string().nullish(),
      line_number: z.number().nullish(),
      run_time: z.number().nullish(),
      exception: z
        .object({
          class: z.string(),
          message: z.string().nullish(),
          backtrace: z.array(z.string()).nullish(),
        })
        .nullish(),
    }),
  ),
  summary: z.object({
    example_count: z.number(),
    failure_count: z.number(),
    errors_outside_of_examples_count: z.number().optional(),
  }),
  messages: z.array(z.string()).optional(),
})

type Example = z.infer<typeof RspecJson>['examples'][number]

/** Null if it is none. */
export function readRspecJson(value: unknown, cwd: string): TestReport | null {
  const found = RspecJson.safeParse(value).data
  if (found === undefined) return null
  const outcomes = noOutcomes()
  for (const example of found.examples) {
    if (example.status === 'passed') outcomes.passed += 1
    else if (example.status === 'pending') outcomes.skipped += 1
    else outcomes.failures.push(failureOf(example, cwd))
  }
  const { failure_count: failed, errors_outside_of_examples_count: outside = 0 } = found.summary
  const untold = Math.min(untoldMax, Math.max(0, failed - outcomes.failures.length) + outside)
  const message = found.messages?.join('\n').trim() || 'an error that the report does not describe'
  for (let each = 0; each < untold; each += 1)
    outcomes.failures.push(makeFailure({ names: ['test run'], idFile: '', message }))
  return toReport('rspec-json', outcomes)
}

const untoldMax = 100

function failureOf(example: Example, cwd: string): TestFailure {
  const { full_description: name, status, exception, line_number: line, run_time: seconds } = example
  return makeFailure({
    names: [name],
    file: example.file_path?.replace(/^\.\//, ''),
    line,
    message: `${exception?.class ?? status}: ${exception?.message?.trim() ?? ''}`,
    stack: exception?.backtrace?.join('\n'),
    durationMs: typeof seconds === 'number' ? seconds * 1_000 : null,
    cwd,
  })
}
