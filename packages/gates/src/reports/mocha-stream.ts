// Mocha's events as it writes them with `--reporter json-stream`: a list on each line, with a word and what it is about.
import type { TestReport } from '@treadle/contracts/gate'
import { z } from 'zod'
import type { Layer, Range } from './layers.ts'
import { makeFailure, noOutcomes, type Outcomes, toReport } from './report.ts'

const Start = z.tuple([z.literal('start'), z.object({ total: z.number() })])
const End = z.tuple([
  z.literal('end'),
  z.object({ passes: z.number(), failures: z.number(), pending: z.number() }),
])
const Told = z.tuple([
  z.enum(['pass', 'fail']),
  z.object({
    fullTitle: z.string(),
    file: z.string().nullish(),
    // A message may be anything.
    err: z.unknown().optional(),
    stack: z.string().nullish(),
  }),
])

export const mochaStream: Layer = ({ raw }, cwd) => {
  const reports: TestReport[] = []
  const ranges: Range[] = []
  let open: { from: number; outcomes: Outcomes } | null = null
  const close = (to: number, counted: z.infer<typeof End>[1] | null): void => {
    if (open === null) return
    reports.push(reportOf(open.outcomes, counted))
    ranges.push({ from: open.from, to })
    open = null
  }
  for (const [at, line] of raw.entries()) {
    const event = eventIn(line)
    if (event === null) continue
    if (event[0] === 'start') {
      close(at, null)
      open = { from: at, outcomes: noOutcomes() }
    } else if (event[0] === 'end') close(at + 1, event[1])
    else if (open !== null) addTest(open.outcomes, event, cwd)
  }
  close(raw.length, null)
  return reports.length === 0 ? null : { reports, ranges }
}

type Event = z.infer<typeof Start> | z.infer<typeof End> | z.infer<typeof Told>

/** A test that ends its output in the middle of a line shares it with an event. */
function eventIn(line: string): Event | null {
  const at = line.search(/\["(?:start|pass|fail|end)",\{/)
  if (at < 0) return null
  try {
    const value: unknown = JSON.parse(line.slice(at))
    return Start.safeParse(value).data ?? End.safeParse(value).data ?? Told.safeParse(value).data ?? null
  } catch {
    return null
  }
}

function addTest(outcomes: Outcomes, [word, test]: z.infer<typeof Told>, cwd: string): void {
  if (word === 'pass') outcomes.passed += 1
  else {
    const { fullTitle, file, err, stack } = test
    outcomes.failures.push(makeFailure({ names: [fullTitle], file, message: wordsOf(err), stack, cwd }))
  }
}

function wordsOf(err: unknown): string {
  return typeof err === 'string' ? err : JSON.stringify(err ?? '')
}

/** What is pending is counted at the end alone. */
function reportOf(outcomes: Outcomes, counted: z.infer<typeof End>[1] | null): TestReport {
  outcomes.skipped = counted?.pending ?? 0
  const told = outcomes.failures.length
  const message =
    counted === null
      ? 'the events end before the run did'
      : `the run counts ${counted.failures} failures and tells of ${told}`
  if (counted === null || counted.failures > told)
    outcomes.failures.push(makeFailure({ names: ['test run'], idFile: '', message }))
  return toReport('mocha-json', outcomes)
}
