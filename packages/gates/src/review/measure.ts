// The measure of an item: its command on the base and on the head, in turns, in the surroundings of the tests.
import { type FindingName, findingOf } from '@treadle/contracts/finding-measure'
import type { Measure, MeasureFound } from '@treadle/contracts/measure'
import type { ReviewChecksRequest, SurveyCommit } from '@treadle/flow/ports/review-checks'
import { changedJudges } from '../integrity/judges.ts'
import { type GateOptions, runGateCommand } from '../tests.ts'
import { judgeFinding } from './decide-finding.ts'
import { judgeMeasure, type MeasureRun } from './decide-measure.ts'
import { readHead } from './head.ts'

/** Each side is measured so often, so that noise does not count as an improvement. */
const TIMES = 2

export interface Measured {
  readonly found: MeasureFound
  /** The runs, for people. */
  readonly lines: readonly string[]
}

/** Both looks at a commit together, at most. */
const LOOK_MS = 120_000

/** What the measure says of the change; null if the item has none, or the run was interrupted. */
export async function takeMeasure(
  options: GateOptions,
  request: ReviewChecksRequest,
  survey: SurveyCommit,
): Promise<Measured | null> {
  const { measure } = request.item
  if (measure === null) return null
  const finding = findingOf(measure.command)
  if (finding !== null) return takeFinding(request, survey, { finding, measure })
  const [rewritten] = await changedJudges({
    commands: [measure.command],
    changed: request.changed,
    readBase: (path) => request.readBase(path),
    readHead: (path) => readHead(request.cwd, path),
  })
  if (rewritten !== undefined) return unknown(`the change touches ${rewritten.file}, which the measure runs`)
  // Neither has been tested in: what tests leave behind must not count.
  const used = await request.withBase((base) =>
    request.withHead((head) => runOnBoth(options, request, { measure, base, head })),
  )
  if (request.signal?.aborted) return null
  const ran = used.is === 'used' ? used.value : used
  return ran.is === 'failed' ? unknown(`it could not be taken: ${ran.why}`) : ran.value
}

/** Treadle's own surveys look, never what the tree or its PATH calls treadle; and at commits, not at what lies in a checkout. */
async function takeFinding(
  request: ReviewChecksRequest,
  survey: SurveyCommit,
  { finding, measure }: { finding: FindingName; measure: Measure },
): Promise<Measured | null> {
  const { base, head, timeoutMs, signal } = request
  if (measure.better !== null)
    return unknown('a finding is there or not: its measure prints no number that could get better')
  const now = new Date().toISOString()
  const budgetMs = Math.min(timeoutMs, LOOK_MS / 2)
  const look = (commit: string) => (cwd: string) => survey({ cwd, commit, finding, now, budgetMs }, signal)
  const before = await request.withBase(look(base))
  if (before.is === 'failed') return unknown(`it could not be taken: ${before.why}`)
  const after = await request.withHead(look(head))
  if (request.signal?.aborted) return null
  if (after.is === 'failed') return unknown(`it could not be taken: ${after.why}`)
  const { found, why } = judgeFinding(finding, { base: before.value, head: after.value })
  return { found, lines: [why] }
}

async function runOnBoth(
  options: GateOptions,
  { timeoutMs, signal }: ReviewChecksRequest,
  { measure, base, head }: { measure: Measure; base: string; head: string },
): Promise<Measured> {
  const { command, better } = measure
  const lines: string[] = []
  const runIn = async (where: string, folder: string): Promise<MeasureRun> => {
    const env = { CI: 'true', ...options.env }
    const ran = await runGateCommand(options, { command, cwd: folder, env, timeoutMs, signal })
    const ended = ran.timedOut ? 'did not end in time' : `exit code ${ran.exitCode}`
    lines.push(`the measure \`${command}\` on the ${where}: ${ended}; output ${ran.output}`)
    return ran
  }
  const runs: { base: MeasureRun[]; head: MeasureRun[] } = { base: [], head: [] }
  // In turns: a machine that gets busier or warmer meanwhile does so for both.
  for (let time = 0; time < TIMES && !signal?.aborted; time += 1) {
    runs.base.push(await runIn('base', base))
    runs.head.push(await runIn('head', head))
  }
  return { found: judgeMeasure(better, runs), lines }
}

function unknown(why: string): Measured {
  return { found: { is: 'unknown', why }, lines: [] }
}
