// The JSON lines of Rust's libtest, as `cargo test -- --format json` prints them.
import type { TestReport } from '@treadle/contracts/gate'
import { z } from 'zod'
import { jsonLines, readLines } from './json-lines.ts'
import { makeFailure, noOutcomes, type Outcomes, toReport } from './report.ts'
import { rustFailure, targetOf } from './rust.ts'

const Line = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('test'),
    event: z.string(),
    name: z.string(),
    stdout: z.string().optional(),
    message: z.string().optional(),
    exec_time: z.number().optional(),
  }),
  z.object({
    type: z.literal('suite'),
    event: z.string(),
    test_count: z.number().optional(),
    failed: z.number().optional(),
  }),
])

interface Suite {
  target: string | null
  /** Null between suites. */
  open: { failures: number; planned: number; seen: number } | null
}

// With `--nocapture` a test that ends its output in the middle of a line shares it with its own event.
const glued = /^([^{\n]+)(?=\{ ?"type": ?"(?:test|suite)", ?")/gm

export const libtestJson = jsonLines(/"type": ?"suite"/, readLibtestJson)

/** Null if the text holds no suite. */
function readLibtestJson(text: string, cwd: string): TestReport | null {
  const outcomes = noOutcomes()
  const suite: Suite = { target: null, open: null }
  let seen = false
  for (const line of readLines(text.replace(glued, '$1\n'))) {
    if ('said' in line) suite.target = targetOf(line.said) ?? suite.target
    const parsed = 'value' in line ? Line.safeParse(line.value).data : undefined
    if (parsed === undefined) continue
    if (parsed.type === 'suite') {
      seen = true
      changeSuite(outcomes, suite, parsed)
    } else if (seen) {
      addTest(outcomes, suite, { ...parsed, cwd })
    }
  }
  if (suite.open) cutOff(outcomes, suite)
  return seen ? toReport('libtest-json', outcomes) : null
}

type SuiteLine = Extract<z.infer<typeof Line>, { type: 'suite' }>
type TestLine = Extract<z.infer<typeof Line>, { type: 'test' }>

function changeSuite(outcomes: Outcomes, suite: Suite, line: SuiteLine): void {
  if (line.event === 'started') {
    if (suite.open) cutOff(outcomes, suite)
    suite.open = { failures: outcomes.failures.length, planned: line.test_count ?? 0, seen: 0 }
    return
  }
  const described = outcomes.failures.length - (suite.open?.failures ?? 0)
  if ((line.failed ?? 0) > described || (line.event === 'failed' && described === 0)) {
    const message = `the suite counts ${line.failed ?? 0} failures but describes ${described}`
    outcomes.failures.push(makeFailure({ names: [suite.target ?? 'test run'], message }))
  }
  suite.open = null
}

function cutOff(outcomes: Outcomes, { target, open }: Suite): void {
  const message = `the test program ended before its result: ${open?.planned} tests were planned, ${open?.seen} ended`
  outcomes.failures.push(makeFailure({ names: [target ?? 'test run'], message }))
}

function addTest(outcomes: Outcomes, suite: Suite, line: TestLine & { cwd: string }): void {
  const { name, event, stdout, message, exec_time, cwd } = line
  if (event === 'started') return
  if (suite.open) suite.open.seen += 1
  if (event === 'ok') outcomes.passed += 1
  else if (event === 'ignored') outcomes.skipped += 1
  else if (event === 'failed' || event === 'timeout') {
    const said = stdout ?? message ?? `the test ended with: ${event}`
    const durationMs = exec_time === undefined ? null : exec_time * 1_000
    outcomes.failures.push(rustFailure({ name, target: suite.target, said, durationMs, cwd }))
  }
}
